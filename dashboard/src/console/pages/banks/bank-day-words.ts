import type { BankDay, ConditionPeriod } from '../../api/banks.ts';

/** More would hide what matters: the longest are named. */
const MAX_NAMED = 4;

interface Trouble {
  what: string;
  from: string;
  to: string;
}

const lengthOf = ({ from, to }: { from: string; to: string }): number =>
  Date.parse(to) - Date.parse(from);

const isTrouble = (
  one: ConditionPeriod,
): one is ConditionPeriod & { condition: 'degraded' | 'down' } =>
  one.condition === 'degraded' || one.condition === 'down';

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Says what a strip of 24 hours shows: "Down 02:10–02:45, degraded 09:00–09:20". `timeOf` formats a time of day. */
export function dayWords(
  { last_day: day, last_day_stops: stops }: BankDay,
  timeOf: (at: string) => string,
): string {
  const [first] = day;
  const end = day.at(-1)?.to;
  if (first === undefined || end === undefined) return '';
  const words = ({ what, from, to }: Trouble): string => {
    if (to === end)
      return from === first.from ? `${what} all day` : `${what} since ${timeOf(from)}`;
    if (from === first.from) return `${what} until ${timeOf(to)}`;
    const [begun, ended] = [timeOf(from), timeOf(to)];
    return begun === ended ? `${what} at ${begun}` : `${what} ${begun}–${ended}`;
  };
  const troubles: Trouble[] = [
    ...day.filter(isTrouble).map(({ condition, from, to }) => ({ what: condition, from, to })),
    ...stops.map(({ from, to }) => ({ what: 'stopped', from, to })),
  ].sort((a, b) => Date.parse(a.from) - Date.parse(b.from));
  const longest = troubles.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, MAX_NAMED);
  const named = troubles.filter((one) => longest.includes(one)).map(words);
  const more = troubles.length - named.length;
  const isKnown = first.condition !== null || first.to !== end;
  return capitalised(
    [
      ...(troubles.length === 0 && isKnown ? ['no trouble'] : named),
      ...(more > 0 ? [`and ${more} shorter`] : []),
      ...(first.condition === null
        ? [isKnown ? `not called before ${timeOf(first.to)}` : 'not called']
        : []),
    ].join(', '),
  );
}
