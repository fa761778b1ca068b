/**
 * Chunks of bytes → lines of bytes. No more than one line is held, and one that is too
 * long is skipped up to its end instead of being held at all.
 *
 * Pure over its input. Source: issue A, "Command line" (`verify --batch`).
 */

/** Stands for a line that was too long to be held. */
export const TOO_LONG = Symbol("too long");

const LINE_FEED = 0x0a;

/** Lines without their LF, in order; blank ones are left out, a last one needs no LF. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<Uint8Array | typeof TOO_LONG> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const take = (): Uint8Array | typeof TOO_LONG => {
    const whole = held.length === 1 ? held[0] : undefined;
    const line = heldBytes > maxLineBytes ? TOO_LONG : (whole ?? Buffer.concat(held, heldBytes));
    held = [];
    heldBytes = 0;
    return line;
  };
  const hold = (piece: Uint8Array): void => {
    heldBytes += piece.byteLength;
    if (heldBytes > maxLineBytes) held = [];
    else held.push(piece);
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      hold(chunk.subarray(from, end));
      from = end + 1;
      const line = take();
      if (!isBlank(line)) yield line;
    }
    if (from < chunk.byteLength) hold(chunk.subarray(from));
  }
  const last = take();
  if (!isBlank(last)) yield last;
}

function isBlank(line: Uint8Array | typeof TOO_LONG): boolean {
  return line !== TOO_LONG && line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
