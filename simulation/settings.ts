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
  /** Where all lines of the history are written. */
  history: { type: 'string' },
} as const;

/** A whole number from 1. Throws what is said to whoever typed another thing. */
export function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new Error(`--${name} must be a whole number from 1`);
}

/** What a run is told on the command line. Throws an error with the sentence to be shown. */
export function readSettings(args: readonly string[]): {
  settings: Settings;
  history: string | null;
} {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const untilStep = values['until-step'];
  return {
    settings: {
      seed: values.seed,
      days: wholeNumber('days', values.days),
      merchants: wholeNumber('merchants', values.merchants),
      schedules: wholeNumber('schedules', values.schedules),
      start: Temporal.Instant.from(values.start),
      untilStep: untilStep === undefined ? null : wholeNumber('until-step', untilStep),
    },
    history: values.history ?? null,
  };
}

/** The command that lives through the same again, up to this step. */
export function replayCommand(settings: Settings, step: number): string {
  const { seed, days, merchants, schedules, start } = settings;
  const told = { seed, days, merchants, schedules, start: start.toString(), 'until-step': step };
  const options = Object.entries(told).map(([name, value]) => `--${name} ${value}`);
  return `npm run simulate -- ${options.join(' ')}`;
}
