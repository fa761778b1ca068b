/**
 * The pages over real files, without a host: a state directory as an operator's
 * commands and some turns left it.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { answerPage, type PageAnswer } from "../../src/operator/pages/answer.ts";
import { PAGES_ROUTE } from "../../src/operator/pages/place.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import { tempDirectory } from "../support/temp.ts";
import { writeOperatorFiles } from "../support/way.ts";

export interface PagesHome {
  readonly stateDirectory: string;
  /** Changes OpenClaw's config. */
  configure(config: unknown): void;
  get(query: string, method?: string): Promise<PageAnswer>;
  request(target: string, method?: string): Promise<PageAnswer>;
}

/** Nothing is there: no config, no directory. */
export function emptyHome(): PagesHome {
  const hostState = tempDirectory();
  let hostConfig: unknown = {};
  const surroundings = { hostConfig: () => hostConfig, hostStateDirectory: () => hostState };
  const request = (target: string, method = "GET") => answerPage({ method, target }, surroundings);
  return {
    stateDirectory: join(hostState, "delegated-context"),
    configure: (config) => {
      hostConfig = config;
    },
    request,
    get: (query, method) => request(`${PAGES_ROUTE}${query}`, method),
  };
}

/** One workspace enabled, all files in order. */
export async function readyHome(): Promise<PagesHome> {
  const home = emptyHome();
  const provider = await startScriptedProvider();
  onTestFinished(() => provider.close());
  const workspace = tempDirectory();
  mkdirSync(home.stateDirectory, { mode: 0o700 });
  writeOperatorFiles(home.stateDirectory, provider);
  const settings = { enabled: true, workspaceId: "ws", agents: ["main"], provider: "scripted-provider:test" };
  home.configure({
    plugins: {
      entries: {
        "delegated-context": {
          hooks: { allowConversationAccess: true },
          config: { workspaces: { [workspace]: settings } },
        },
      },
    },
  });
  return home;
}
