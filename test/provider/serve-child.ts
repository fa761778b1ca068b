// `provider serve` as a process, without the command line around it.
// Usage: serve-child.ts DIRECTORY PORT

import { serveProvider } from "../../src/provider/serve.ts";

const [directory = "", port = "0"] = process.argv.slice(2);
await serveProvider(directory, { port: Number(port) });
