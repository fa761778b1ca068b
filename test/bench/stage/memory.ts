/**
 * Memory of this process, read when nothing collectable is left in it.
 *
 * I/O: the process; turns on V8's `gc` for this process.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

export interface Memory {
  /** JavaScript objects alive, bytes. */
  readonly heapBytes: number;
  /** What the operating system has given us, bytes. */
  readonly residentBytes: number;
}

export async function settledMemory(): Promise<Memory> {
  // Twice, with a turn of the loop between: what finalizers let go in the first is gone after the second.
  collect();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  // Buffers are outside of the heap; a leak of them is one too.
  return { heapBytes: heapUsed + external, residentBytes: rss };
}
