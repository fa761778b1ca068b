/**
 * The demo's command line. Pure.
 */
export type DemoOptions =
  | { readonly run: true; readonly asJson: boolean }
  | { readonly run: false; readonly text: string; readonly exitCode: 0 | 2 };

const HELP = `Usage: npm run demo [-- --json]

Sets up a real OpenClaw in temporary folders, plays nine turns and compares what three
witnesses saw. About two minutes; Ctrl-C stops it and removes the folders.

  --json  the table as one JSON object on stdout, the story on stderr
          (npm run --silent demo -- --json: nothing else on stdout)
  --help  this help

Exit codes: 0 every row is as expected, 1 not, 2 wrong usage.`;

export function readOptions(words: readonly string[]): DemoOptions {
  const unknown = words.find((word) => word !== "--json" && word !== "--help" && word !== "-h");
  if (unknown !== undefined) {
    const text = `demo: There is no option ${JSON.stringify(unknown)}; there are --json and --help`;
    return { run: false, text, exitCode: 2 };
  }
  if (words.includes("--help") || words.includes("-h")) return { run: false, text: HELP, exitCode: 0 };
  return { run: true, asJson: words.includes("--json") };
}
