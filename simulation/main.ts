// A long time of the service under fire: `npm run simulate -- --seed 42 --days 365 --merchants 20 --schedules 2000`.
// The same seed has the same history, byte for byte. Exit code 0 only if every law held.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ensureTemplate } from '../server/test-support/database.ts';
import { useSharedServer } from '../server/test-support/shared-server.ts';
import { simulate } from './simulate.ts';
import { START } from './world.ts';

const DAYS_BETWEEN_LINES = 10;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '42' },
    days: { type: 'string', default: '60' },
    merchants: { type: 'string', default: '5' },
    schedules: { type: 'string', default: '100' },
    /** Where all lines of the history are written. */
    history: { type: 'string' },
  },
});

function wholeNumber(name: 'days' | 'merchants' | 'schedules'): number {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number > 0) return number;
  console.error(`--${name} must be a whole number from 1`);
  process.exit(2);
}

function show(counts: ReadonlyMap<string, number>): void {
  for (const [kind, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  ${String(count).padStart(8)}  ${kind}`);
}

const settings = {
  seed: values.seed,
  days: wholeNumber('days'),
  merchants: wholeNumber('merchants'),
  schedules: wholeNumber('schedules'),
};
const began = performance.now();
const seconds = (): string => `${((performance.now() - began) / 1000).toFixed(1)} s`;
const server = await useSharedServer();
try {
  process.env.RECOLLECT_TEST_POSTGRES = server.url;
  await ensureTemplate(server.url);
  const result = await simulate(settings, (day) => {
    if (day % DAYS_BETWEEN_LINES === 0) console.log(`day ${day}, ${seconds()}`);
  });
  show(result.counts);
  if (values.history !== undefined) writeFileSync(values.history, result.lines.join('\n'));
  console.log(`${settings.days} days from ${START.toString()} in ${seconds()}`);
  if (result.broken === null) console.log(`history ${result.sha256}`);
  else {
    const { at, lines } = result.broken;
    console.error(`broken with seed ${settings.seed} at ${at}:\n  ${lines.join('\n  ')}`);
    process.exitCode = 1;
  }
} finally {
  await server.leave(true);
}
