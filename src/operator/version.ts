/**
 * Names that the command line prints and writes: the package's version, which a test
 * keeps equal to package.json, and the plugin's id in OpenClaw.
 *
 * Pure. Source: design §1.
 */
export const VERSION = "0.1.0";

/** The plugin's id in OpenClaw's config and manifest. */
export const PLUGIN_ID = "delegated-context";
