/**
 * Whether this process's Ed25519 can be trusted: the self-test's verdict, found once and
 * shared, because the host evaluates this module several times (host facts §0.2) and
 * the test costs curve arithmetic in JavaScript.
 *
 * Pure but for the shared verdict. Source: design §4.
 */
import { selfTest } from "../core/self-test.ts";
import { VERSION } from "./version.ts";

/** Another version may test something else. */
const VERDICT = Symbol.for(`openclaw-delegated-context.self-test.${VERSION}`);

/** False if native and pure JavaScript do not agree here: then nobody may be asked or believed. */
export function isPlatformSound(): boolean {
  const shared = globalThis as { [VERDICT]?: boolean };
  shared[VERDICT] ??= selfTest();
  return shared[VERDICT];
}
