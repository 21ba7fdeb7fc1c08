// A long time of the service under fire: `npm run simulate -- --seed 42 --days 365 --merchants 20 --schedules 2000`.
// The same seed has the same history, byte for byte. With `--overlap` two processes overlap on one PostgreSQL instead
// (`--overlap --seed 7 --rounds 40`). Exit code 0 only if every law held. RECOLLECT_TEST_POSTGRES: the
// superuser's URL of another server, such as the coordinator of a cluster.
import { writeFileSync } from 'node:fs';
import { useSharedServer } from '../server/test-support/shared-server.ts';
import { runOverlap } from './overlap-main.ts';
import { readSettings, replayCommand } from './settings.ts';
import { type Result, simulate } from './simulate.ts';
import type { Settings } from './world.ts';

const DAYS_BETWEEN_LINES = 10;

function show(counts: ReadonlyMap<string, number>): void {
  for (const [kind, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  ${String(count).padStart(8)}  ${kind}`);
}

/** The end of the output: what was broken and how to see it again, or the hash over all that happened. */
function conclude(settings: Settings, { broken, sha256, steps, lastStep }: Result): number {
  if (broken !== null) {
    const { at, step, lines, rows } = broken;
    console.error(`broken in step ${step}, at ${at}:\n  ${lines.join('\n  ')}`);
    console.error(`what happened in step ${step}:\n  ${lastStep.join('\n  ')}`);
    if (rows.length > 0) console.error(`rows and history of it:\n  ${rows.join('\n  ')}`);
    console.error(`once more: ${replayCommand(settings, step)}`);
    return 1;
  }
  if (sha256 === null) console.log(`stopped after step ${steps}:\n  ${lastStep.join('\n  ')}`);
  else console.log(`history ${sha256}`);
  return 0;
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--overlap')) return withServer(() => runOverlap(args));
  const { settings, history } = readSettings(args);
  const began = performance.now();
  const seconds = (): string => `${((performance.now() - began) / 1000).toFixed(1)} s`;
  return withServer(async () => {
    const result = await simulate(settings, (day) => {
      if (day % DAYS_BETWEEN_LINES === 0) console.log(`day ${day}, ${seconds()}`);
    });
    show(result.counts);
    if (history !== null) writeFileSync(history, result.lines.join('\n'));
    console.log(
      `${settings.days} days from ${settings.start}, ${result.steps} steps in ${seconds()}`,
    );
    return conclude(settings, result);
  });
}

async function withServer(work: () => Promise<number>): Promise<number> {
  const server = process.env.RECOLLECT_TEST_POSTGRES ? null : await useSharedServer();
  try {
    process.env.RECOLLECT_TEST_POSTGRES ??= server?.url;
    return await work();
  } finally {
    await server?.leave(true);
  }
}

process.exitCode = await main(process.argv.slice(2));
