// Questions to a test provider, verified as a host verifies them, and changes to its config file.

import { chmodSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { verifyResult } from "../../src/core/index.ts";
import { ask, BINDING, type RawResponse, type TestProvider } from "./support.ts";

export function verified(provider: TestProvider, answer: RawResponse) {
  expect(answer.status).toBe(200);
  return verifyResult(answer.body, {
    binding: BINDING,
    registrations: [provider.registration],
    nowMs: provider.clock.nowMs,
  });
}

/** The context's bytes as text, or the withhold reason's code. */
export async function outcome(provider: TestProvider, query: string, maxContextBytes?: number): Promise<string> {
  const { context, object } = verified(provider, await ask(provider, query, maxContextBytes));
  return context?.text ?? object.withhold_reason?.code ?? "";
}

export interface ConfigShape {
  limits: object;
  request_keys: object[];
  [member: string]: unknown;
}

export const readText = (path: string) => readFileSync(path, "utf8");
export const loosen = (path: string) => chmodSync(path, 0o644);

export function replacePrivate(path: string, text: string): void {
  writeFileSync(`${path}.next`, text, { mode: 0o600 });
  renameSync(`${path}.next`, path);
}

export function configure(provider: TestProvider, change: (config: ConfigShape) => object): void {
  const config: ConfigShape = JSON.parse(readText(provider.configFile));
  replacePrivate(provider.configFile, JSON.stringify(change(config)));
}
