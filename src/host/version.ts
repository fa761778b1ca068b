/** The package's version; a test keeps it equal to package.json. Pure. */
export const VERSION = "0.1.0";

/** The plugin's id in OpenClaw's config and manifest. */
export const PLUGIN_ID = "delegated-context";
