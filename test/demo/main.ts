/**
 * `npm run demo`: the main job on the real host, told step by step. `--json` prints
 * the table as JSON on stdout and the story on stderr. Exit 0 only if every row is as
 * expected; whatever was started is stopped, also after Ctrl-C or a failure.
 */
import { Ending } from "./ending.ts";
import { readOptions } from "./options.ts";
import { explanation, ownTimes, table } from "./report.ts";
import { SCENARIOS } from "./scenarios.ts";
import { type Stage, setStage } from "./stage.ts";
import { Telling } from "./telling.ts";
import { type Row, witness } from "./witness.ts";

async function main(asJson: boolean, tell: (line: string) => void, ending: Ending): Promise<boolean> {
  tell("Delegated context on a real OpenClaw, from install to evidence. About two minutes.\n");
  const stage = await ending.making(setStage(tell, (step) => ending.defer(step)));
  tell("The gateway starts.\n");
  const gateway = await stage.host.startGateway();
  const rows: Row[] = [];
  const telling = new Telling();
  for (const scenario of SCENARIOS) {
    const turn = rows.length + 1;
    telling.before(turn, scenario).map(tell);
    const seen = await witness(scenario, stage);
    // A turn that was cut off by a signal says nothing about the plugin.
    if (ending.stopped) return false;
    rows.push(seen.row);
    telling.after(turn, seen).map(tell);
  }
  const ok = rows.every((row) => row.as_expected) && rows.length === SCENARIOS.length;
  const added = ownTimes(`${gateway.log}\n${stage.lines.join("\n")}`);
  tell(table(rows));
  explanation(added).map(tell);
  await tellEvidence(stage, tell);
  if (ending.stopped) return false;
  if (asJson) process.stdout.write(`${JSON.stringify({ ok, scenarios: rows, added_ms: added })}\n`);
  tell(ok ? "\nEvery row is as expected." : "\nNOT every row is as expected.");
  return ok;
}

async function tellEvidence(stage: Stage, tell: (line: string) => void): Promise<void> {
  tell("\n  $ delegated-context status");
  const status = await stage.command("status");
  tell(status.trimEnd().replace(/^/gm, "  "));
}

async function play(asJson: boolean): Promise<void> {
  const write = (line: string) => void (asJson ? process.stderr : process.stdout).write(`${line}\n`);
  const ending = new Ending(write);
  const tell = (line: string) => {
    if (!ending.stopped) write(line);
  };
  ending.onSignals();
  try {
    process.exitCode = (await main(asJson, tell, ending)) ? 0 : 1;
  } catch (error) {
    tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = 1;
  } finally {
    await ending.run();
  }
}

const options = readOptions(process.argv.slice(2));
if (options.run) {
  await play(options.asJson);
} else {
  (options.exitCode === 0 ? process.stdout : process.stderr).write(`${options.text}\n`);
  process.exitCode = options.exitCode;
}
