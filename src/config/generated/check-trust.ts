/**
 * The check of TRUST_SCHEMA, as ajv compiles it.
 * Written by schemas/generate.ts: do not edit.
 *
 * Pure.
 */
// @ts-nocheck: ajv's code has no types; the export has one.
import { type ClosedCheck, codePointLength, FORMATS } from "../../core/closed-check.ts";

const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"delegated-context-trust-v1.schema.json","title":"Delegated context: registered providers (trust.json)","type":"object","additionalProperties":false,"required":["format","registrations"],"properties":{"format":{"const":"delegated-context.trust.v1"},"registrations":{"type":"array","maxItems":1000,"items":{"type":"object","additionalProperties":false,"required":["provider_id","provider_version","provider_instance_id","key_id","public_key_base64","endpoint","request_key_id","request_secret_file","workspace_ids","agent_ids","user_ids"],"properties":{"provider_id":{"type":"string","pattern":"^[A-Za-z0-9_.:-]{1,256}$"},"provider_version":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"},"provider_instance_id":{"type":"string","pattern":"^[A-Za-z0-9_.:-]{1,256}$"},"key_id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"},"public_key_base64":{"type":"string","pattern":"^[A-Za-z0-9+/]{43}=$"},"endpoint":{"type":"string","maxLength":1024},"request_key_id":{"type":"string","pattern":"^[A-Za-z0-9_.:-]{1,256}$"},"request_secret_file":{"type":"string","pattern":"^/","maxLength":4096},"workspace_ids":{"type":"array","minItems":1,"maxItems":1000,"uniqueItems":true,"items":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$","not":{"const":"*"}}},"agent_ids":{"type":"array","minItems":1,"maxItems":1000,"uniqueItems":true,"items":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$","not":{"const":"*"}}},"user_ids":{"type":"array","minItems":1,"maxItems":1000,"uniqueItems":true,"items":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$","not":{"const":"*"}}}}}}}};
const func0 = Object.prototype.hasOwnProperty;
const func78 = codePointLength;
const pattern4 = new RegExp("^[A-Za-z0-9_.:-]{1,256}$", "u");
const pattern5 = new RegExp("^\\S(?:.*\\S)?$", "u");
const pattern8 = new RegExp("^[A-Za-z0-9+/]{43}=$", "u");
const pattern10 = new RegExp("^/", "u");

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.format === undefined) || (!(func0.call(data, "format")))) && (missing0 = "format")) || (((data.registrations === undefined) || (!(func0.call(data, "registrations")))) && (missing0 = "registrations"))){
validate20.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 of Object.keys(data)){
if(!((key0 === "format") || (key0 === "registrations"))){
validate20.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.format !== undefined && func0.call(data, "format")){
const _errs2 = errors;
if("delegated-context.trust.v1" !== data.format){
validate20.errors = [{instancePath:instancePath+"/format",schemaPath:"#/properties/format/const",keyword:"const",params:{allowedValue: "delegated-context.trust.v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.registrations !== undefined && func0.call(data, "registrations")){
let data1 = data.registrations;
const _errs3 = errors;
if(errors === _errs3){
if(Array.isArray(data1)){
if(data1.length > 1000){
validate20.errors = [{instancePath:instancePath+"/registrations",schemaPath:"#/properties/registrations/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
const _errs5 = errors;
if(errors === _errs5){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
let missing1;
if(((((((((((((data2.provider_id === undefined) || (!(func0.call(data2, "provider_id")))) && (missing1 = "provider_id")) || (((data2.provider_version === undefined) || (!(func0.call(data2, "provider_version")))) && (missing1 = "provider_version"))) || (((data2.provider_instance_id === undefined) || (!(func0.call(data2, "provider_instance_id")))) && (missing1 = "provider_instance_id"))) || (((data2.key_id === undefined) || (!(func0.call(data2, "key_id")))) && (missing1 = "key_id"))) || (((data2.public_key_base64 === undefined) || (!(func0.call(data2, "public_key_base64")))) && (missing1 = "public_key_base64"))) || (((data2.endpoint === undefined) || (!(func0.call(data2, "endpoint")))) && (missing1 = "endpoint"))) || (((data2.request_key_id === undefined) || (!(func0.call(data2, "request_key_id")))) && (missing1 = "request_key_id"))) || (((data2.request_secret_file === undefined) || (!(func0.call(data2, "request_secret_file")))) && (missing1 = "request_secret_file"))) || (((data2.workspace_ids === undefined) || (!(func0.call(data2, "workspace_ids")))) && (missing1 = "workspace_ids"))) || (((data2.agent_ids === undefined) || (!(func0.call(data2, "agent_ids")))) && (missing1 = "agent_ids"))) || (((data2.user_ids === undefined) || (!(func0.call(data2, "user_ids")))) && (missing1 = "user_ids"))){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0,schemaPath:"#/properties/registrations/items/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs7 = errors;
for(const key1 of Object.keys(data2)){
if(!(func0.call(schema31.properties.registrations.items.properties, key1))){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0,schemaPath:"#/properties/registrations/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs7 === errors){
if(data2.provider_id !== undefined && func0.call(data2, "provider_id")){
let data3 = data2.provider_id;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data3 === "string"){
if(!pattern4.test(data3)){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/provider_id",schemaPath:"#/properties/registrations/items/properties/provider_id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_.:-]{1,256}$"},message:"must match pattern \""+"^[A-Za-z0-9_.:-]{1,256}$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/provider_id",schemaPath:"#/properties/registrations/items/properties/provider_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs8 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.provider_version !== undefined && func0.call(data2, "provider_version")){
let data4 = data2.provider_version;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data4 === "string"){
if(func78(data4) > 256){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/provider_version",schemaPath:"#/properties/registrations/items/properties/provider_version/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func78(data4) < 1){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/provider_version",schemaPath:"#/properties/registrations/items/properties/provider_version/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern5.test(data4)){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/provider_version",schemaPath:"#/properties/registrations/items/properties/provider_version/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/provider_version",schemaPath:"#/properties/registrations/items/properties/provider_version/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs10 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.provider_instance_id !== undefined && func0.call(data2, "provider_instance_id")){
let data5 = data2.provider_instance_id;
const _errs12 = errors;
if(errors === _errs12){
if(typeof data5 === "string"){
if(!pattern4.test(data5)){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/provider_instance_id",schemaPath:"#/properties/registrations/items/properties/provider_instance_id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_.:-]{1,256}$"},message:"must match pattern \""+"^[A-Za-z0-9_.:-]{1,256}$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/provider_instance_id",schemaPath:"#/properties/registrations/items/properties/provider_instance_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs12 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.key_id !== undefined && func0.call(data2, "key_id")){
let data6 = data2.key_id;
const _errs14 = errors;
if(errors === _errs14){
if(typeof data6 === "string"){
if(func78(data6) > 256){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/key_id",schemaPath:"#/properties/registrations/items/properties/key_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func78(data6) < 1){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/key_id",schemaPath:"#/properties/registrations/items/properties/key_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern5.test(data6)){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/key_id",schemaPath:"#/properties/registrations/items/properties/key_id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/key_id",schemaPath:"#/properties/registrations/items/properties/key_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs14 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.public_key_base64 !== undefined && func0.call(data2, "public_key_base64")){
let data7 = data2.public_key_base64;
const _errs16 = errors;
if(errors === _errs16){
if(typeof data7 === "string"){
if(!pattern8.test(data7)){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/public_key_base64",schemaPath:"#/properties/registrations/items/properties/public_key_base64/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9+/]{43}=$"},message:"must match pattern \""+"^[A-Za-z0-9+/]{43}=$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/public_key_base64",schemaPath:"#/properties/registrations/items/properties/public_key_base64/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs16 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.endpoint !== undefined && func0.call(data2, "endpoint")){
let data8 = data2.endpoint;
const _errs18 = errors;
if(errors === _errs18){
if(typeof data8 === "string"){
if(func78(data8) > 1024){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/endpoint",schemaPath:"#/properties/registrations/items/properties/endpoint/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/endpoint",schemaPath:"#/properties/registrations/items/properties/endpoint/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs18 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.request_key_id !== undefined && func0.call(data2, "request_key_id")){
let data9 = data2.request_key_id;
const _errs20 = errors;
if(errors === _errs20){
if(typeof data9 === "string"){
if(!pattern4.test(data9)){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/request_key_id",schemaPath:"#/properties/registrations/items/properties/request_key_id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_.:-]{1,256}$"},message:"must match pattern \""+"^[A-Za-z0-9_.:-]{1,256}$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/request_key_id",schemaPath:"#/properties/registrations/items/properties/request_key_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs20 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.request_secret_file !== undefined && func0.call(data2, "request_secret_file")){
let data10 = data2.request_secret_file;
const _errs22 = errors;
if(errors === _errs22){
if(typeof data10 === "string"){
if(func78(data10) > 4096){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/request_secret_file",schemaPath:"#/properties/registrations/items/properties/request_secret_file/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"}];
return false;
}
else {
if(!pattern10.test(data10)){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/request_secret_file",schemaPath:"#/properties/registrations/items/properties/request_secret_file/pattern",keyword:"pattern",params:{pattern: "^/"},message:"must match pattern \""+"^/"+"\""}];
return false;
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/request_secret_file",schemaPath:"#/properties/registrations/items/properties/request_secret_file/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs22 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.workspace_ids !== undefined && func0.call(data2, "workspace_ids")){
let data11 = data2.workspace_ids;
const _errs24 = errors;
if(errors === _errs24){
if(Array.isArray(data11)){
if(data11.length > 1000){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/workspace_ids",schemaPath:"#/properties/registrations/items/properties/workspace_ids/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items"}];
return false;
}
else {
if(data11.length < 1){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/workspace_ids",schemaPath:"#/properties/registrations/items/properties/workspace_ids/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid3 = true;
const len1 = data11.length;
for(let i1=0; i1<len1; i1++){
let data12 = data11[i1];
const _errs26 = errors;
const _errs28 = errors;
const _errs29 = errors;
if("*" !== data12){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var valid4 = _errs29 === errors;
if(valid4){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/workspace_ids/" + i1,schemaPath:"#/properties/registrations/items/properties/workspace_ids/items/not",keyword:"not",params:{},message:"must NOT be valid"}];
return false;
}
else {
errors = _errs28;
if(vErrors !== null){
if(_errs28){
vErrors.length = _errs28;
}
else {
vErrors = null;
}
}
}
if(errors === _errs26){
if(typeof data12 === "string"){
if(func78(data12) > 256){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/workspace_ids/" + i1,schemaPath:"#/properties/registrations/items/properties/workspace_ids/items/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func78(data12) < 1){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/workspace_ids/" + i1,schemaPath:"#/properties/registrations/items/properties/workspace_ids/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern5.test(data12)){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/workspace_ids/" + i1,schemaPath:"#/properties/registrations/items/properties/workspace_ids/items/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/workspace_ids/" + i1,schemaPath:"#/properties/registrations/items/properties/workspace_ids/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs26 === errors;
if(!valid3){
break;
}
}
if(valid3){
let i2 = data11.length;
let j0;
if(i2 > 1){
const indices0 = {};
for(;i2--;){
let item0 = data11[i2];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/workspace_ids",schemaPath:"#/properties/registrations/items/properties/workspace_ids/uniqueItems",keyword:"uniqueItems",params:{i: i2, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i2+" are identical)"}];
return false;
break;
}
indices0[item0] = i2;
}
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/workspace_ids",schemaPath:"#/properties/registrations/items/properties/workspace_ids/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid2 = _errs24 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.agent_ids !== undefined && func0.call(data2, "agent_ids")){
let data13 = data2.agent_ids;
const _errs30 = errors;
if(errors === _errs30){
if(Array.isArray(data13)){
if(data13.length > 1000){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/agent_ids",schemaPath:"#/properties/registrations/items/properties/agent_ids/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items"}];
return false;
}
else {
if(data13.length < 1){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/agent_ids",schemaPath:"#/properties/registrations/items/properties/agent_ids/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid6 = true;
const len2 = data13.length;
for(let i3=0; i3<len2; i3++){
let data14 = data13[i3];
const _errs32 = errors;
const _errs34 = errors;
const _errs35 = errors;
if("*" !== data14){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var valid7 = _errs35 === errors;
if(valid7){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/agent_ids/" + i3,schemaPath:"#/properties/registrations/items/properties/agent_ids/items/not",keyword:"not",params:{},message:"must NOT be valid"}];
return false;
}
else {
errors = _errs34;
if(vErrors !== null){
if(_errs34){
vErrors.length = _errs34;
}
else {
vErrors = null;
}
}
}
if(errors === _errs32){
if(typeof data14 === "string"){
if(func78(data14) > 256){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/agent_ids/" + i3,schemaPath:"#/properties/registrations/items/properties/agent_ids/items/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func78(data14) < 1){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/agent_ids/" + i3,schemaPath:"#/properties/registrations/items/properties/agent_ids/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern5.test(data14)){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/agent_ids/" + i3,schemaPath:"#/properties/registrations/items/properties/agent_ids/items/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/agent_ids/" + i3,schemaPath:"#/properties/registrations/items/properties/agent_ids/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid6 = _errs32 === errors;
if(!valid6){
break;
}
}
if(valid6){
let i4 = data13.length;
let j1;
if(i4 > 1){
const indices1 = {};
for(;i4--;){
let item1 = data13[i4];
if(typeof item1 !== "string"){
continue;
}
if(typeof indices1[item1] == "number"){
j1 = indices1[item1];
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/agent_ids",schemaPath:"#/properties/registrations/items/properties/agent_ids/uniqueItems",keyword:"uniqueItems",params:{i: i4, j: j1},message:"must NOT have duplicate items (items ## "+j1+" and "+i4+" are identical)"}];
return false;
break;
}
indices1[item1] = i4;
}
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/agent_ids",schemaPath:"#/properties/registrations/items/properties/agent_ids/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid2 = _errs30 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.user_ids !== undefined && func0.call(data2, "user_ids")){
let data15 = data2.user_ids;
const _errs36 = errors;
if(errors === _errs36){
if(Array.isArray(data15)){
if(data15.length > 1000){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/user_ids",schemaPath:"#/properties/registrations/items/properties/user_ids/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items"}];
return false;
}
else {
if(data15.length < 1){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/user_ids",schemaPath:"#/properties/registrations/items/properties/user_ids/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid9 = true;
const len3 = data15.length;
for(let i5=0; i5<len3; i5++){
let data16 = data15[i5];
const _errs38 = errors;
const _errs40 = errors;
const _errs41 = errors;
if("*" !== data16){
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var valid10 = _errs41 === errors;
if(valid10){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/user_ids/" + i5,schemaPath:"#/properties/registrations/items/properties/user_ids/items/not",keyword:"not",params:{},message:"must NOT be valid"}];
return false;
}
else {
errors = _errs40;
if(vErrors !== null){
if(_errs40){
vErrors.length = _errs40;
}
else {
vErrors = null;
}
}
}
if(errors === _errs38){
if(typeof data16 === "string"){
if(func78(data16) > 256){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/user_ids/" + i5,schemaPath:"#/properties/registrations/items/properties/user_ids/items/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func78(data16) < 1){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/user_ids/" + i5,schemaPath:"#/properties/registrations/items/properties/user_ids/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern5.test(data16)){
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/user_ids/" + i5,schemaPath:"#/properties/registrations/items/properties/user_ids/items/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/user_ids/" + i5,schemaPath:"#/properties/registrations/items/properties/user_ids/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid9 = _errs38 === errors;
if(!valid9){
break;
}
}
if(valid9){
let i6 = data15.length;
let j2;
if(i6 > 1){
const indices2 = {};
for(;i6--;){
let item2 = data15[i6];
if(typeof item2 !== "string"){
continue;
}
if(typeof indices2[item2] == "number"){
j2 = indices2[item2];
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/user_ids",schemaPath:"#/properties/registrations/items/properties/user_ids/uniqueItems",keyword:"uniqueItems",params:{i: i6, j: j2},message:"must NOT have duplicate items (items ## "+j2+" and "+i6+" are identical)"}];
return false;
break;
}
indices2[item2] = i6;
}
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0+"/user_ids",schemaPath:"#/properties/registrations/items/properties/user_ids/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid2 = _errs36 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations/" + i0,schemaPath:"#/properties/registrations/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs5 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registrations",schemaPath:"#/properties/registrations/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate20.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check: ClosedCheck = validate20;
