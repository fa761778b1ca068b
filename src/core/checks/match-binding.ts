/**
 * The result names exactly the turn we asked for. Stops a valid result of another
 * run, turn, session, agent, user or workspace from being used here.
 *
 * Pure. Source: contract §6 step 5.
 */
import { BINDING_IDS, type Binding } from "../contract.ts";
import { Rejection } from "../failure.ts";

/** @throws Rejection `turn_scope_binding`, with the first id that differs as detail. */
export function matchBinding(claimed: Binding, expected: Binding): void {
  for (const id of BINDING_IDS) {
    if (claimed[id] !== expected[id]) throw new Rejection("turn_scope_binding", id);
  }
}
