/**
 * One small change of a byte string, as data: made by fast-check in the property
 * tests and by a plain random source in the fuzzer, applied here. Places are taken
 * modulo the length, so every change fits every text.
 *
 * Pure.
 */
import fc from "fast-check";

export interface ByteChange {
  readonly op: "replace" | "flip" | "insert" | "delete" | "swap" | "repeat" | "cut" | "bom" | "splice";
  readonly at: number;
  /** The new byte, the bit to flip, or which of {@link SPLICES}. */
  readonly byte: number;
  /** Bytes deleted or repeated, from 1. */
  readonly length: number;
}

export const BYTE_OPS = ["replace", "flip", "insert", "delete", "swap", "repeat", "cut", "bom", "splice"] as const;

/** Sequences that have gone wrong somewhere in the history of parsers. */
const SPLICES = [
  "c080",
  "eda080",
  "edb080",
  "f4908080",
  "ff",
  "80",
  "efbbbf",
  "e280a8",
  "00",
  "5c7530303030",
  "5c7564383030",
  "2c",
  "7d",
  "22",
  "6e756c6c",
  "2d30",
  "312e30",
  "c2a0",
].map((hex) => Buffer.from(hex, "hex"));

export const byteChange: fc.Arbitrary<ByteChange> = fc.record({
  op: fc.constantFrom(...BYTE_OPS),
  at: fc.nat(),
  byte: fc.nat(255),
  length: fc.integer({ min: 1, max: 16 }),
});

/** A changed copy; may happen to be equal. */
export function changeBytes(bytes: Uint8Array, { op, at: place, byte, length }: ByteChange): Buffer {
  const at = bytes.length === 0 ? 0 : place % bytes.length;
  const [before, here, after] = [bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at + length)];
  switch (op) {
    case "replace":
      return Buffer.concat([before, Uint8Array.of(byte), bytes.subarray(at + 1)]);
    case "flip":
      return Buffer.concat([before, Uint8Array.of((bytes[at] ?? 0) ^ (1 << (byte % 8))), bytes.subarray(at + 1)]);
    case "insert":
      return Buffer.concat([before, Uint8Array.of(byte), bytes.subarray(at)]);
    case "delete":
      return Buffer.concat([before, after]);
    case "swap":
      return Buffer.concat([before, Buffer.from(here).reverse(), after]);
    case "repeat":
      return Buffer.concat([before, here, here, after]);
    case "cut":
      return Buffer.from(before);
    case "bom":
      return Buffer.concat([Buffer.from("efbbbf", "hex"), bytes]);
    case "splice":
      return Buffer.concat([before, SPLICES[byte % SPLICES.length] ?? Buffer.alloc(0), bytes.subarray(at)]);
  }
}
