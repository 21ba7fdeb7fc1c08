// Slow: starts and kills whole programs.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { START } from '../kills.ts';
import { makeWorld, removeWorld } from '../world.ts';
import { drillScenario } from './drill.ts';

/** Other tests keep the machine busy. */
const PATIENCE = 3;

test('whatever breaks says so to those whom it concerns, and is made good once it is whole again', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'recollect-drill-'));
  const world = await makeWorld(dir, '1', START);
  t.after(async () => {
    await world.close(false);
    removeWorld(dir);
  });
  const { wrong, left } = await drillScenario(world, (line) => t.diagnostic(line), PATIENCE);
  for (const one of left) t.diagnostic(`not tried: ${one}`);
  assert.deepEqual(wrong, []);
});
