/**
 * Resident memory of the real gateway after one turn, with the plugin enabled and with
 * it disabled, on one host whose plugin is installed from the packed tarball.
 *
 * I/O: the real host, npm, temporary files, /proc; Linux only.
 */
import { readFileSync } from "node:fs";
import { type PluginHost, startPluginHost } from "../../support/plugin-host.ts";

export interface WeighedGateway {
  /** Bytes, of each start. */
  readonly withPlugin: readonly number[];
  readonly without: readonly number[];
}

/** A gateway still tidies up after a turn, milliseconds. */
const SETTLE_MS = 8_000;
/** Resident memory is read so often in that time, and the least counts: garbage comes and goes. */
const READINGS = 8;

/** @throws if a turn with the plugin got no context. */
export async function weighGateway(rounds: number, say: (line: string) => void): Promise<WeighedGateway> {
  const stage = await startPluginHost();
  const found: { withPlugin: number[]; without: number[] } = { withPlugin: [], without: [] };
  try {
    stage.writeOperatorFiles();
    stage.provider.answer(() => ({ context: "a small context" }));
    // In turns, so that a machine that becomes slower or fuller does so for both.
    for (let round = 0; round < rounds; round += 1) {
      for (const isEnabled of [true, false]) {
        say(`weight: gateway ${isEnabled ? "with" : "without"} the plugin, start ${round + 1} of ${rounds}`);
        found[isEnabled ? "withPlugin" : "without"].push(await residentAfterTurn(stage, isEnabled));
      }
    }
    return found;
  } finally {
    await stage.dispose();
  }
}

async function residentAfterTurn(stage: PluginHost, isEnabled: boolean): Promise<number> {
  stage.configure(isEnabled ? stage.enabledEntry() : { enabled: false });
  const asked = stage.provider.requests.length;
  const gateway = await stage.host.startGateway();
  try {
    const reply = await stage.host.chat({ text: "what do my notes say?" });
    if (reply.status !== 200) throw new Error(`the gateway's turn ended with ${reply.status}`);
    if (stage.provider.requests.length !== asked + Number(isEnabled)) throw new Error("the turn was not as configured");
    const readings: number[] = [];
    for (let reading = 0; reading < READINGS; reading += 1) {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS / READINGS));
      readings.push(residentBytes(gateway.pid));
    }
    return Math.min(...readings);
  } finally {
    await gateway.stop();
  }
}

function residentBytes(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  if (kib === undefined) throw new Error(`/proc/${pid}/status has no VmRSS`);
  return Number(kib) * 1024;
}
