#!/usr/bin/env node
/**
 * The stand-alone program `delegated-context`. Looks at the Node version before any
 * other module is loaded: on an older one the SQLite module would crash the process
 * instead of saying why.
 *
 * I/O: process. Source: issue A, "Command line"; design §1.
 */
const LEAST_NODE = "22.19.0";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `delegated-context: needs Node ${LEAST_NODE} or later, this is ${process.versions.node}. Run it with a newer node.\n`,
  );
  process.exitCode = 1;
} else {
  const [{ runCli }, { standaloneIo }] = await Promise.all([import("./cli.ts"), import("./standalone-io.ts")]);
  process.exitCode = await runCli(process.argv.slice(2), standaloneIo());
}
