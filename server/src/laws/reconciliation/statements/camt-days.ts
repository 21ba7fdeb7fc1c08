import type { CamtStatement } from '../../../wallets/camt.ts';

/** Whether a statement is of a day: by its period, or because it has an entry of that day. */
export function isOf({ from, to, entries }: CamtStatement, date: Temporal.PlainDate): boolean {
  const { compare } = Temporal.PlainDate;
  const isWithin =
    from !== undefined && to !== undefined && compare(from, date) <= 0 && compare(date, to) <= 0;
  return isWithin || entries.some(({ bookedOn }) => bookedOn.equals(date));
}

/** How many accounts are named before the rest are counted. */
const NAMED = 5;

/** Says which accounts a file holds, and of which days. */
export function heldBy(file: readonly CamtStatement[]): string {
  if (file.length === 0) return 'no statement';
  const held = file.slice(0, NAMED).map((one) => `${one.account} of ${daysOf(one)}`);
  const others = file.length - held.length;
  return others === 0 ? held.join(', ') : `${held.join(', ')} and ${others} others`;
}

function daysOf({ from, to, entries }: CamtStatement): string {
  const days = entries.map((one) => one.bookedOn).sort(Temporal.PlainDate.compare);
  const [first, last] = [from ?? days[0], to ?? days.at(-1)];
  if (first === undefined || last === undefined) return 'no day';
  return first.equals(last) ? `${first}` : `${first} to ${last}`;
}
