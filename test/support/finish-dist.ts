/**
 * Ends a build: the program of the package must be executable, as npm leaves it only
 * when it links the package for the first time.
 */
import { chmodSync } from "node:fs";

chmodSync(new URL("../../dist/operator/bin.js", import.meta.url), 0o755);
