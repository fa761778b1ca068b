/**
 * `npm test`: two projects in one run. `unit` is everything fast; `host` runs the real
 * OpenClaw, one file at a time and after the rest, because a gateway needs the machine
 * to itself. `test/shared` has a configuration of its own.
 */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/shared/**", "test/host/**"],
          testTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "host",
          include: ["test/host/**/*.test.ts"],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
