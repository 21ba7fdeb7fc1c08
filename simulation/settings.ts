import { InvalidArgumentError } from 'commander';
import { program, wholeNumber } from '../scripts/arguments.ts';
import type { Settings } from './world.ts';

/** Christmas, the leap day of 2028, both changes of the clocks and Easter lie within a year from here. */
const START = '2027-12-15T00:00:00Z';
/** Days times schedules. */
const MUCH = 100_000;
const MINUTES_OF_AN_HOUR = 60;

const PROGRAM = program('simulate', 'Lives through a long time of the service under seeded faults.')
  .option('--seed <text>', 'the same seed has the same history, byte for byte', '42')
  .option('--days <n>', 'how long', wholeNumber, 60)
  .option('--merchants <n>', 'how many merchants', wholeNumber, 5)
  .option('--schedules <n>', 'how many schedules, of all merchants together', wholeNumber, 100)
  .option('--start <moment>', 'the moment at which it begins', moment, moment(START))
  .option('--until-step <n>', 'stop after this step, and tell what happened in it', wholeNumber)
  .option(
    '--every <minutes>',
    'what falls due within so many minutes is done together, a divisor of 60 (default: 1, or 5 where there is much to do)',
    divisorOfAnHour,
  )
  .option('--history <file>', 'write all lines of the history to this file');

function moment(text: string): Temporal.Instant {
  try {
    return Temporal.Instant.from(text);
  } catch {
    throw new InvalidArgumentError(`It must be a moment such as ${START}.`);
  }
}

function divisorOfAnHour(text: string): number {
  const minutes = wholeNumber(text);
  if (MINUTES_OF_AN_HOUR % minutes === 0) return minutes;
  throw new InvalidArgumentError('It must be a divisor of 60.');
}

interface Options extends Omit<Settings, 'untilStep' | 'every'> {
  untilStep?: number;
  every?: number;
  history?: string;
}

/** What a run is told on the command line. Ends the process where that is wrong. */
export function readSettings(args: readonly string[]): {
  settings: Settings;
  history: string | null;
} {
  const { history, untilStep, every, ...given } = PROGRAM.parse(args, {
    from: 'user',
  }).opts<Options>();
  return {
    settings: {
      ...given,
      untilStep: untilStep ?? null,
      every: every ?? (given.days * given.schedules > MUCH ? 5 : 1),
    },
    history: history ?? null,
  };
}

/** The command that lives through the same again, up to a step or to the end. */
export function replayCommand(settings: Settings, step: number | null): string {
  const options = settingsAsOptions(settings);
  if (step !== null) options.push('--until-step', String(step));
  return `npm run simulate -- ${options.join(' ')}`;
}

/** The same settings, as the command line takes them. */
export function settingsAsOptions(settings: Settings): string[] {
  const { seed, days, merchants, schedules, every } = settings;
  const told = { seed, days, merchants, schedules, start: settings.start.toString(), every };
  return Object.entries(told).flatMap(([name, value]) => [`--${name}`, String(value)]);
}
