/**
 * The plugin's config as an operator's `enable` leaves it, for the benchmark's provider.
 *
 * Pure.
 */
export function enabledConfig(stateDir: string, workspace: string) {
  const entry = { enabled: true, workspaceId: "ws", agents: ["main"], provider: "scripted-provider:test" };
  return { stateDir, workspaces: { [workspace]: entry } };
}
