/**
 * The check of RESULT_SHAPE_SCHEMA, as ajv compiles it.
 * Written by schemas/generate.ts: do not edit.
 *
 * Pure.
 */
// @ts-nocheck: ajv's code has no types; the export has one.
import { type ClosedCheck, codePointLength, FORMATS } from "../closed-check.ts";

const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"delegated-context-provider-v1.schema.json","title":"Delegated context: a provider's signed result","type":"object","additionalProperties":false,"required":["contract_id","provider","binding","decision","context","receipt","created_at","expires_at","nonce","idempotency_key","source_refs","withhold_reason","signature"],"properties":{"contract_id":{"const":"atmem.delegated-context-provider.v1"},"provider":{"type":"object","additionalProperties":false,"required":["id","version","instance_id"],"properties":{"id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"},"version":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"},"instance_id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"}}},"binding":{"type":"object","additionalProperties":false,"required":["run_id","turn_id","session_id","agent_id","user_id","workspace_id"],"properties":{"run_id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"},"turn_id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"},"session_id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"},"agent_id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"},"user_id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"},"workspace_id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"}}},"decision":{"enum":["inject","withhold"]},"context":{"oneOf":[{"type":"null"},{"type":"object","additionalProperties":false,"required":["encoding","media_type","bytes_base64","byte_length","sha256"],"properties":{"encoding":{"const":"base64"},"media_type":{"const":"text/plain; charset=utf-8"},"bytes_base64":{},"byte_length":{"type":"integer","minimum":1,"maximum":262144},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"}}}]},"receipt":{"type":"object","additionalProperties":false,"required":["id","contract_id","sha256"],"properties":{"id":{"type":"string","minLength":1,"maxLength":512,"pattern":"^\\S(?:.*\\S)?$"},"contract_id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"}}},"created_at":{"type":"string","format":"date-time","pattern":"Z$"},"expires_at":{"type":"string","format":"date-time","pattern":"Z$"},"nonce":{"type":"string","pattern":"^[A-Za-z0-9_-]{22,128}$"},"idempotency_key":{"type":"string","pattern":"^dcp-[0-9a-f]{64}$"},"source_refs":{"type":"array","maxItems":32,"uniqueItems":true,"items":{"type":"string","minLength":1,"maxLength":512,"pattern":"^\\S(?:.*\\S)?$"}},"withhold_reason":{"oneOf":[{"type":"null"},{"type":"object","additionalProperties":false,"required":["code","retryable"],"properties":{"code":{"type":"string","pattern":"^[A-Z][A-Z0-9_]{2,63}$"},"retryable":{"type":"boolean"}}}]},"signature":{"type":"object","additionalProperties":false,"required":["algorithm","profile","key_id","signed_payload_sha256","value_base64"],"properties":{"algorithm":{"const":"ed25519"},"profile":{"const":"ed25519-jcs-subset-v1"},"key_id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^\\S(?:.*\\S)?$"},"signed_payload_sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},"value_base64":{}}}},"if":{"properties":{"decision":{"const":"inject"}}},"then":{"properties":{"context":{"type":"object"},"withhold_reason":{"type":"null"}}},"else":{"properties":{"context":{"type":"null"},"withhold_reason":{"type":"object"}}}};
const func0 = Object.prototype.hasOwnProperty;
const func85 = codePointLength;
const pattern4 = new RegExp("^\\S(?:.*\\S)?$", "u");
const pattern13 = new RegExp("^[0-9a-f]{64}$", "u");
const pattern17 = new RegExp("Z$", "u");
const pattern19 = new RegExp("^[A-Za-z0-9_-]{22,128}$", "u");
const pattern20 = new RegExp("^dcp-[0-9a-f]{64}$", "u");
const pattern22 = new RegExp("^[A-Z][A-Z0-9_]{2,63}$", "u");
const formats0 = FORMATS["date-time"];

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
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.decision !== undefined && func0.call(data, "decision")){
if("inject" !== data.decision){
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
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.context !== undefined && func0.call(data, "context")){
let data1 = data.context;
const _errs5 = errors;
if(!(data1 && typeof data1 == "object" && !Array.isArray(data1))){
validate20.errors = [{instancePath:instancePath+"/context",schemaPath:"#/then/properties/context/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data.withhold_reason !== undefined && func0.call(data, "withhold_reason")){
const _errs7 = errors;
if(data.withhold_reason !== null){
validate20.errors = [{instancePath:instancePath+"/withhold_reason",schemaPath:"#/then/properties/withhold_reason/type",keyword:"type",params:{type: "null"},message:"must be null"}];
return false;
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
if(valid0){
var props0 = {};
props0.context = true;
props0.withhold_reason = true;
props0.decision = true;
}
ifClause0 = "then";
}
else {
const _errs9 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.context !== undefined && func0.call(data, "context")){
const _errs10 = errors;
if(data.context !== null){
validate20.errors = [{instancePath:instancePath+"/context",schemaPath:"#/else/properties/context/type",keyword:"type",params:{type: "null"},message:"must be null"}];
return false;
}
var valid3 = _errs10 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data.withhold_reason !== undefined && func0.call(data, "withhold_reason")){
let data4 = data.withhold_reason;
const _errs12 = errors;
if(!(data4 && typeof data4 == "object" && !Array.isArray(data4))){
validate20.errors = [{instancePath:instancePath+"/withhold_reason",schemaPath:"#/else/properties/withhold_reason/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
var valid3 = _errs12 === errors;
}
else {
var valid3 = true;
}
}
}
var _valid0 = _errs9 === errors;
valid0 = _valid0;
if(valid0){
if(props0 !== true){
props0 = props0 || {};
props0.context = true;
props0.withhold_reason = true;
}
}
ifClause0 = "else";
}
if(!valid0){
const err1 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: ifClause0},message:"must match \""+ifClause0+"\" schema"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate20.errors = vErrors;
return false;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((((((data.contract_id === undefined) || (!(func0.call(data, "contract_id")))) && (missing0 = "contract_id")) || (((data.provider === undefined) || (!(func0.call(data, "provider")))) && (missing0 = "provider"))) || (((data.binding === undefined) || (!(func0.call(data, "binding")))) && (missing0 = "binding"))) || (((data.decision === undefined) || (!(func0.call(data, "decision")))) && (missing0 = "decision"))) || (((data.context === undefined) || (!(func0.call(data, "context")))) && (missing0 = "context"))) || (((data.receipt === undefined) || (!(func0.call(data, "receipt")))) && (missing0 = "receipt"))) || (((data.created_at === undefined) || (!(func0.call(data, "created_at")))) && (missing0 = "created_at"))) || (((data.expires_at === undefined) || (!(func0.call(data, "expires_at")))) && (missing0 = "expires_at"))) || (((data.nonce === undefined) || (!(func0.call(data, "nonce")))) && (missing0 = "nonce"))) || (((data.idempotency_key === undefined) || (!(func0.call(data, "idempotency_key")))) && (missing0 = "idempotency_key"))) || (((data.source_refs === undefined) || (!(func0.call(data, "source_refs")))) && (missing0 = "source_refs"))) || (((data.withhold_reason === undefined) || (!(func0.call(data, "withhold_reason")))) && (missing0 = "withhold_reason"))) || (((data.signature === undefined) || (!(func0.call(data, "signature")))) && (missing0 = "signature"))){
validate20.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs14 = errors;
for(const key0 of Object.keys(data)){
if(!(func0.call(schema31.properties, key0))){
validate20.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs14 === errors){
if(data.contract_id !== undefined && func0.call(data, "contract_id")){
const _errs15 = errors;
if("atmem.delegated-context-provider.v1" !== data.contract_id){
validate20.errors = [{instancePath:instancePath+"/contract_id",schemaPath:"#/properties/contract_id/const",keyword:"const",params:{allowedValue: "atmem.delegated-context-provider.v1"},message:"must be equal to constant"}];
return false;
}
var valid4 = _errs15 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.provider !== undefined && func0.call(data, "provider")){
let data6 = data.provider;
const _errs16 = errors;
if(errors === _errs16){
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
let missing1;
if(((((data6.id === undefined) || (!(func0.call(data6, "id")))) && (missing1 = "id")) || (((data6.version === undefined) || (!(func0.call(data6, "version")))) && (missing1 = "version"))) || (((data6.instance_id === undefined) || (!(func0.call(data6, "instance_id")))) && (missing1 = "instance_id"))){
validate20.errors = [{instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs18 = errors;
for(const key1 of Object.keys(data6)){
if(!(((key1 === "id") || (key1 === "version")) || (key1 === "instance_id"))){
validate20.errors = [{instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs18 === errors){
if(data6.id !== undefined && func0.call(data6, "id")){
let data7 = data6.id;
const _errs19 = errors;
if(errors === _errs19){
if(typeof data7 === "string"){
if(func85(data7) > 256){
validate20.errors = [{instancePath:instancePath+"/provider/id",schemaPath:"#/properties/provider/properties/id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func85(data7) < 1){
validate20.errors = [{instancePath:instancePath+"/provider/id",schemaPath:"#/properties/provider/properties/id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data7)){
validate20.errors = [{instancePath:instancePath+"/provider/id",schemaPath:"#/properties/provider/properties/id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/provider/id",schemaPath:"#/properties/provider/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid5 = _errs19 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data6.version !== undefined && func0.call(data6, "version")){
let data8 = data6.version;
const _errs21 = errors;
if(errors === _errs21){
if(typeof data8 === "string"){
if(func85(data8) > 256){
validate20.errors = [{instancePath:instancePath+"/provider/version",schemaPath:"#/properties/provider/properties/version/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func85(data8) < 1){
validate20.errors = [{instancePath:instancePath+"/provider/version",schemaPath:"#/properties/provider/properties/version/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data8)){
validate20.errors = [{instancePath:instancePath+"/provider/version",schemaPath:"#/properties/provider/properties/version/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/provider/version",schemaPath:"#/properties/provider/properties/version/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid5 = _errs21 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data6.instance_id !== undefined && func0.call(data6, "instance_id")){
let data9 = data6.instance_id;
const _errs23 = errors;
if(errors === _errs23){
if(typeof data9 === "string"){
if(func85(data9) > 256){
validate20.errors = [{instancePath:instancePath+"/provider/instance_id",schemaPath:"#/properties/provider/properties/instance_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func85(data9) < 1){
validate20.errors = [{instancePath:instancePath+"/provider/instance_id",schemaPath:"#/properties/provider/properties/instance_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data9)){
validate20.errors = [{instancePath:instancePath+"/provider/instance_id",schemaPath:"#/properties/provider/properties/instance_id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/provider/instance_id",schemaPath:"#/properties/provider/properties/instance_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid5 = _errs23 === errors;
}
else {
var valid5 = true;
}
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid4 = _errs16 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.binding !== undefined && func0.call(data, "binding")){
let data10 = data.binding;
const _errs25 = errors;
if(errors === _errs25){
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
let missing2;
if((((((((data10.run_id === undefined) || (!(func0.call(data10, "run_id")))) && (missing2 = "run_id")) || (((data10.turn_id === undefined) || (!(func0.call(data10, "turn_id")))) && (missing2 = "turn_id"))) || (((data10.session_id === undefined) || (!(func0.call(data10, "session_id")))) && (missing2 = "session_id"))) || (((data10.agent_id === undefined) || (!(func0.call(data10, "agent_id")))) && (missing2 = "agent_id"))) || (((data10.user_id === undefined) || (!(func0.call(data10, "user_id")))) && (missing2 = "user_id"))) || (((data10.workspace_id === undefined) || (!(func0.call(data10, "workspace_id")))) && (missing2 = "workspace_id"))){
validate20.errors = [{instancePath:instancePath+"/binding",schemaPath:"#/properties/binding/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
const _errs27 = errors;
for(const key2 of Object.keys(data10)){
if(!((((((key2 === "run_id") || (key2 === "turn_id")) || (key2 === "session_id")) || (key2 === "agent_id")) || (key2 === "user_id")) || (key2 === "workspace_id"))){
validate20.errors = [{instancePath:instancePath+"/binding",schemaPath:"#/properties/binding/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs27 === errors){
if(data10.run_id !== undefined && func0.call(data10, "run_id")){
let data11 = data10.run_id;
const _errs28 = errors;
if(errors === _errs28){
if(typeof data11 === "string"){
if(func85(data11) > 256){
validate20.errors = [{instancePath:instancePath+"/binding/run_id",schemaPath:"#/properties/binding/properties/run_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func85(data11) < 1){
validate20.errors = [{instancePath:instancePath+"/binding/run_id",schemaPath:"#/properties/binding/properties/run_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data11)){
validate20.errors = [{instancePath:instancePath+"/binding/run_id",schemaPath:"#/properties/binding/properties/run_id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/binding/run_id",schemaPath:"#/properties/binding/properties/run_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid6 = _errs28 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data10.turn_id !== undefined && func0.call(data10, "turn_id")){
let data12 = data10.turn_id;
const _errs30 = errors;
if(errors === _errs30){
if(typeof data12 === "string"){
if(func85(data12) > 256){
validate20.errors = [{instancePath:instancePath+"/binding/turn_id",schemaPath:"#/properties/binding/properties/turn_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func85(data12) < 1){
validate20.errors = [{instancePath:instancePath+"/binding/turn_id",schemaPath:"#/properties/binding/properties/turn_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data12)){
validate20.errors = [{instancePath:instancePath+"/binding/turn_id",schemaPath:"#/properties/binding/properties/turn_id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/binding/turn_id",schemaPath:"#/properties/binding/properties/turn_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid6 = _errs30 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data10.session_id !== undefined && func0.call(data10, "session_id")){
let data13 = data10.session_id;
const _errs32 = errors;
if(errors === _errs32){
if(typeof data13 === "string"){
if(func85(data13) > 256){
validate20.errors = [{instancePath:instancePath+"/binding/session_id",schemaPath:"#/properties/binding/properties/session_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func85(data13) < 1){
validate20.errors = [{instancePath:instancePath+"/binding/session_id",schemaPath:"#/properties/binding/properties/session_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data13)){
validate20.errors = [{instancePath:instancePath+"/binding/session_id",schemaPath:"#/properties/binding/properties/session_id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/binding/session_id",schemaPath:"#/properties/binding/properties/session_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid6 = _errs32 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data10.agent_id !== undefined && func0.call(data10, "agent_id")){
let data14 = data10.agent_id;
const _errs34 = errors;
if(errors === _errs34){
if(typeof data14 === "string"){
if(func85(data14) > 256){
validate20.errors = [{instancePath:instancePath+"/binding/agent_id",schemaPath:"#/properties/binding/properties/agent_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func85(data14) < 1){
validate20.errors = [{instancePath:instancePath+"/binding/agent_id",schemaPath:"#/properties/binding/properties/agent_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data14)){
validate20.errors = [{instancePath:instancePath+"/binding/agent_id",schemaPath:"#/properties/binding/properties/agent_id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/binding/agent_id",schemaPath:"#/properties/binding/properties/agent_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid6 = _errs34 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data10.user_id !== undefined && func0.call(data10, "user_id")){
let data15 = data10.user_id;
const _errs36 = errors;
if(errors === _errs36){
if(typeof data15 === "string"){
if(func85(data15) > 256){
validate20.errors = [{instancePath:instancePath+"/binding/user_id",schemaPath:"#/properties/binding/properties/user_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func85(data15) < 1){
validate20.errors = [{instancePath:instancePath+"/binding/user_id",schemaPath:"#/properties/binding/properties/user_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data15)){
validate20.errors = [{instancePath:instancePath+"/binding/user_id",schemaPath:"#/properties/binding/properties/user_id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/binding/user_id",schemaPath:"#/properties/binding/properties/user_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid6 = _errs36 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data10.workspace_id !== undefined && func0.call(data10, "workspace_id")){
let data16 = data10.workspace_id;
const _errs38 = errors;
if(errors === _errs38){
if(typeof data16 === "string"){
if(func85(data16) > 256){
validate20.errors = [{instancePath:instancePath+"/binding/workspace_id",schemaPath:"#/properties/binding/properties/workspace_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func85(data16) < 1){
validate20.errors = [{instancePath:instancePath+"/binding/workspace_id",schemaPath:"#/properties/binding/properties/workspace_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data16)){
validate20.errors = [{instancePath:instancePath+"/binding/workspace_id",schemaPath:"#/properties/binding/properties/workspace_id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/binding/workspace_id",schemaPath:"#/properties/binding/properties/workspace_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid6 = _errs38 === errors;
}
else {
var valid6 = true;
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
validate20.errors = [{instancePath:instancePath+"/binding",schemaPath:"#/properties/binding/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid4 = _errs25 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.decision !== undefined && func0.call(data, "decision")){
let data17 = data.decision;
const _errs40 = errors;
if(!((data17 === "inject") || (data17 === "withhold"))){
validate20.errors = [{instancePath:instancePath+"/decision",schemaPath:"#/properties/decision/enum",keyword:"enum",params:{allowedValues: schema31.properties.decision.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid4 = _errs40 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.context !== undefined && func0.call(data, "context")){
let data18 = data.context;
const _errs41 = errors;
const _errs42 = errors;
let valid7 = false;
let passing0 = null;
const _errs43 = errors;
if(data18 !== null){
const err2 = {instancePath:instancePath+"/context",schemaPath:"#/properties/context/oneOf/0/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs43 === errors;
if(_valid1){
valid7 = true;
passing0 = 0;
}
const _errs45 = errors;
if(errors === _errs45){
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
let missing3;
if(((((((data18.encoding === undefined) || (!(func0.call(data18, "encoding")))) && (missing3 = "encoding")) || (((data18.media_type === undefined) || (!(func0.call(data18, "media_type")))) && (missing3 = "media_type"))) || (((data18.bytes_base64 === undefined) || (!(func0.call(data18, "bytes_base64")))) && (missing3 = "bytes_base64"))) || (((data18.byte_length === undefined) || (!(func0.call(data18, "byte_length")))) && (missing3 = "byte_length"))) || (((data18.sha256 === undefined) || (!(func0.call(data18, "sha256")))) && (missing3 = "sha256"))){
const err3 = {instancePath:instancePath+"/context",schemaPath:"#/properties/context/oneOf/1/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
else {
const _errs47 = errors;
for(const key3 of Object.keys(data18)){
if(!(((((key3 === "encoding") || (key3 === "media_type")) || (key3 === "bytes_base64")) || (key3 === "byte_length")) || (key3 === "sha256"))){
const err4 = {instancePath:instancePath+"/context",schemaPath:"#/properties/context/oneOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
break;
}
}
if(_errs47 === errors){
if(data18.encoding !== undefined && func0.call(data18, "encoding")){
const _errs48 = errors;
if("base64" !== data18.encoding){
const err5 = {instancePath:instancePath+"/context/encoding",schemaPath:"#/properties/context/oneOf/1/properties/encoding/const",keyword:"const",params:{allowedValue: "base64"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
var valid8 = _errs48 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data18.media_type !== undefined && func0.call(data18, "media_type")){
const _errs49 = errors;
if("text/plain; charset=utf-8" !== data18.media_type){
const err6 = {instancePath:instancePath+"/context/media_type",schemaPath:"#/properties/context/oneOf/1/properties/media_type/const",keyword:"const",params:{allowedValue: "text/plain; charset=utf-8"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var valid8 = _errs49 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data18.byte_length !== undefined && func0.call(data18, "byte_length")){
let data21 = data18.byte_length;
const _errs50 = errors;
if(!(((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21))) && (isFinite(data21)))){
const err7 = {instancePath:instancePath+"/context/byte_length",schemaPath:"#/properties/context/oneOf/1/properties/byte_length/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(errors === _errs50){
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 > 262144 || isNaN(data21)){
const err8 = {instancePath:instancePath+"/context/byte_length",schemaPath:"#/properties/context/oneOf/1/properties/byte_length/maximum",keyword:"maximum",params:{comparison: "<=", limit: 262144},message:"must be <= 262144"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
else {
if(data21 < 1 || isNaN(data21)){
const err9 = {instancePath:instancePath+"/context/byte_length",schemaPath:"#/properties/context/oneOf/1/properties/byte_length/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
}
var valid8 = _errs50 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data18.sha256 !== undefined && func0.call(data18, "sha256")){
let data22 = data18.sha256;
const _errs52 = errors;
if(errors === _errs52){
if(typeof data22 === "string"){
if(!pattern13.test(data22)){
const err10 = {instancePath:instancePath+"/context/sha256",schemaPath:"#/properties/context/oneOf/1/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/context/sha256",schemaPath:"#/properties/context/oneOf/1/properties/sha256/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
var valid8 = _errs52 === errors;
}
else {
var valid8 = true;
}
}
}
}
}
}
}
else {
const err12 = {instancePath:instancePath+"/context",schemaPath:"#/properties/context/oneOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
var _valid1 = _errs45 === errors;
if(_valid1 && valid7){
valid7 = false;
passing0 = [passing0, 1];
}
else {
if(_valid1){
valid7 = true;
passing0 = 1;
}
}
if(!valid7){
const err13 = {instancePath:instancePath+"/context",schemaPath:"#/properties/context/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
validate20.errors = vErrors;
return false;
}
else {
errors = _errs42;
if(vErrors !== null){
if(_errs42){
vErrors.length = _errs42;
}
else {
vErrors = null;
}
}
}
var valid4 = _errs41 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.receipt !== undefined && func0.call(data, "receipt")){
let data23 = data.receipt;
const _errs54 = errors;
if(errors === _errs54){
if(data23 && typeof data23 == "object" && !Array.isArray(data23)){
let missing4;
if(((((data23.id === undefined) || (!(func0.call(data23, "id")))) && (missing4 = "id")) || (((data23.contract_id === undefined) || (!(func0.call(data23, "contract_id")))) && (missing4 = "contract_id"))) || (((data23.sha256 === undefined) || (!(func0.call(data23, "sha256")))) && (missing4 = "sha256"))){
validate20.errors = [{instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/required",keyword:"required",params:{missingProperty: missing4},message:"must have required property '"+missing4+"'"}];
return false;
}
else {
const _errs56 = errors;
for(const key4 of Object.keys(data23)){
if(!(((key4 === "id") || (key4 === "contract_id")) || (key4 === "sha256"))){
validate20.errors = [{instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs56 === errors){
if(data23.id !== undefined && func0.call(data23, "id")){
let data24 = data23.id;
const _errs57 = errors;
if(errors === _errs57){
if(typeof data24 === "string"){
if(func85(data24) > 512){
validate20.errors = [{instancePath:instancePath+"/receipt/id",schemaPath:"#/properties/receipt/properties/id/maxLength",keyword:"maxLength",params:{limit: 512},message:"must NOT have more than 512 characters"}];
return false;
}
else {
if(func85(data24) < 1){
validate20.errors = [{instancePath:instancePath+"/receipt/id",schemaPath:"#/properties/receipt/properties/id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data24)){
validate20.errors = [{instancePath:instancePath+"/receipt/id",schemaPath:"#/properties/receipt/properties/id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/receipt/id",schemaPath:"#/properties/receipt/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid9 = _errs57 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data23.contract_id !== undefined && func0.call(data23, "contract_id")){
let data25 = data23.contract_id;
const _errs59 = errors;
if(errors === _errs59){
if(typeof data25 === "string"){
if(func85(data25) > 256){
validate20.errors = [{instancePath:instancePath+"/receipt/contract_id",schemaPath:"#/properties/receipt/properties/contract_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func85(data25) < 1){
validate20.errors = [{instancePath:instancePath+"/receipt/contract_id",schemaPath:"#/properties/receipt/properties/contract_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data25)){
validate20.errors = [{instancePath:instancePath+"/receipt/contract_id",schemaPath:"#/properties/receipt/properties/contract_id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/receipt/contract_id",schemaPath:"#/properties/receipt/properties/contract_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid9 = _errs59 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data23.sha256 !== undefined && func0.call(data23, "sha256")){
let data26 = data23.sha256;
const _errs61 = errors;
if(errors === _errs61){
if(typeof data26 === "string"){
if(!pattern13.test(data26)){
validate20.errors = [{instancePath:instancePath+"/receipt/sha256",schemaPath:"#/properties/receipt/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/receipt/sha256",schemaPath:"#/properties/receipt/properties/sha256/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid9 = _errs61 === errors;
}
else {
var valid9 = true;
}
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid4 = _errs54 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.created_at !== undefined && func0.call(data, "created_at")){
let data27 = data.created_at;
const _errs63 = errors;
if(errors === _errs63){
if(errors === _errs63){
if(typeof data27 === "string"){
if(!pattern17.test(data27)){
validate20.errors = [{instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/pattern",keyword:"pattern",params:{pattern: "Z$"},message:"must match pattern \""+"Z$"+"\""}];
return false;
}
else {
if(!(formats0(data27))){
validate20.errors = [{instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid4 = _errs63 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.expires_at !== undefined && func0.call(data, "expires_at")){
let data28 = data.expires_at;
const _errs65 = errors;
if(errors === _errs65){
if(errors === _errs65){
if(typeof data28 === "string"){
if(!pattern17.test(data28)){
validate20.errors = [{instancePath:instancePath+"/expires_at",schemaPath:"#/properties/expires_at/pattern",keyword:"pattern",params:{pattern: "Z$"},message:"must match pattern \""+"Z$"+"\""}];
return false;
}
else {
if(!(formats0(data28))){
validate20.errors = [{instancePath:instancePath+"/expires_at",schemaPath:"#/properties/expires_at/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/expires_at",schemaPath:"#/properties/expires_at/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid4 = _errs65 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.nonce !== undefined && func0.call(data, "nonce")){
let data29 = data.nonce;
const _errs67 = errors;
if(errors === _errs67){
if(typeof data29 === "string"){
if(!pattern19.test(data29)){
validate20.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{22,128}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{22,128}$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid4 = _errs67 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.idempotency_key !== undefined && func0.call(data, "idempotency_key")){
let data30 = data.idempotency_key;
const _errs69 = errors;
if(errors === _errs69){
if(typeof data30 === "string"){
if(!pattern20.test(data30)){
validate20.errors = [{instancePath:instancePath+"/idempotency_key",schemaPath:"#/properties/idempotency_key/pattern",keyword:"pattern",params:{pattern: "^dcp-[0-9a-f]{64}$"},message:"must match pattern \""+"^dcp-[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/idempotency_key",schemaPath:"#/properties/idempotency_key/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid4 = _errs69 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.source_refs !== undefined && func0.call(data, "source_refs")){
let data31 = data.source_refs;
const _errs71 = errors;
if(errors === _errs71){
if(Array.isArray(data31)){
if(data31.length > 32){
validate20.errors = [{instancePath:instancePath+"/source_refs",schemaPath:"#/properties/source_refs/maxItems",keyword:"maxItems",params:{limit: 32},message:"must NOT have more than 32 items"}];
return false;
}
else {
var valid10 = true;
const len0 = data31.length;
for(let i0=0; i0<len0; i0++){
let data32 = data31[i0];
const _errs73 = errors;
if(errors === _errs73){
if(typeof data32 === "string"){
if(func85(data32) > 512){
validate20.errors = [{instancePath:instancePath+"/source_refs/" + i0,schemaPath:"#/properties/source_refs/items/maxLength",keyword:"maxLength",params:{limit: 512},message:"must NOT have more than 512 characters"}];
return false;
}
else {
if(func85(data32) < 1){
validate20.errors = [{instancePath:instancePath+"/source_refs/" + i0,schemaPath:"#/properties/source_refs/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data32)){
validate20.errors = [{instancePath:instancePath+"/source_refs/" + i0,schemaPath:"#/properties/source_refs/items/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/source_refs/" + i0,schemaPath:"#/properties/source_refs/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid10 = _errs73 === errors;
if(!valid10){
break;
}
}
if(valid10){
let i1 = data31.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data31[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
validate20.errors = [{instancePath:instancePath+"/source_refs",schemaPath:"#/properties/source_refs/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i1+" are identical)"}];
return false;
break;
}
indices0[item0] = i1;
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/source_refs",schemaPath:"#/properties/source_refs/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid4 = _errs71 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.withhold_reason !== undefined && func0.call(data, "withhold_reason")){
let data33 = data.withhold_reason;
const _errs75 = errors;
const _errs76 = errors;
let valid12 = false;
let passing1 = null;
const _errs77 = errors;
if(data33 !== null){
const err14 = {instancePath:instancePath+"/withhold_reason",schemaPath:"#/properties/withhold_reason/oneOf/0/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
var _valid2 = _errs77 === errors;
if(_valid2){
valid12 = true;
passing1 = 0;
}
const _errs79 = errors;
if(errors === _errs79){
if(data33 && typeof data33 == "object" && !Array.isArray(data33)){
let missing5;
if((((data33.code === undefined) || (!(func0.call(data33, "code")))) && (missing5 = "code")) || (((data33.retryable === undefined) || (!(func0.call(data33, "retryable")))) && (missing5 = "retryable"))){
const err15 = {instancePath:instancePath+"/withhold_reason",schemaPath:"#/properties/withhold_reason/oneOf/1/required",keyword:"required",params:{missingProperty: missing5},message:"must have required property '"+missing5+"'"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
else {
const _errs81 = errors;
for(const key5 of Object.keys(data33)){
if(!((key5 === "code") || (key5 === "retryable"))){
const err16 = {instancePath:instancePath+"/withhold_reason",schemaPath:"#/properties/withhold_reason/oneOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
break;
}
}
if(_errs81 === errors){
if(data33.code !== undefined && func0.call(data33, "code")){
let data34 = data33.code;
const _errs82 = errors;
if(errors === _errs82){
if(typeof data34 === "string"){
if(!pattern22.test(data34)){
const err17 = {instancePath:instancePath+"/withhold_reason/code",schemaPath:"#/properties/withhold_reason/oneOf/1/properties/code/pattern",keyword:"pattern",params:{pattern: "^[A-Z][A-Z0-9_]{2,63}$"},message:"must match pattern \""+"^[A-Z][A-Z0-9_]{2,63}$"+"\""};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/withhold_reason/code",schemaPath:"#/properties/withhold_reason/oneOf/1/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
var valid13 = _errs82 === errors;
}
else {
var valid13 = true;
}
if(valid13){
if(data33.retryable !== undefined && func0.call(data33, "retryable")){
const _errs84 = errors;
if(typeof data33.retryable !== "boolean"){
const err19 = {instancePath:instancePath+"/withhold_reason/retryable",schemaPath:"#/properties/withhold_reason/oneOf/1/properties/retryable/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
var valid13 = _errs84 === errors;
}
else {
var valid13 = true;
}
}
}
}
}
else {
const err20 = {instancePath:instancePath+"/withhold_reason",schemaPath:"#/properties/withhold_reason/oneOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
var _valid2 = _errs79 === errors;
if(_valid2 && valid12){
valid12 = false;
passing1 = [passing1, 1];
}
else {
if(_valid2){
valid12 = true;
passing1 = 1;
}
}
if(!valid12){
const err21 = {instancePath:instancePath+"/withhold_reason",schemaPath:"#/properties/withhold_reason/oneOf",keyword:"oneOf",params:{passingSchemas: passing1},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
validate20.errors = vErrors;
return false;
}
else {
errors = _errs76;
if(vErrors !== null){
if(_errs76){
vErrors.length = _errs76;
}
else {
vErrors = null;
}
}
}
var valid4 = _errs75 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.signature !== undefined && func0.call(data, "signature")){
let data36 = data.signature;
const _errs86 = errors;
if(errors === _errs86){
if(data36 && typeof data36 == "object" && !Array.isArray(data36)){
let missing6;
if(((((((data36.algorithm === undefined) || (!(func0.call(data36, "algorithm")))) && (missing6 = "algorithm")) || (((data36.profile === undefined) || (!(func0.call(data36, "profile")))) && (missing6 = "profile"))) || (((data36.key_id === undefined) || (!(func0.call(data36, "key_id")))) && (missing6 = "key_id"))) || (((data36.signed_payload_sha256 === undefined) || (!(func0.call(data36, "signed_payload_sha256")))) && (missing6 = "signed_payload_sha256"))) || (((data36.value_base64 === undefined) || (!(func0.call(data36, "value_base64")))) && (missing6 = "value_base64"))){
validate20.errors = [{instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/required",keyword:"required",params:{missingProperty: missing6},message:"must have required property '"+missing6+"'"}];
return false;
}
else {
const _errs88 = errors;
for(const key6 of Object.keys(data36)){
if(!(((((key6 === "algorithm") || (key6 === "profile")) || (key6 === "key_id")) || (key6 === "signed_payload_sha256")) || (key6 === "value_base64"))){
validate20.errors = [{instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs88 === errors){
if(data36.algorithm !== undefined && func0.call(data36, "algorithm")){
const _errs89 = errors;
if("ed25519" !== data36.algorithm){
validate20.errors = [{instancePath:instancePath+"/signature/algorithm",schemaPath:"#/properties/signature/properties/algorithm/const",keyword:"const",params:{allowedValue: "ed25519"},message:"must be equal to constant"}];
return false;
}
var valid14 = _errs89 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data36.profile !== undefined && func0.call(data36, "profile")){
const _errs90 = errors;
if("ed25519-jcs-subset-v1" !== data36.profile){
validate20.errors = [{instancePath:instancePath+"/signature/profile",schemaPath:"#/properties/signature/properties/profile/const",keyword:"const",params:{allowedValue: "ed25519-jcs-subset-v1"},message:"must be equal to constant"}];
return false;
}
var valid14 = _errs90 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data36.key_id !== undefined && func0.call(data36, "key_id")){
let data39 = data36.key_id;
const _errs91 = errors;
if(errors === _errs91){
if(typeof data39 === "string"){
if(func85(data39) > 256){
validate20.errors = [{instancePath:instancePath+"/signature/key_id",schemaPath:"#/properties/signature/properties/key_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func85(data39) < 1){
validate20.errors = [{instancePath:instancePath+"/signature/key_id",schemaPath:"#/properties/signature/properties/key_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data39)){
validate20.errors = [{instancePath:instancePath+"/signature/key_id",schemaPath:"#/properties/signature/properties/key_id/pattern",keyword:"pattern",params:{pattern: "^\\S(?:.*\\S)?$"},message:"must match pattern \""+"^\\S(?:.*\\S)?$"+"\""}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/signature/key_id",schemaPath:"#/properties/signature/properties/key_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid14 = _errs91 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data36.signed_payload_sha256 !== undefined && func0.call(data36, "signed_payload_sha256")){
let data40 = data36.signed_payload_sha256;
const _errs93 = errors;
if(errors === _errs93){
if(typeof data40 === "string"){
if(!pattern13.test(data40)){
validate20.errors = [{instancePath:instancePath+"/signature/signed_payload_sha256",schemaPath:"#/properties/signature/properties/signed_payload_sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/signature/signed_payload_sha256",schemaPath:"#/properties/signature/properties/signed_payload_sha256/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid14 = _errs93 === errors;
}
else {
var valid14 = true;
}
}
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid4 = _errs86 === errors;
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
validate20.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check: ClosedCheck = validate20;
