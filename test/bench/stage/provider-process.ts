/**
 * Starts and ends the benchmark's provider: the same node binary, an empty environment,
 * loopback only. It is ended by its pid, and ends by itself when this process is gone.
 *
 * I/O: a child process, IPC.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("provider-main.ts", import.meta.url));
const ANSWER_TIMEOUT_MS = 15_000;

export interface ProviderProcess {
  readonly port: number;
  /** The provider's own time of each run since the last call, milliseconds. */
  readonly ownTimes: () => Promise<ReadonlyMap<string, number>>;
  /** Ends it, and waits for its end. Idempotent. */
  readonly stop: () => Promise<void>;
}

type Told =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "own-times"; readonly ownMs: Readonly<Record<string, number>> };

export async function startProviderProcess(): Promise<ProviderProcess> {
  const child = spawn(process.execPath, [MAIN], { env: {}, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ended = once(child, "exit");
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await ended;
  };
  try {
    const { port } = await told(child, "listening");
    return {
      port,
      ownTimes: async () => {
        child.send("own-times");
        return new Map(Object.entries((await told(child, "own-times")).ownMs));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The next message of that kind. @throws if the provider ends or says nothing. */
function told<Kind extends Told["kind"]>(child: ChildProcess, kind: Kind): Promise<Extract<Told, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const finish = (act: () => void) => {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onExit);
      act();
    };
    const onMessage = (message: unknown) => {
      const said = message as Told;
      if (said.kind === kind) finish(() => resolve(said as Extract<Told, { kind: Kind }>));
    };
    const onExit = () => finish(() => reject(new Error("the benchmark's provider ended")));
    const onTimeout = () => finish(() => reject(new Error(`the benchmark's provider did not say "${kind}"`)));
    const timer = setTimeout(onTimeout, ANSWER_TIMEOUT_MS);
    child.on("message", onMessage).on("exit", onExit);
  });
}
