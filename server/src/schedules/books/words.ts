import { wordsOf } from '../../customers/words.ts';
import { statementReference } from '../request/statement-reference.ts';
import type { Schedule, Terms } from '../terms/schedule.ts';

const MAX_WORDS = 60;
/** How deep metadata is looked through. */
const MAX_DEPTH = 4;

/** No amount has more digits. */
const AMOUNT_DIGITS = 12;

/**
 * Returns the entry of an amount in the index of words: no word of a text looks like it, and entries sort as amounts do. A
 * schedule has one for every amount that its payments may have.
 */
export function amountEntry(pence: number): string {
  return `£${String(pence).padStart(AMOUNT_DIGITS, '0')}`;
}

/** Returns the words by which a schedule is found: of its description, the values of its metadata and its reference. */
export function wordsOfSchedule(
  schedule: Pick<Schedule, 'scheduleId' | 'description' | 'metadata' | 'reference'>,
): string[] {
  const texts = [
    schedule.description,
    statementReference(schedule),
    ...valuesOf(schedule.metadata, 0),
  ];
  return wordsOf(texts.join(' '), MAX_WORDS);
}

/** Returns every entry of a schedule in the index of words. */
export function entriesOf(
  schedule: Schedule,
  { amountPence }: Pick<Terms, 'amountPence'>,
): string[] {
  return [...wordsOfSchedule(schedule), amountEntry(amountPence)];
}

/** Returns the texts and numbers in metadata. */
function valuesOf(value: unknown, depth: number): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((inner) => valuesOf(inner, depth + 1));
}
