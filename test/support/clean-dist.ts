/**
 * Empties `dist/` before a build, so that a module that no longer exists is not packed.
 */
import { rmSync } from "node:fs";

rmSync(new URL("../../dist", import.meta.url), { recursive: true, force: true });
