import type { Schedule } from '../terms/schedule.ts';

const LONGEST = 18;
/** The characters that every bank of Faster Payments passes on, without a blank at either end. */
const REFERENCE_FORMAT =
  /^(?=.{6,18}$)[A-Za-z0-9/?:().,'+&-][A-Za-z0-9 /?:().,'+&-]*[A-Za-z0-9/?:().,'+&-]$/;

/** Returns what stands on the customer's statement: docs/rules/schedules.md#statement-reference. */
export function statementReference({
  scheduleId,
  reference,
}: Pick<Schedule, 'scheduleId' | 'reference'>): string {
  return reference ?? scheduleId.slice(-LONGEST).toUpperCase();
}

/** Validates a reference in a body; absent and null are allowed. */
export function referenceErrors(value: unknown): Record<string, string> {
  if (typeof value !== 'string' || REFERENCE_FORMAT.test(value)) return {};
  return {
    reference:
      "must be 6 to 18 letters, digits, blanks and / - ? : ( ) . , ' + &, without a blank at either end",
  };
}
