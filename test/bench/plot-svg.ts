/**
 * A line plot as one self-contained SVG: its own background, and colours for light and
 * dark, so that it can be read wherever it is shown. No script, no font, no link.
 *
 * Pure.
 */
import type { Series } from "./finding.ts";
import { isPlaceable, type Scale, type ScaleKind, scaleOf } from "./scale.ts";

export interface Axis {
  /** With its unit. */
  readonly label: string;
  readonly kind: ScaleKind;
}

export interface Plot {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
}

const WIDTH = 760;
const FRAME = { left: 76, top: 48, width: 656, height: 320 } as const;
/** From the frame down to the legend, and from one of its lines to the next. */
const LEGEND = { offset: 66, line: 20 } as const;
/** More points than this are a line without marks. */
const MAX_MARKS = 24;
/** Okabe and Ito's colours, which stay apart for colour-blind readers; lighter ones on dark. */
const COLOURS = [
  { light: "#0072b2", dark: "#56b4e9" },
  { light: "#d55e00", dark: "#ff9e4a" },
  { light: "#007a5a", dark: "#2fd0a5" },
  { light: "#a8528c", dark: "#e79fc9" },
  { light: "#806a00", dark: "#f0e442" },
  { light: "#444444", dark: "#dddddd" },
] as const;

/** @returns the file's text, or null if there is nothing to draw. */
export function plotSvg({ title, x, y, series }: Plot): string | null {
  const drawn = series
    .map(({ name, points }) => ({
      name,
      points: points.filter(([px, py]) => isPlaceable(px, x.kind) && isPlaceable(py, y.kind)),
    }))
    .filter(({ points }) => points.length > 0);
  if (drawn.length === 0) return null;
  const all = drawn.flatMap(({ points }) => points);
  const xScale = scaleOf(
    all.map(([px]) => px),
    x.kind,
  );
  const yScale = scaleOf(
    all.map(([, py]) => py),
    y.kind,
  );
  const height = FRAME.top + FRAME.height + LEGEND.offset + drawn.length * LEGEND.line;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    style(),
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    `<text class="title" x="${FRAME.left}" y="28">${escaped(title)}</text>`,
    ...xAxis(xScale, x.label),
    ...yAxis(yScale, y.label),
    ...drawn.flatMap((one, index) => line(one, index, xScale, yScale)),
    ...drawn.flatMap(legend),
    "</svg>",
    "",
  ].join("\n");
}

/** Text for XML; characters that XML cannot hold are dropped. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function style(): string {
  const strokes = (scheme: "light" | "dark") =>
    COLOURS.map((colour, index) => `.s${index}{stroke:${colour[scheme]}}`).join("");
  return `<style>
text{font:13px system-ui,sans-serif;fill:#1f2328}.title{font-size:16px;font-weight:600}.paper{fill:#fff}
.grid{stroke:#d8dee4;stroke-width:1}.axis{stroke:#59636e;stroke-width:1}
.line{fill:none;stroke-width:2}.mark{fill:#fff;stroke-width:2}.floor{stroke-dasharray:7 5}${strokes("light")}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.paper{fill:#0d1117}.grid{stroke:#30363d}.axis{stroke:#9198a1}.mark{fill:#0d1117}${strokes("dark")}}
</style>`;
}

function xAxis(scale: Scale, label: string): readonly string[] {
  const bottom = FRAME.top + FRAME.height;
  const ticks = scale.ticks.flatMap(({ at, label: text }) => {
    const x = pixel(FRAME.left + scale.place(at) * FRAME.width);
    return [
      `<line class="grid" x1="${x}" y1="${FRAME.top}" x2="${x}" y2="${bottom}"/>`,
      `<text x="${x}" y="${bottom + 20}" text-anchor="middle">${escaped(text)}</text>`,
    ];
  });
  return [
    ...ticks,
    `<line class="axis" x1="${FRAME.left}" y1="${bottom}" x2="${FRAME.left + FRAME.width}" y2="${bottom}"/>`,
    `<text x="${FRAME.left + FRAME.width / 2}" y="${bottom + 42}" text-anchor="middle">${escaped(label)}</text>`,
  ];
}

function yAxis(scale: Scale, label: string): readonly string[] {
  const ticks = scale.ticks.flatMap(({ at, label: text }) => {
    const y = pixel(FRAME.top + (1 - scale.place(at)) * FRAME.height);
    return [
      `<line class="grid" x1="${FRAME.left}" y1="${y}" x2="${FRAME.left + FRAME.width}" y2="${y}"/>`,
      `<text x="${FRAME.left - 8}" y="${y + 4}" text-anchor="end">${escaped(text)}</text>`,
    ];
  });
  const middle = FRAME.top + FRAME.height / 2;
  return [
    ...ticks,
    `<line class="axis" x1="${FRAME.left}" y1="${FRAME.top}" x2="${FRAME.left}" y2="${FRAME.top + FRAME.height}"/>`,
    `<text x="18" y="${middle}" text-anchor="middle" transform="rotate(-90 18 ${middle})">${escaped(label)}</text>`,
  ];
}

function line({ name, points }: Series, index: number, xScale: Scale, yScale: Scale): readonly string[] {
  const places = [...points]
    .sort(([a], [b]) => a - b)
    .map(([x, y]) => ({
      x: pixel(FRAME.left + xScale.place(x) * FRAME.width),
      y: pixel(FRAME.top + (1 - yScale.place(y)) * FRAME.height),
    }));
  const path = places.map(({ x, y }) => `${x},${y}`).join(" ");
  const marks = places.length > MAX_MARKS ? [] : places;
  return [
    `<polyline class="${classOf(name, index)}" points="${path}"/>`,
    ...marks.map(({ x, y }) => `<circle class="mark ${colourOf(index)}" cx="${x}" cy="${y}" r="3.5"/>`),
  ];
}

function legend({ name }: Series, index: number): readonly string[] {
  const y = FRAME.top + FRAME.height + LEGEND.offset + index * LEGEND.line;
  return [
    `<line class="${classOf(name, index)}" x1="${FRAME.left}" y1="${y - 4}" x2="${FRAME.left + 36}" y2="${y - 4}"/>`,
    `<text x="${FRAME.left + 46}" y="${y}">${escaped(name)}</text>`,
  ];
}

/** A floor is a broken line, so that colour is not all that tells it apart. */
function classOf(name: string, index: number): string {
  return `line ${colourOf(index)}${/\bfloor\b/.test(name) ? " floor" : ""}`;
}

function colourOf(index: number): string {
  return `s${index % COLOURS.length}`;
}

function pixel(value: number): number {
  return Math.round(value * 10) / 10;
}
