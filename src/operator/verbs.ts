/**
 * The table of verbs, in the order of help: from nothing to a ready workspace, then
 * what looks, then what a provider's author needs.
 *
 * Source: issue A, "Command line".
 */
import type { Command } from "./command.ts";
import { ASK } from "./commands/ask.ts";
import { CLOCK_ACCEPT } from "./commands/clock.ts";
import { DISABLE, ENABLE } from "./commands/enable.ts";
import { EVIDENCE_VERBS } from "./commands/evidence.ts";
import { FLIGHT_VERBS } from "./commands/flight.ts";
import { FLIGHTS } from "./commands/flights.ts";
import { OWNERS_ADD, OWNERS_LIST, OWNERS_REMOVE } from "./commands/owners.ts";
import { PROVIDER_INIT, PROVIDER_SERVE } from "./commands/provider.ts";
import { REGISTER, REGISTRATIONS, REMOVE } from "./commands/register.ts";
import { STATUS } from "./commands/status.ts";
import { VERIFY } from "./commands/verify.ts";

export const COMMANDS: readonly Command[] = [
  REGISTER,
  REGISTRATIONS,
  REMOVE,
  OWNERS_ADD,
  OWNERS_LIST,
  OWNERS_REMOVE,
  ENABLE,
  DISABLE,
  STATUS,
  CLOCK_ACCEPT,
  FLIGHTS,
  ...FLIGHT_VERBS,
  ...EVIDENCE_VERBS,
  VERIFY,
  ASK,
  PROVIDER_INIT,
  PROVIDER_SERVE,
];
