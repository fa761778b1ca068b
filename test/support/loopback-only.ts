// Keeps the host's processes on this machine. OpenClaw looks at its public plugin catalogue whenever a
// gateway starts, and has no switch for that; so each child preloads this guard, which refuses every
// address but loopback and writes down what was tried. The guard runs in the child as plain JavaScript
// made from the function below, so it may use nothing from outside its own body.

import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Writes the guard to `guardFile`; processes started with the returned NODE_OPTIONS load it first. */
export function writeGuard(guardFile: string, attemptsFile: string): string {
  writeFileSync(guardFile, `(${guard.toString()})(${JSON.stringify(attemptsFile)});\n`, { mode: 0o600 });
  return `--require=${guardFile}`;
}

/** The addresses that were tried and refused so far, oldest first. */
export function readAttempts(attemptsFile: string): string[] {
  if (!existsSync(attemptsFile)) return [];
  return readFileSync(attemptsFile, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

function guard(attemptsFile: string): void {
  const net = process.getBuiltinModule("node:net");
  const dns = process.getBuiltinModule("node:dns");
  const fs = process.getBuiltinModule("node:fs");
  const local = (host: string): boolean =>
    /^(localhost|127(\.\d+){3}|\[?::1\]?|::ffff:127(\.\d+){3}|0\.0\.0\.0|::)$/u.test(host);
  const refuse = (host: string): Error => {
    fs.appendFileSync(attemptsFile, `${host}\n`);
    return Object.assign(new Error(`${host} is outside this machine; the test kit refuses it`), { code: "ENOTFOUND" });
  };

  const connect = net.Socket.prototype.connect;
  const guarded = function (this: InstanceType<typeof net.Socket>, ...args: unknown[]): unknown {
    // Node's own callers pass one array, [options, callback]; people pass options, or a port and a host.
    const list: unknown[] = Array.isArray(args[0]) ? args[0] : args;
    const options = list[0];
    const host: unknown = typeof options === "object" && options !== null ? Reflect.get(options, "host") : list[1];
    if (typeof host === "string" && !local(host)) {
      refuse(host);
      // A closed port of this machine: the caller sees an ordinary ECONNREFUSED, in the ordinary order of events.
      list[0] = { ...(typeof options === "object" ? options : {}), host: "127.0.0.1", port: 1 };
      if (list === args) args.splice(1, typeof args[1] === "string" ? 1 : 0);
    }
    return Reflect.apply(connect, this, args);
  };
  Reflect.set(net.Socket.prototype, "connect", guarded);

  const lookup = dns.lookup;
  const guardedLookup = (host: string, ...rest: unknown[]): unknown => {
    if (local(host)) return Reflect.apply(lookup, dns, [host, ...rest]);
    const callback = rest.at(-1);
    const error = refuse(host);
    return process.nextTick(() => (typeof callback === "function" ? callback(error) : undefined));
  };
  Reflect.set(dns, "lookup", guardedLookup);

  const lookupLater = dns.promises.lookup;
  const guardedLater = (host: string, ...rest: unknown[]): unknown =>
    local(host) ? Reflect.apply(lookupLater, dns.promises, [host, ...rest]) : Promise.reject(refuse(host));
  Reflect.set(dns.promises, "lookup", guardedLater);
}
