/**
 * What the fuzzer needs of a thing it throws bytes at. An input is bytes and nothing
 * else, so that a file is all it takes to try it again.
 */

/** A whole number from 0 up to, not including, `below`. */
export type Choose = (below: number) => number;

export interface Target {
  readonly name: string;
  /** Inputs to begin with; the same for the same choices. */
  readonly seeds: (choose: Choose) => readonly Buffer[];
  /** An input made from another, with a third one to take pieces from. */
  readonly mutate: (bytes: Buffer, other: Buffer, choose: Choose) => Buffer;
  /**
   * @returns a word for what came out, to be counted.
   * @throws anything if the code under test is at fault.
   */
  readonly run: (bytes: Buffer) => string;
}

/** Thrown by a target for an answer that is not the expected one. */
export class Fault extends Error {
  override readonly name = "Fault";
}
