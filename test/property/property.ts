/**
 * How often a property is tried, and how a failure is tried again. 1,000 runs at the
 * desk, 10,000 in CI; `PROPERTY_RUNS` says another number. fast-check prints seed and
 * path of a failure: `PROPERTY_SEED` and `PROPERTY_PATH` bring exactly that case back.
 */
import fc from "fast-check";
import { test } from "vitest";

export const RUNS = Number(process.env["PROPERTY_RUNS"] ?? (process.env["CI"] === "true" ? 10_000 : 1_000));

/** Shrinking a failure may take much longer than finding it, milliseconds. */
const TIMEOUT_MS = 240_000;

/** A test that the property holds for {@link RUNS} random cases; `after` sees that the cases were worth it. */
export function holds<T>(name: string, property: fc.IProperty<T>, after: () => void = () => undefined): void {
  test(name, { timeout: TIMEOUT_MS }, () => {
    fc.assert(property, parameters<T>());
    after();
  });
}

function parameters<T>(): fc.Parameters<T> {
  const { PROPERTY_SEED, PROPERTY_PATH } = process.env;
  return {
    numRuns: RUNS,
    ...(PROPERTY_SEED === undefined ? {} : { seed: Number(PROPERTY_SEED) }),
    ...(PROPERTY_PATH === undefined ? {} : { path: PROPERTY_PATH }),
  };
}

/** Counts outcomes by name, so that a property cannot hold because nothing of a kind was ever tried. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Of the names, those that never occurred. A single replayed case shows nothing. */
  missing(names: readonly string[]): string[] {
    return RUNS < 1_000 || process.env["PROPERTY_PATH"] !== undefined
      ? []
      : names.filter((name) => !this.#counts.has(name));
  }
}
