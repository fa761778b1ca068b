/**
 * `npm run demo`: the main job on the real host, told step by step. `--json` prints
 * the table as JSON on stdout and the story on stderr. Exit 0 only if every row is as
 * expected; whatever was started is stopped, also after Ctrl-C or a failure.
 */
import { type ModelRequest, userTexts } from "../support/model.ts";
import { ownTimes, table } from "./report.ts";
import { SCENARIOS } from "./scenarios.ts";
import { type Stage, setStage } from "./stage.ts";
import { type Row, witness } from "./witness.ts";

const asJson = process.argv.includes("--json");
const tell = (line: string) => (asJson ? process.stderr : process.stdout).write(`${line}\n`);
const undo: (() => Promise<unknown> | unknown)[] = [];

async function main(): Promise<boolean> {
  tell("Delegated context on a real OpenClaw, from install to evidence. About two minutes.\n");
  const stage = await setStage(tell, (step) => undo.push(step));
  tell("The gateway starts.\n");
  const gateway = await stage.host.startGateway();
  const rows: Row[] = [];
  for (const scenario of SCENARIOS) {
    tell(`${rows.length + 1}. ${scenario.name}. ${scenario.story}`);
    const { row, requests } = await witness(scenario, stage);
    rows.push(row);
    for (const request of requests) tell(`   the model was sent: ${shown(questionOf(request))}`);
    if (requests.length === 0) tell("   the model was not called");
    tell(
      `   authorization ${row.authorization}, delivery ${row.delivery}${row.code === null ? "" : `, ${row.code}`}\n`,
    );
  }
  const ok = rows.every((row) => row.as_expected) && rows.length === SCENARIOS.length;
  const added = ownTimes(`${gateway.log}\n${stage.lines.join("\n")}`);
  tell(table(rows));
  tell(`\nThe plugin's own time in a turn, without the provider's: median ${added.p50} ms, most ${added.max} ms.`);
  await tellEvidence(stage);
  if (asJson) process.stdout.write(`${JSON.stringify({ ok, scenarios: rows, added_ms: added })}\n`);
  tell(ok ? "\nEvery row is as expected." : "\nNOT every row is as expected.");
  return ok;
}

async function tellEvidence(stage: Stage): Promise<void> {
  tell("\n  $ delegated-context status");
  tell(indent(await stage.command("status")));
}

/** The user message with the question in it; the host adds one of its own behind it. */
function questionOf(request: ModelRequest): string {
  const texts = userTexts(request).filter((text) => !text.startsWith("<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>"));
  return texts.at(-1) ?? "";
}

/** The end of it, where context and question stand; control characters visible. */
function shown(text: string): string {
  const line = JSON.stringify(text.replace(/\n\nRuntime: [^\n]*$/, ""));
  return line.length > 420 ? `…${line.slice(-420)}` : line;
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, "  ");
}

async function cleanUp(): Promise<void> {
  for (const step of undo.splice(0).reverse()) {
    await Promise.resolve()
      .then(step)
      .catch((error: unknown) => tell(`clean-up: ${String(error)}`));
  }
}

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(code)));
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
} finally {
  await cleanUp();
}
