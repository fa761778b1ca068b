/**
 * The two permissions without which the host drops our hooks in silence, and the hook
 * budget the operator set. Read from the host's config; never changed here.
 *
 * Pure. Source: host facts §5 (allowConversationAccess, timeouts); field case B05.
 */
import { member } from "./host-facts.ts";
import { PLUGIN_ID } from "./version.ts";

const HOOKS_KEY = `plugins.entries.${PLUGIN_ID}.hooks`;

/** One line for each missing permission, with the exact key. @param config the host's config. */
export function missingPermissions(config: unknown): readonly string[] {
  const hooks = hooksOf(config);
  return [
    ...(member(hooks, "allowConversationAccess") === true
      ? []
      : [`No turn can get context: set ${HOOKS_KEY}.allowConversationAccess to true`]),
    ...(member(hooks, "allowPromptInjection") === false
      ? [`No turn can get context: remove ${HOOKS_KEY}.allowPromptInjection or set it to true`]
      : []),
  ];
}

/** The operator's own budget for `before_prompt_build`, milliseconds, or null. */
export function configuredHookTimeoutMs(config: unknown): number | null {
  const hooks = hooksOf(config);
  const specific = member(member(hooks, "timeouts"), "before_prompt_build");
  const timeoutMs = specific ?? member(hooks, "timeoutMs");
  return typeof timeoutMs === "number" ? timeoutMs : null;
}

function hooksOf(config: unknown): unknown {
  return member(member(member(member(config, "plugins"), "entries"), PLUGIN_ID), "hooks");
}
