import type { Frequency, Schedule } from '@recollect/sdk';

type Term = 'amount' | 'frequency' | 'end_date';

/** Returns the terms that differ from what the customer agreed to: docs/rules/consents.md#changes-beyond-the-consent. */
export function openChanges(schedule: Schedule): Term[] {
  const { consented, amount, frequency, end_date } = schedule;
  if (consented === null) return [];
  const changed: Term[] = [];
  if (amount.value !== consented.amount.value || amount.currency !== consented.amount.currency)
    changed.push('amount');
  if (!isSameFrequency(frequency, consented.frequency)) changed.push('frequency');
  if (end_date !== consented.end_date) changed.push('end_date');
  return changed;
}

function isSameFrequency(one: Frequency, other: Frequency): boolean {
  const day = (frequency: Frequency) => (frequency.type === 'daily' ? null : frequency.day);
  return one.type === other.type && day(one) === day(other) && one.interval === other.interval;
}
