import type { Choice } from '../../../ui/fields/choices.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

/** How long a session may go unused, in minutes. */
export const IDLE_CHOICES: readonly Choice[] = [
  { value: '15', label: '15 minutes' },
  { value: '30', label: '30 minutes' },
  { value: String(HOUR), label: '1 hour' },
  { value: String(8 * HOUR), label: '8 hours' },
  { value: String(DAY), label: '1 day' },
  { value: '', label: '7 days' },
];

/** How long a session may last, in minutes. */
export const LONGEST_CHOICES: readonly Choice[] = [
  { value: String(8 * HOUR), label: '8 hours' },
  { value: String(12 * HOUR), label: '12 hours' },
  { value: String(DAY), label: '1 day' },
  { value: String(7 * DAY), label: '7 days' },
  { value: String(30 * DAY), label: '30 days' },
  { value: '', label: 'No limit' },
];

/** Returns the choices, and the present value where it is none of them. */
export function optionsWith(choices: readonly Choice[], present: number | null): Choice[] {
  const value = String(present ?? '');
  return choices.some((choice) => choice.value === value)
    ? [...choices]
    : [{ value, label: `${value} minutes` }, ...choices];
}
