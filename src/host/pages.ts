/**
 * The operator's tab in the Control UI: a route of the gateway and the tab that frames
 * it. Nothing of the pages is loaded before the first request for one, and no failure
 * of theirs reaches the gateway or the hooks.
 *
 * I/O: the gateway's HTTP route. Source: host facts §7, §9.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { PAGES_ROUTE, TAB_LABEL, TAB_SLUG } from "../operator/pages/place.ts";
import type { Log } from "../turn/ports.ts";
import { settle } from "../turn/settle.ts";

/** If not even a page that says what is wrong can be made. Plain text, which no browser runs. */
const FAILED = "The page could not be made. OpenClaw's log says more; openclaw delegated status works without pages.\n";

export function registerPages(api: OpenClawPluginApi, log: Log): void {
  api.registerHttpRoute({
    path: PAGES_ROUTE,
    match: "prefix",
    // The gateway's own login, or the cookie that it gives to the tab's frame: never a route for everybody.
    auth: "gateway",
    handler: (request, response) => servePage(api, log, request, response),
  });
  api.session.controls.registerControlUiDescriptor({
    id: "evidence",
    surface: "tab",
    label: TAB_LABEL,
    description: "What was authorized and what was seen to be delivered, turn by turn",
    icon: "shield",
    path: PAGES_ROUTE,
    slug: TAB_SLUG,
    group: "control",
    requiredScopes: ["operator.read"],
  });
}

async function servePage(
  api: OpenClawPluginApi,
  log: Log,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const answered = await settle(async () => {
    const { answerPage } = await import("../operator/pages/answer.ts");
    const { method = "GET", url = "/" } = request;
    return answerPage(
      { method, target: url },
      {
        hostConfig: () => api.runtime.config.current(),
        hostStateDirectory: () => api.runtime.state.resolveStateDir(),
      },
    );
  });
  if (answered.ok) {
    const { status, headers, body } = answered.value;
    response.writeHead(status, headers).end(body);
    return true;
  }
  const { cause } = answered.rejection;
  log.warn(`A page could not be made (${cause instanceof Error ? cause.name : answered.rejection.code})`);
  response.writeHead(503, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" }).end(FAILED);
  return true;
}
