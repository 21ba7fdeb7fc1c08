// Many seeds, each in a process of its own: `npm run soak -- --seeds 20 --days 60`. Their times lie around the days on which
// calendars go wrong. With `--varied` each seed has days, sizes and a start of its own. Exit code 0 only if every law held in all
// of them.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { program, wholeNumber } from '../scripts/arguments.ts';
import { mapInParallel } from '../server/src/platform/network/concurrency-limits.ts';
import { useSharedServer } from '../server/test-support/shared-server.ts';
import { settingsAsOptions } from './settings.ts';
import { variedSettings } from './varied.ts';

/** What the seeds live through in turn, each in the middle of its days. */
const MOMENTS = [
  ['the leap day', '2028-02-29'],
  ['Christmas', '2027-12-25'],
  ['clocks going forward', '2028-03-26'],
  ['clocks going back', '2028-10-29'],
  ['Easter', '2028-04-16'],
  ['the holidays of May', '2028-05-15'],
] as const;

const SIMULATE = fileURLToPath(new URL('./main.ts', import.meta.url));

interface Outcome {
  isGood: boolean;
  /** The last line of a good run, the whole of what a bad one said. */
  said: string;
}

interface Options {
  seeds: number;
  first: number;
  days: number;
  merchants: number;
  schedules: number;
  processes: number;
  varied?: boolean;
}

const PROGRAM = program('soak', 'Simulates many seeds around the days on which calendars go wrong.')
  .option('--seeds <n>', 'how many', wholeNumber, 20)
  .option('--first <n>', 'the number of the first seed', wholeNumber, 1)
  .option('--days <n>', 'how long each lives', wholeNumber, 60)
  .option('--merchants <n>', 'how many merchants each has', wholeNumber, 4)
  .option('--schedules <n>', 'how many schedules each has', wholeNumber, 80)
  .option('--processes <n>', 'how many run at once', wholeNumber, 2)
  .option('--varied', 'each seed has days, sizes and a start of its own: most are small');

/** Runs one seed to its end. */
function runSeed(options: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [SIMULATE, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  const heard: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => heard.push(chunk.toString()));
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  child.on('error', (error) => resolve({ isGood: false, said: error.message }));
  child.on('close', (code) => {
    const lines = said.join('').trimEnd().split('\n');
    const isGood = code === 0;
    resolve({ isGood, said: isGood ? lines.slice(-2).join(', ') : heard.join('').trimEnd() });
  });
  return promise;
}

/** What a seed is told, and around which day it lives. */
function optionsOf(seed: number, { days, merchants, schedules, varied }: Options) {
  if (varied) {
    const { settings, around } = variedSettings(String(seed));
    return { options: settingsAsOptions(settings), around };
  }
  const [around, date] = MOMENTS[seed % MOMENTS.length] ?? MOMENTS[0];
  const first = Temporal.PlainDate.from(date).subtract({ days: Math.floor(days / 2) });
  const start = `${first}T00:00:00Z`;
  const told = { seed, days, merchants, schedules, start };
  return {
    options: Object.entries(told).flatMap(([key, value]) => [`--${key}`, String(value)]),
    around,
  };
}

async function main(asked: Options): Promise<number> {
  const { seeds, first, processes } = asked;
  const numbers = Array.from({ length: seeds }, (_, n) => first + n);
  const outcomes = await mapInParallel(numbers, processes, async (seed) => {
    const { options, around } = optionsOf(seed, asked);
    const outcome = await runSeed(options);
    const told = options.slice(2).join(' ');
    const said = `${outcome.isGood ? '' : 'FAILED\n'}${outcome.said}`;
    console.log(`seed ${seed}, around ${around}, ${told}: ${said}`);
    return outcome;
  });
  const failed = outcomes.filter(({ isGood }) => !isGood).length;
  console.log(`${seeds - failed} of ${seeds} seeds held every law`);
  return failed === 0 ? 0 : 1;
}

const options = PROGRAM.parse().opts<Options>();
const server = await useSharedServer();
try {
  process.exitCode = await main(options);
} finally {
  await server.leave(true);
}
