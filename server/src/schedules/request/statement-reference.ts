import { createHash } from 'node:crypto';
import {
  LONGEST_WIRE_REFERENCE,
  refusedWordIn,
  wireText,
  withoutRefusedWords,
} from '../../platform/values/wire-text.ts';
import type { Schedule } from '../terms/schedule.ts';

/** Modulr, and some banks, take no shorter one. */
const SHORTEST = 6;
const LONGEST = LONGEST_WIRE_REFERENCE;
/** The characters of Faster Payments, without a blank at either end. Those that a bank may not take are replaced on the way. */
const REFERENCE_FORMAT =
  /^(?=.{6,18}$)[A-Za-z0-9/?:().,'+&-][A-Za-z0-9 /?:().,'+&-]*[A-Za-z0-9/?:().,'+&-]$/;
/** Without vowels, so that no code is a word, and without digits that look like letters. */
const CODE_LETTERS = '23456789BCDFGHJKLMNPQRSTVWXYZ';
const CODE_LENGTH = 6;

/**
 * Returns what stands on the customer's statement: docs/rules/schedules.md#statement-reference. A schedule that an earlier
 * version made has no reference: the end of its id stands there.
 */
export function statementReference({
  scheduleId,
  reference,
}: Pick<Schedule, 'scheduleId' | 'reference'>): string {
  return wireText(reference ?? endOfId(scheduleId), LONGEST);
}

const endOfId = (scheduleId: string): string =>
  withoutRefusedWords(scheduleId.slice(-LONGEST).toUpperCase());

/** What a default reference is made of. */
interface Named {
  /** What the references of its merchant begin with. */
  statementName: string;
  /** How the merchant knows the customer; null: not at all. */
  customerReference: string | null;
}

/** Returns the reference of a customer whom the merchant knows by one; null where that is none, or does not fit. */
export function readableReference({ statementName, customerReference }: Named): string | null {
  if (customerReference === null) return null;
  const readable = `${statementName} ${customerReference}`;
  const isTaken = wireText(readable, LONGEST + 1) === readable;
  return isTaken && Object.keys(referenceErrors(readable)).length === 0 ? readable : null;
}

/**
 * Returns the reference of a new schedule whose merchant gives none: readable, with a code of its id where the customer has no
 * reference that fits, or another schedule with the same.
 */
export function defaultReference(
  { scheduleId, ...named }: Named & { scheduleId: string },
  isTaken: (reference: string) => boolean,
): string {
  const readable = readableReference(named);
  if (readable !== null && !isTaken(readable)) return readable;
  const code = codeOf(scheduleId);
  const both = `${readable ?? named.statementName} ${code}`;
  return both.length <= LONGEST ? both : `${named.statementName} ${code}`;
}

/** Returns the code of a schedule: the same for the same id. */
function codeOf(scheduleId: string): string {
  const bytes = createHash('sha256').update(scheduleId).digest();
  return [...bytes.subarray(0, CODE_LENGTH)]
    .map((byte) => CODE_LETTERS.charAt(byte % CODE_LETTERS.length))
    .join('');
}

/** Validates a reference in a body; absent and null are allowed. */
export function referenceErrors(value: unknown): Record<string, string> {
  if (typeof value !== 'string') return {};
  const sent = wireText(value, LONGEST);
  const refused = refusedWordIn(sent);
  if (refused !== null) return { reference: `must not contain “${refused}”, which a bank refuses` };
  if (REFERENCE_FORMAT.test(value) && sent.length >= SHORTEST) return {};
  return {
    reference:
      "must be 6 to 18 letters, digits, blanks and / - ? : ( ) . , ' + &, without a blank at either end; " +
      'of these, banks take letters, digits, blanks, - and ., which must be 6 at least',
  };
}
