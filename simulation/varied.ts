import { makeChance } from './chance.ts';
import type { Settings } from './world.ts';

/** Days on which calendars go wrong: a seed lives through one of them in the middle of its days, or begins anywhere. */
const MOMENTS: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['the leap day', '2028-02-29'],
  ['Christmas', '2027-12-26'],
  ['the new year', '2028-01-01'],
  ['clocks going forward', '2028-03-26'],
  ['clocks going back', '2028-10-29'],
  ['Easter', '2028-04-16'],
  ['the holidays of May', '2028-05-15'],
  ['the end of August', '2027-08-30'],
];

const ANYWHERE_DAYS = 700;
const FIRST = Temporal.PlainDate.from('2027-01-04');

/** Returns settings that follow from a seed alone: how long, how many, and around which day. Most runs are small. */
export function variedSettings(seed: string): { settings: Settings; around: string } {
  const chance = makeChance(`varied ${seed}`);
  const days = chance.pick([5, 5, 5, 6, 6, 7, 8, 12], 'days');
  const isLarge = chance.happens(0.04, 'large');
  const merchants = isLarge ? 6 : chance.pick([1, 2, 2, 3, 4], 'merchants');
  const schedules = isLarge ? 120 : chance.pick([12, 12, 15, 18, 20, 25, 60], 'schedules');
  const isAnywhere = chance.happens(0.25, 'anywhere');
  const [name, date] = chance.pick(MOMENTS, 'around');
  const middle = isAnywhere
    ? FIRST.add({ days: chance.whole(0, ANYWHERE_DAYS, 'day') })
    : Temporal.PlainDate.from(date);
  const start = middle
    .subtract({ days: Math.floor(days / 2) })
    .toZonedDateTime('UTC')
    .toInstant();
  const settings = { seed, days, merchants, schedules, start, untilStep: null, every: 1 };
  return { settings, around: isAnywhere ? middle.toString() : name };
}
