/**
 * The check of CONFIG_SCHEMA, as ajv compiles it.
 * Written by schemas/generate.ts: do not edit.
 *
 * Pure.
 */
// @ts-nocheck: ajv's code has no types; the export has one.
import { type ClosedCheck, codePointLength, FORMATS } from "../../core/closed-check.ts";

const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"delegated-context-config-v1.schema.json","title":"Delegated context: the plugin's config","type":"object","additionalProperties":false,"properties":{"stateDir":{"type":"string","minLength":2,"pattern":"^/"},"workspaces":{"type":"object","propertyNames":{"pattern":"^/"},"additionalProperties":{"type":"object","additionalProperties":false,"required":["enabled","workspaceId","agents","provider"],"properties":{"enabled":{"type":"boolean"},"workspaceId":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"},"agents":{"type":"array","minItems":1,"uniqueItems":true,"items":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"}},"authority":{"enum":["delegated","native"],"default":"delegated"},"provider":{"type":"string","minLength":3,"maxLength":513,"pattern":"^[A-Za-z0-9_.:-]+$"},"fallback":{"enum":["none","native"],"default":"none"},"groupChats":{"enum":["refuse","allow"],"default":"refuse"}}}},"limits":{"type":"object","additionalProperties":false,"properties":{"timeoutMs":{"type":"integer","minimum":100,"maximum":10000,"default":3000},"maxContextBytes":{"type":"integer","minimum":1,"maximum":262144,"default":262144},"maxLifetimeSeconds":{"type":"integer","minimum":1,"maximum":300,"default":300},"maxFutureSkewSeconds":{"type":"integer","minimum":0,"maximum":30,"default":30}}},"evidence":{"type":"object","additionalProperties":false,"properties":{"retentionDays":{"type":"integer","minimum":1,"maximum":3650,"default":90}}}}};
const func0 = Object.prototype.hasOwnProperty;
const func61 = codePointLength;
const pattern4 = new RegExp("^/", "u");
const pattern6 = new RegExp("^\\S(?:.*\\S)?$", "u");
const pattern8 = new RegExp("^[A-Za-z0-9_.:-]+$", "u");

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
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!((((key0 === "stateDir") || (key0 === "workspaces")) || (key0 === "limits")) || (key0 === "evidence"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.stateDir !== undefined && func0.call(data, "stateDir")){
let data0 = data.stateDir;
if(typeof data0 === "string"){
if(func61(data0) < 2){
const err1 = {instancePath:instancePath+"/stateDir",schemaPath:"#/properties/stateDir/minLength",keyword:"minLength",params:{limit: 2},message:"must NOT have fewer than 2 characters"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(!pattern4.test(data0)){
const err2 = {instancePath:instancePath+"/stateDir",schemaPath:"#/properties/stateDir/pattern",keyword:"pattern",params:{pattern: "^/"},message:"must match pattern \""+"^/"+"\""};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/stateDir",schemaPath:"#/properties/stateDir/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.workspaces !== undefined && func0.call(data, "workspaces")){
let data1 = data.workspaces;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key1 of Object.keys(data1)){
const _errs6 = errors;
if(typeof key1 === "string"){
if(!pattern4.test(key1)){
const err4 = {instancePath:instancePath+"/workspaces",schemaPath:"#/properties/workspaces/propertyNames/pattern",keyword:"pattern",params:{pattern: "^/"},message:"must match pattern \""+"^/"+"\"",propertyName:key1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
var valid1 = _errs6 === errors;
if(!valid1){
const err5 = {instancePath:instancePath+"/workspaces",schemaPath:"#/properties/workspaces/propertyNames",keyword:"propertyNames",params:{propertyName: key1},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
for(const key2 of Object.keys(data1)){
let data2 = data1[key2];
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if((data2.enabled === undefined) || (!(func0.call(data2, "enabled")))){
const err6 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/workspaces/additionalProperties/required",keyword:"required",params:{missingProperty: "enabled"},message:"must have required property '"+"enabled"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((data2.workspaceId === undefined) || (!(func0.call(data2, "workspaceId")))){
const err7 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/workspaces/additionalProperties/required",keyword:"required",params:{missingProperty: "workspaceId"},message:"must have required property '"+"workspaceId"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((data2.agents === undefined) || (!(func0.call(data2, "agents")))){
const err8 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/workspaces/additionalProperties/required",keyword:"required",params:{missingProperty: "agents"},message:"must have required property '"+"agents"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((data2.provider === undefined) || (!(func0.call(data2, "provider")))){
const err9 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/workspaces/additionalProperties/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
for(const key3 of Object.keys(data2)){
if(!(((((((key3 === "enabled") || (key3 === "workspaceId")) || (key3 === "agents")) || (key3 === "authority")) || (key3 === "provider")) || (key3 === "fallback")) || (key3 === "groupChats"))){
const err10 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/workspaces/additionalProperties/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data2.enabled !== undefined && func0.call(data2, "enabled")){
if(typeof data2.enabled !== "boolean"){
const err11 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/enabled",schemaPath:"#/properties/workspaces/additionalProperties/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data2.workspaceId !== undefined && func0.call(data2, "workspaceId")){
let data4 = data2.workspaceId;
if(typeof data4 === "string"){
if(func61(data4) > 256){
const err12 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/workspaceId",schemaPath:"#/properties/workspaces/additionalProperties/properties/workspaceId/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(func61(data4) < 1){
const err13 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/workspaceId",schemaPath:"#/properties/workspaces/additionalProperties/properties/workspaceId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(!pattern6.test(data4)){
const err14 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/workspaceId",schemaPath:"#/properties/workspaces/additionalProperties/properties/workspaceId/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/workspaceId",schemaPath:"#/properties/workspaces/additionalProperties/properties/workspaceId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data2.agents !== undefined && func0.call(data2, "agents")){
let data5 = data2.agents;
if(Array.isArray(data5)){
if(data5.length < 1){
const err16 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/agents",schemaPath:"#/properties/workspaces/additionalProperties/properties/agents/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
let data6 = data5[i0];
if(typeof data6 === "string"){
if(func61(data6) > 256){
const err17 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/agents/" + i0,schemaPath:"#/properties/workspaces/additionalProperties/properties/agents/items/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(func61(data6) < 1){
const err18 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/agents/" + i0,schemaPath:"#/properties/workspaces/additionalProperties/properties/agents/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(!pattern6.test(data6)){
const err19 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/agents/" + i0,schemaPath:"#/properties/workspaces/additionalProperties/properties/agents/items/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/agents/" + i0,schemaPath:"#/properties/workspaces/additionalProperties/properties/agents/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
let i1 = data5.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data5[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err21 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/agents",schemaPath:"#/properties/workspaces/additionalProperties/properties/agents/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i1+" are identical)"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
const err22 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/agents",schemaPath:"#/properties/workspaces/additionalProperties/properties/agents/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data2.authority !== undefined && func0.call(data2, "authority")){
let data7 = data2.authority;
if(!((data7 === "delegated") || (data7 === "native"))){
const err23 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/authority",schemaPath:"#/properties/workspaces/additionalProperties/properties/authority/enum",keyword:"enum",params:{allowedValues: schema31.properties.workspaces.additionalProperties.properties.authority.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data2.provider !== undefined && func0.call(data2, "provider")){
let data8 = data2.provider;
if(typeof data8 === "string"){
if(func61(data8) > 513){
const err24 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/provider",schemaPath:"#/properties/workspaces/additionalProperties/properties/provider/maxLength",keyword:"maxLength",params:{limit: 513},message:"must NOT have more than 513 characters"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(func61(data8) < 3){
const err25 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/provider",schemaPath:"#/properties/workspaces/additionalProperties/properties/provider/minLength",keyword:"minLength",params:{limit: 3},message:"must NOT have fewer than 3 characters"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(!pattern8.test(data8)){
const err26 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/provider",schemaPath:"#/properties/workspaces/additionalProperties/properties/provider/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_.:-]+$"},message:"must match pattern \""+"^[A-Za-z0-9_.:-]+$"+"\""};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/provider",schemaPath:"#/properties/workspaces/additionalProperties/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data2.fallback !== undefined && func0.call(data2, "fallback")){
let data9 = data2.fallback;
if(!((data9 === "none") || (data9 === "native"))){
const err28 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/fallback",schemaPath:"#/properties/workspaces/additionalProperties/properties/fallback/enum",keyword:"enum",params:{allowedValues: schema31.properties.workspaces.additionalProperties.properties.fallback.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data2.groupChats !== undefined && func0.call(data2, "groupChats")){
let data10 = data2.groupChats;
if(!((data10 === "refuse") || (data10 === "allow"))){
const err29 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/groupChats",schemaPath:"#/properties/workspaces/additionalProperties/properties/groupChats/enum",keyword:"enum",params:{allowedValues: schema31.properties.workspaces.additionalProperties.properties.groupChats.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
}
else {
const err30 = {instancePath:instancePath+"/workspaces/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/workspaces/additionalProperties/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
else {
const err31 = {instancePath:instancePath+"/workspaces",schemaPath:"#/properties/workspaces/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data.limits !== undefined && func0.call(data, "limits")){
let data11 = data.limits;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
for(const key4 of Object.keys(data11)){
if(!((((key4 === "timeoutMs") || (key4 === "maxContextBytes")) || (key4 === "maxLifetimeSeconds")) || (key4 === "maxFutureSkewSeconds"))){
const err32 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data11.timeoutMs !== undefined && func0.call(data11, "timeoutMs")){
let data12 = data11.timeoutMs;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
const err33 = {instancePath:instancePath+"/limits/timeoutMs",schemaPath:"#/properties/limits/properties/timeoutMs/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 10000 || isNaN(data12)){
const err34 = {instancePath:instancePath+"/limits/timeoutMs",schemaPath:"#/properties/limits/properties/timeoutMs/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000},message:"must be <= 10000"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if(data12 < 100 || isNaN(data12)){
const err35 = {instancePath:instancePath+"/limits/timeoutMs",schemaPath:"#/properties/limits/properties/timeoutMs/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100},message:"must be >= 100"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
}
if(data11.maxContextBytes !== undefined && func0.call(data11, "maxContextBytes")){
let data13 = data11.maxContextBytes;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
const err36 = {instancePath:instancePath+"/limits/maxContextBytes",schemaPath:"#/properties/limits/properties/maxContextBytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 262144 || isNaN(data13)){
const err37 = {instancePath:instancePath+"/limits/maxContextBytes",schemaPath:"#/properties/limits/properties/maxContextBytes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 262144},message:"must be <= 262144"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(data13 < 1 || isNaN(data13)){
const err38 = {instancePath:instancePath+"/limits/maxContextBytes",schemaPath:"#/properties/limits/properties/maxContextBytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
}
if(data11.maxLifetimeSeconds !== undefined && func0.call(data11, "maxLifetimeSeconds")){
let data14 = data11.maxLifetimeSeconds;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
const err39 = {instancePath:instancePath+"/limits/maxLifetimeSeconds",schemaPath:"#/properties/limits/properties/maxLifetimeSeconds/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 300 || isNaN(data14)){
const err40 = {instancePath:instancePath+"/limits/maxLifetimeSeconds",schemaPath:"#/properties/limits/properties/maxLifetimeSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 300},message:"must be <= 300"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if(data14 < 1 || isNaN(data14)){
const err41 = {instancePath:instancePath+"/limits/maxLifetimeSeconds",schemaPath:"#/properties/limits/properties/maxLifetimeSeconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
}
if(data11.maxFutureSkewSeconds !== undefined && func0.call(data11, "maxFutureSkewSeconds")){
let data15 = data11.maxFutureSkewSeconds;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
const err42 = {instancePath:instancePath+"/limits/maxFutureSkewSeconds",schemaPath:"#/properties/limits/properties/maxFutureSkewSeconds/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 30 || isNaN(data15)){
const err43 = {instancePath:instancePath+"/limits/maxFutureSkewSeconds",schemaPath:"#/properties/limits/properties/maxFutureSkewSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 30},message:"must be <= 30"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if(data15 < 0 || isNaN(data15)){
const err44 = {instancePath:instancePath+"/limits/maxFutureSkewSeconds",schemaPath:"#/properties/limits/properties/maxFutureSkewSeconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
}
}
else {
const err45 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
if(data.evidence !== undefined && func0.call(data, "evidence")){
let data16 = data.evidence;
if(data16 && typeof data16 == "object" && !Array.isArray(data16)){
for(const key5 of Object.keys(data16)){
if(!(key5 === "retentionDays")){
const err46 = {instancePath:instancePath+"/evidence",schemaPath:"#/properties/evidence/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data16.retentionDays !== undefined && func0.call(data16, "retentionDays")){
let data17 = data16.retentionDays;
if(!(((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17))) && (isFinite(data17)))){
const err47 = {instancePath:instancePath+"/evidence/retentionDays",schemaPath:"#/properties/evidence/properties/retentionDays/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 > 3650 || isNaN(data17)){
const err48 = {instancePath:instancePath+"/evidence/retentionDays",schemaPath:"#/properties/evidence/properties/retentionDays/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3650},message:"must be <= 3650"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if(data17 < 1 || isNaN(data17)){
const err49 = {instancePath:instancePath+"/evidence/retentionDays",schemaPath:"#/properties/evidence/properties/retentionDays/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
}
}
else {
const err50 = {instancePath:instancePath+"/evidence",schemaPath:"#/properties/evidence/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
}
else {
const err51 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check: ClosedCheck = validate20;
