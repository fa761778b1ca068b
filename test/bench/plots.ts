/**
 * The plots of a report: which there are, what their axes say, and what is drawn in each.
 *
 * Pure.
 */
import type { SectionResult } from "./finding.ts";
import { type Plot, plotSvg } from "./plot-svg.ts";

type PlotId = SectionResult["series"][number]["plot"];

const PLOTS: Readonly<Record<PlotId, Omit<Plot, "series">>> = {
  size: {
    title: "Latency against context size",
    x: { label: "context, bytes", kind: "bytes" },
    y: { label: "p50, ms", kind: "logarithmic" },
  },
  ledger: {
    title: "Latency against ledger size",
    x: { label: "turns in the ledger (logarithmic, 0 apart)", kind: "count" },
    y: { label: "p50, ms", kind: "linear" },
  },
  added: {
    title: "Added time of a turn",
    x: { label: "share of turns that took at most so long", kind: "linear" },
    y: { label: "added time, ms", kind: "logarithmic" },
  },
};

export interface PlotFile {
  readonly name: string;
  readonly title: string;
  readonly svg: string;
}

/** A plot without points is no file. */
export function plotFiles(series: SectionResult["series"]): readonly PlotFile[] {
  return (Object.keys(PLOTS) as PlotId[]).flatMap((id) => {
    const plot = { ...PLOTS[id], series: series.filter((one) => one.plot === id) };
    const svg = plotSvg(plot);
    return svg === null ? [] : [{ name: `${id}.svg`, title: plot.title, svg }];
  });
}
