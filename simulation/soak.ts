// Many seeds, each in a process of its own: `npm run soak -- --seeds 20 --days 60`. Their times lie around the days on which
// calendars go wrong. Exit code 0 only if every law held in all of them.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mapInParallel } from '../server/src/platform/lanes.ts';
import { useSharedServer } from '../server/test-support/shared-server.ts';
import { wholeNumber } from './settings.ts';

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
const WRONG_USE = 2;

interface Outcome {
  isGood: boolean;
  /** The last line of a good run, the whole of what a bad one said. */
  said: string;
}

function readOptions(args: readonly string[]): Record<string, number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '20' },
      /** The number of the first seed. */
      first: { type: 'string', default: '1' },
      days: { type: 'string', default: '60' },
      merchants: { type: 'string', default: '4' },
      schedules: { type: 'string', default: '80' },
      /** How many at once. */
      processes: { type: 'string', default: '2' },
    },
  });
  return Object.fromEntries(
    Object.entries(values).map(([name, text]) => [name, wholeNumber(name, text)]),
  );
}

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

async function main(args: readonly string[]): Promise<number> {
  const { seeds = 1, first = 1, days = 1, processes = 1, ...sizes } = readOptions(args);
  const numbers = Array.from({ length: seeds }, (_, n) => first + n);
  const outcomes = await mapInParallel(numbers, processes, async (seed) => {
    const [name, date] = MOMENTS[seed % MOMENTS.length] ?? MOMENTS[0];
    const start = Temporal.PlainDate.from(date).subtract({ days: Math.floor(days / 2) });
    const told = { seed, days, ...sizes, start: `${start}T00:00:00Z` };
    const options = Object.entries(told).flatMap(([key, value]) => [`--${key}`, String(value)]);
    const outcome = await runSeed(options);
    console.log(`seed ${seed}, around ${name}: ${outcome.isGood ? '' : 'FAILED\n'}${outcome.said}`);
    return outcome;
  });
  const failed = outcomes.filter(({ isGood }) => !isGood).length;
  console.log(`${seeds - failed} of ${seeds} seeds held every law`);
  return failed === 0 ? 0 : 1;
}

const server = await useSharedServer();
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = WRONG_USE;
} finally {
  await server.leave(true);
}
