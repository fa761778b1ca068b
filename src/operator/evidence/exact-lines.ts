/**
 * Chunks of bytes → lines, exactly as they are: blank ones too, and with the word
 * whether an LF ended each. No more than one line is held, and one that is too long is
 * not held at all.
 *
 * Pure over its input. Source: issue D (`evidence verify`).
 */
import type { ExportLine } from "../../core/evidence-export-check.ts";

const LINE_FEED = 0x0a;

export async function* exactLines(chunks: AsyncIterable<Uint8Array>, maxLineBytes: number): AsyncGenerator<ExportLine> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const hold = (piece: Uint8Array): void => {
    heldBytes += piece.byteLength;
    if (heldBytes > maxLineBytes) held = [];
    else held.push(piece);
  };
  const take = (hasLineFeed: boolean): ExportLine => {
    const line = { bytes: heldBytes > maxLineBytes ? null : Buffer.concat(held, heldBytes), hasLineFeed };
    [held, heldBytes] = [[], 0];
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      hold(chunk.subarray(from, end));
      from = end + 1;
      yield take(true);
    }
    if (from < chunk.byteLength) hold(chunk.subarray(from));
    // A line without an end must not be read to its end.
    if (heldBytes > maxLineBytes) {
      yield take(false);
      return;
    }
  }
  if (heldBytes > 0) yield take(false);
}
