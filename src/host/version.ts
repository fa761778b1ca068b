/**
 * Who we are to the host.
 *
 * Pure.
 */
export { PLUGIN_ID, VERSION } from "../operator/version.ts";
