import { parseArgs } from 'node:util';
import type { Settings } from './world.ts';

/** Christmas, the leap day of 2028, both changes of the clocks and Easter lie within a year from here. */
const START = '2027-12-15T00:00:00Z';

const OPTIONS = {
  seed: { type: 'string', default: '42' },
  days: { type: 'string', default: '60' },
  merchants: { type: 'string', default: '5' },
  schedules: { type: 'string', default: '100' },
  start: { type: 'string', default: START },
  /** The step after which it stops and tells what has happened in it. */
  'until-step': { type: 'string' },
  /** The minutes in which what falls due is done together; by itself one, and five where there is very much to do. */
  every: { type: 'string' },
  /** Where all lines of the history are written. */
  history: { type: 'string' },
} as const;

/** Days times schedules. */
const MUCH = 100_000;

/** A whole number from 1. Throws what is said to whoever typed another thing. */
export function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new Error(`--${name} must be a whole number from 1`);
}

const MINUTES_OF_AN_HOUR = 60;

function everyOf(text: string | undefined, size: number): number {
  if (text === undefined) return size > MUCH ? 5 : 1;
  const minutes = wholeNumber('every', text);
  if (MINUTES_OF_AN_HOUR % minutes === 0) return minutes;
  throw new Error('--every must be a divisor of 60');
}

/** What a run is told on the command line. Throws an error with the sentence to be shown. */
export function readSettings(args: readonly string[]): {
  settings: Settings;
  history: string | null;
} {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const untilStep = values['until-step'];
  const days = wholeNumber('days', values.days);
  const schedules = wholeNumber('schedules', values.schedules);
  return {
    settings: {
      seed: values.seed,
      days,
      merchants: wholeNumber('merchants', values.merchants),
      schedules,
      start: Temporal.Instant.from(values.start),
      untilStep: untilStep === undefined ? null : wholeNumber('until-step', untilStep),
      every: everyOf(values.every, days * schedules),
    },
    history: values.history ?? null,
  };
}

/** The command that lives through the same again, up to this step. */
export function replayCommand(settings: Settings, step: number): string {
  const { seed, days, merchants, schedules, every } = settings;
  const start = settings.start.toString();
  const told = { seed, days, merchants, schedules, start, every, 'until-step': step };
  const options = Object.entries(told).map(([name, value]) => `--${name} ${value}`);
  return `npm run simulate -- ${options.join(' ')}`;
}
