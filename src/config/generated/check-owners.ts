/**
 * The check of OWNERS_SCHEMA, as ajv compiles it.
 * Written by schemas/generate.ts: do not edit.
 *
 * Pure.
 */
// @ts-nocheck: ajv's code has no types; the export has one.
import { type ClosedCheck, codePointLength, FORMATS } from "../../core/closed-check.ts";

const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"delegated-context-owners-v1.schema.json","title":"Delegated context: who a host principal is (owners.json)","type":"object","additionalProperties":false,"required":["format","owners"],"properties":{"format":{"const":"delegated-context.owners.v1"},"owners":{"type":"array","maxItems":10000,"items":{"if":{"required":["operator"]},"then":{"type":"object","additionalProperties":false,"required":["user_id","operator"],"properties":{"user_id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"},"operator":{"const":true}}},"else":{"type":"object","additionalProperties":false,"required":["user_id","channel","account_id","sender_id"],"properties":{"user_id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"},"channel":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$","not":{"const":"*"}},"account_id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"},"sender_id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$","not":{"const":"*"}}}}}}}};
const func0 = Object.prototype.hasOwnProperty;
const func68 = codePointLength;
const pattern4 = new RegExp("^\\S(?:.*\\S)?$", "u");

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
if((((data.format === undefined) || (!(func0.call(data, "format")))) && (missing0 = "format")) || (((data.owners === undefined) || (!(func0.call(data, "owners")))) && (missing0 = "owners"))){
validate20.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 of Object.keys(data)){
if(!((key0 === "format") || (key0 === "owners"))){
validate20.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.format !== undefined && func0.call(data, "format")){
const _errs2 = errors;
if("delegated-context.owners.v1" !== data.format){
validate20.errors = [{instancePath:instancePath+"/format",schemaPath:"#/properties/format/const",keyword:"const",params:{allowedValue: "delegated-context.owners.v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.owners !== undefined && func0.call(data, "owners")){
let data1 = data.owners;
const _errs3 = errors;
if(errors === _errs3){
if(Array.isArray(data1)){
if(data1.length > 10000){
validate20.errors = [{instancePath:instancePath+"/owners",schemaPath:"#/properties/owners/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
const _errs5 = errors;
const _errs6 = errors;
let valid2 = true;
const _errs7 = errors;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
let missing1;
if(((data2.operator === undefined) || (!(func0.call(data2, "operator")))) && (missing1 = "operator")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs7 === errors;
errors = _errs6;
if(vErrors !== null){
if(_errs6){
vErrors.length = _errs6;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs8 = errors;
if(errors === _errs8){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
let missing2;
if((((data2.user_id === undefined) || (!(func0.call(data2, "user_id")))) && (missing2 = "user_id")) || (((data2.operator === undefined) || (!(func0.call(data2, "operator")))) && (missing2 = "operator"))){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0,schemaPath:"#/properties/owners/items/then/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
const _errs10 = errors;
for(const key1 of Object.keys(data2)){
if(!((key1 === "user_id") || (key1 === "operator"))){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0,schemaPath:"#/properties/owners/items/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs10 === errors){
if(data2.user_id !== undefined && func0.call(data2, "user_id")){
let data3 = data2.user_id;
const _errs11 = errors;
if(errors === _errs11){
if(typeof data3 === "string"){
if(func68(data3) > 256){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/user_id",schemaPath:"#/properties/owners/items/then/properties/user_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func68(data3) < 1){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/user_id",schemaPath:"#/properties/owners/items/then/properties/user_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data3)){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/user_id",schemaPath:"#/properties/owners/items/then/properties/user_id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/user_id",schemaPath:"#/properties/owners/items/then/properties/user_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs11 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data2.operator !== undefined && func0.call(data2, "operator")){
const _errs13 = errors;
if(true !== data2.operator){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/operator",schemaPath:"#/properties/owners/items/then/properties/operator/const",keyword:"const",params:{allowedValue: true},message:"must be equal to constant"}];
return false;
}
var valid3 = _errs13 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/owners/" + i0,schemaPath:"#/properties/owners/items/then/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var _valid0 = _errs8 === errors;
valid2 = _valid0;
if(valid2){
var props0 = true;
}
ifClause0 = "then";
}
else {
const _errs14 = errors;
if(errors === _errs14){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
let missing3;
if((((((data2.user_id === undefined) || (!(func0.call(data2, "user_id")))) && (missing3 = "user_id")) || (((data2.channel === undefined) || (!(func0.call(data2, "channel")))) && (missing3 = "channel"))) || (((data2.account_id === undefined) || (!(func0.call(data2, "account_id")))) && (missing3 = "account_id"))) || (((data2.sender_id === undefined) || (!(func0.call(data2, "sender_id")))) && (missing3 = "sender_id"))){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0,schemaPath:"#/properties/owners/items/else/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'"}];
return false;
}
else {
const _errs16 = errors;
for(const key2 of Object.keys(data2)){
if(!((((key2 === "user_id") || (key2 === "channel")) || (key2 === "account_id")) || (key2 === "sender_id"))){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0,schemaPath:"#/properties/owners/items/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs16 === errors){
if(data2.user_id !== undefined && func0.call(data2, "user_id")){
let data5 = data2.user_id;
const _errs17 = errors;
if(errors === _errs17){
if(typeof data5 === "string"){
if(func68(data5) > 256){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/user_id",schemaPath:"#/properties/owners/items/else/properties/user_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func68(data5) < 1){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/user_id",schemaPath:"#/properties/owners/items/else/properties/user_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data5)){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/user_id",schemaPath:"#/properties/owners/items/else/properties/user_id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/user_id",schemaPath:"#/properties/owners/items/else/properties/user_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid4 = _errs17 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data2.channel !== undefined && func0.call(data2, "channel")){
let data6 = data2.channel;
const _errs19 = errors;
const _errs21 = errors;
const _errs22 = errors;
if("*" !== data6){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var valid5 = _errs22 === errors;
if(valid5){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/channel",schemaPath:"#/properties/owners/items/else/properties/channel/not",keyword:"not",params:{},message:"must NOT be valid"}];
return false;
}
else {
errors = _errs21;
if(vErrors !== null){
if(_errs21){
vErrors.length = _errs21;
}
else {
vErrors = null;
}
}
}
if(errors === _errs19){
if(typeof data6 === "string"){
if(func68(data6) > 256){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/channel",schemaPath:"#/properties/owners/items/else/properties/channel/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func68(data6) < 1){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/channel",schemaPath:"#/properties/owners/items/else/properties/channel/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data6)){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/channel",schemaPath:"#/properties/owners/items/else/properties/channel/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/channel",schemaPath:"#/properties/owners/items/else/properties/channel/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid4 = _errs19 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data2.account_id !== undefined && func0.call(data2, "account_id")){
let data7 = data2.account_id;
const _errs23 = errors;
if(errors === _errs23){
if(typeof data7 === "string"){
if(func68(data7) > 256){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/account_id",schemaPath:"#/properties/owners/items/else/properties/account_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func68(data7) < 1){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/account_id",schemaPath:"#/properties/owners/items/else/properties/account_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data7)){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/account_id",schemaPath:"#/properties/owners/items/else/properties/account_id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/account_id",schemaPath:"#/properties/owners/items/else/properties/account_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid4 = _errs23 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data2.sender_id !== undefined && func0.call(data2, "sender_id")){
let data8 = data2.sender_id;
const _errs25 = errors;
const _errs27 = errors;
const _errs28 = errors;
if("*" !== data8){
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var valid6 = _errs28 === errors;
if(valid6){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/sender_id",schemaPath:"#/properties/owners/items/else/properties/sender_id/not",keyword:"not",params:{},message:"must NOT be valid"}];
return false;
}
else {
errors = _errs27;
if(vErrors !== null){
if(_errs27){
vErrors.length = _errs27;
}
else {
vErrors = null;
}
}
}
if(errors === _errs25){
if(typeof data8 === "string"){
if(func68(data8) > 256){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/sender_id",schemaPath:"#/properties/owners/items/else/properties/sender_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func68(data8) < 1){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/sender_id",schemaPath:"#/properties/owners/items/else/properties/sender_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data8)){
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/sender_id",schemaPath:"#/properties/owners/items/else/properties/sender_id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/owners/" + i0+"/sender_id",schemaPath:"#/properties/owners/items/else/properties/sender_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid4 = _errs25 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/owners/" + i0,schemaPath:"#/properties/owners/items/else/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var _valid0 = _errs14 === errors;
valid2 = _valid0;
if(valid2){
if(props0 !== true){
props0 = true;
}
}
ifClause0 = "else";
}
if(!valid2){
const err3 = {instancePath:instancePath+"/owners/" + i0,schemaPath:"#/properties/owners/items/if",keyword:"if",params:{failingKeyword: ifClause0},message:"must match \""+ifClause0+"\" schema"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid1 = _errs5 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/owners",schemaPath:"#/properties/owners/type",keyword:"type",params:{type: "array"},message:"must be array"}];
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
