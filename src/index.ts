/**
 * The plugin's entry: what OpenClaw loads.
 */
import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";
import { register } from "./host/register.ts";
import { PLUGIN_ID } from "./host/version.ts";

export default definePluginEntry({
  id: PLUGIN_ID,
  name: "Delegated Context",
  description: "One external provider decides, signed and once per turn, what context a model gets.",
  register,
});
