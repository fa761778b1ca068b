/**
 * `npm run test:shared`: conformance against public data that lies beside the project
 * and is not part of it. Without that data the suite says so and is skipped.
 */
import { defineConfig } from "vitest/config";
import { CountsReporter } from "./test/shared/counts-reporter.ts";

export default defineConfig({
  test: {
    name: "shared",
    include: ["test/shared/**/*.test.ts"],
    testTimeout: 60_000,
    reporters: ["default", new CountsReporter()],
  },
});
