/**
 * Prints, at the end of `npm run test:shared`, one line for each set with its counts,
 * and each decision that differs from the data's own mark with its reason; or one line
 * that says the data is not there.
 */
import type { Reporter, TestModule } from "vitest/node";
import { type SetReport, SHARED_IS_THERE } from "./shared-data.ts";

export class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!SHARED_IS_THERE) {
      process.stdout.write("shared conformance data not found: skipped\n");
      return;
    }
    const reports = modules
      .flatMap((module) => [...module.children.allTests()])
      .flatMap((test) => test.meta().setReport ?? []);
    const lines = reports.sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap(linesOf);
    const total = reports.reduce((sum, { cases }) => sum + cases, 0);
    process.stdout.write(`\n${lines.join("\n")}\n${total} cases in ${reports.length} sets\n`);
  }
}

function linesOf({ name, cases, accepted, refused, decided, leftOut }: SetReport): string[] {
  const listed = (title: string, reasons: SetReport["decided"]) =>
    Object.entries(reasons).map(([reason, names]) => `  ${title}: ${reason} (${names.length}): ${names.join(", ")}`);
  const counts = `${name}: ${cases} cases, ${accepted} accepted, ${refused} refused`;
  return [counts, ...listed("decided here", decided), ...listed("not run", leftOut)];
}
