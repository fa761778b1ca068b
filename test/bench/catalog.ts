/**
 * The sections of the benchmark, in the order in which they run and are reported. Each
 * is loaded when its turn comes, so that one does not pay for what another brings along.
 *
 * I/O: loads modules.
 */
import type { Section, SectionId } from "./finding.ts";

const LOADERS: Readonly<Record<SectionId, () => Promise<{ readonly section: Section }>>> = {
  verify: () => import("./sections/verify.ts"),
  reserve: () => import("./sections/reserve.ts"),
  turn: () => import("./sections/turn.ts"),
  confirm: () => import("./sections/confirm.ts"),
  concurrency: () => import("./sections/concurrency.ts"),
  evidence: () => import("./sections/evidence.ts"),
  weight: () => import("./sections/weight.ts"),
  "long-run": () => import("./sections/long-run.ts"),
};

export const SECTION_IDS = Object.keys(LOADERS) as readonly SectionId[];

export async function loadSection(id: SectionId): Promise<Section> {
  return (await LOADERS[id]()).section;
}
