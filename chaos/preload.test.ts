import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { WorldClock } from './world-clock.ts';

const PRELOAD = fileURLToPath(new URL('./preload.ts', import.meta.url));
const SHOW = `console.log(JSON.stringify([
  Date.now(), new Date().getTime(), Temporal.Now.instant().epochMilliseconds, new Date(0).getTime()]))`;
const NEAR_MS = 20_000;

/** Returns what the clocks of a process show, and a fixed moment. */
function clocksOf(file: string): number[] {
  const args = ['--import', PRELOAD, '--input-type=module', '-e', SHOW];
  const output = execFileSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, CHAOS_CLOCK: file },
  });
  return JSON.parse(output) as number[];
}

test('every clock of a process shows the time of the world, wrong by as much as it was set', () => {
  const dir = mkdtempSync(join(tmpdir(), 'recollect-chaos-clock-'));
  try {
    const start = Temporal.Instant.from('2031-05-06T07:08:09Z');
    const clock = new WorldClock(dir, start);
    const file = clock.fileOf('service');
    clock.setWrong('service', -300_000);
    clock.step(Temporal.Duration.from({ hours: 24 }));
    const wanted = clock.now().epochMilliseconds - 300_000;
    const [fixed, ...shown] = clocksOf(file).reverse();
    for (const ms of shown) assert.ok(Math.abs(ms - wanted) < NEAR_MS, `${ms - wanted} ms off`);
    assert.deepEqual([shown.length, fixed], [3, 0]);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
