/**
 * The host's side of register(): keeps the handlers that were registered, so that a
 * test can call them as the host would. Everything else of the api is absent, so that
 * a use of it at registration fails the test.
 */
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";

type Handler = (event: unknown, context: unknown) => unknown;

export interface RecordedRoute {
  readonly path: string;
  readonly auth: string;
  readonly match: string;
  readonly handler: (request: object, response: object) => Promise<boolean>;
}

export interface RecordingApi {
  readonly api: OpenClawPluginApi;
  readonly lines: readonly string[];
  readonly routes: readonly RecordedRoute[];
  readonly tabs: readonly object[];
  /** Handlers of a hook, in the order of registration, with their options. */
  handlers(hook: string): readonly { readonly handler: Handler; readonly options: unknown }[];
  /** Calls the one handler of a hook. @throws if there is not exactly one. */
  call(hook: string, event: unknown, context: unknown): Promise<unknown>;
  cleanup(): Promise<void>;
}

export interface RecordingApiOptions {
  readonly mode?: string | undefined;
  readonly pluginConfig?: unknown;
  readonly hooks?: Record<string, unknown>;
  readonly stateDir?: string;
}

export function recordingApi(options: RecordingApiOptions = {}): RecordingApi {
  const hooks: { hook: string; handler: Handler; options: unknown }[] = [];
  const cleanups: ((context: object) => unknown)[] = [];
  const lines: string[] = [];
  const routes: RecordedRoute[] = [];
  const tabs: object[] = [];
  const log = (line: string) => void lines.push(line);
  const api = {
    id: "delegated-context",
    registrationMode: "mode" in options ? options.mode : "discovery",
    pluginConfig: options.pluginConfig ?? {},
    config: {
      plugins: { entries: { "delegated-context": { hooks: options.hooks ?? { allowConversationAccess: true } } } },
    },
    logger: { info: log, warn: log, error: log, debug: log },
    runtime: { state: { resolveStateDir: () => options.stateDir ?? "/nonexistent" } },
    on: (hook: string, handler: Handler, hookOptions: unknown) =>
      void hooks.push({ hook, handler, options: hookOptions }),
    registerCli: () => {},
    registerHttpRoute: (route: RecordedRoute) => void routes.push(route),
    session: { controls: { registerControlUiDescriptor: (tab: object) => void tabs.push(tab) } },
    lifecycle: {
      registerRuntimeLifecycle: (lifecycle: { cleanup: (context: object) => unknown }) =>
        void cleanups.push(lifecycle.cleanup),
    },
  };
  const handlers = (hook: string) => hooks.filter((each) => each.hook === hook);
  return {
    api: api as unknown as OpenClawPluginApi,
    lines,
    routes,
    tabs,
    handlers,
    call: async (hook, event, context) => {
      const [only, ...more] = handlers(hook);
      if (only === undefined || more.length > 0) throw new TypeError(`${hook} has ${handlers(hook).length} handlers`);
      return only.handler(event, context);
    },
    cleanup: async () => {
      for (const each of cleanups) await each({ reason: "restart" });
    },
  };
}
