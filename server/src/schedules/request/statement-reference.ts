import { LONGEST_WIRE_REFERENCE, wireText } from '../../platform/values/wire-text.ts';
import type { Schedule } from '../terms/schedule.ts';

/** Modulr, and some banks, take no shorter one. */
const SHORTEST = 6;
const LONGEST = LONGEST_WIRE_REFERENCE;
/** The characters of Faster Payments, without a blank at either end. Those that a bank may not take are replaced on the way. */
const REFERENCE_FORMAT =
  /^(?=.{6,18}$)[A-Za-z0-9/?:().,'+&-][A-Za-z0-9 /?:().,'+&-]*[A-Za-z0-9/?:().,'+&-]$/;
/** What a bank takes for an attack, in whatever case and place. */
const REFUSED_WORDS = /echo|delete|config|exec|system|passthru/gi;

/** Returns what stands on the customer's statement: docs/rules/schedules.md#statement-reference. */
export function statementReference({
  scheduleId,
  reference,
}: Pick<Schedule, 'scheduleId' | 'reference'>): string {
  const own = (): string => scheduleId.slice(-LONGEST).toUpperCase().replace(REFUSED_WORDS, 'X');
  return wireText(reference ?? own(), LONGEST);
}

/** Validates a reference in a body; absent and null are allowed. */
export function referenceErrors(value: unknown): Record<string, string> {
  if (typeof value !== 'string') return {};
  const [refused] = value.match(REFUSED_WORDS) ?? [];
  if (refused !== undefined)
    return { reference: `must not contain “${refused}”, which a bank refuses` };
  if (REFERENCE_FORMAT.test(value) && wireText(value, LONGEST).length >= SHORTEST) return {};
  return {
    reference:
      "must be 6 to 18 letters, digits, blanks and / - ? : ( ) . , ' + &, without a blank at either end; " +
      'of these, banks take letters, digits, blanks, - and ., which must be 6 at least',
  };
}
