import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useSharedServer } from '../../server/test-support/shared-server.ts';
import { DEFECTS, type Defect } from './defects.ts';
import { changed, runWith } from './planted.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const MOST_SEEDS = 5;
const LONGEST_MS = 900_000;
const SIZE = ['--days', '6', '--merchants', '3', '--schedules', '60'];

/** The first seed that notices the defect; null: none did. */
async function noticedBy({ file, from, to }: Defect, scratch: string): Promise<number | null> {
  const planted = changed(join(root, 'server/src', file), from, to);
  const note = join(scratch, 'defect.json');
  for (let seed = 1; seed <= MOST_SEEDS; seed++) {
    const args = ['simulation/main.ts', '--seed', String(seed), ...SIZE];
    if (!(await runWith(planted, note, LONGEST_MS, ...args))) return seed;
  }
  return null;
}

/** Whether the simulation is worth anything: plants one defect after the other, each of which some seed must notice. */
export async function mutateForSimulation(): Promise<boolean> {
  const scratch = mkdtempSync(join(tmpdir(), 'defects-'));
  const server = await useSharedServer();
  let noticed = 0;
  try {
    for (const defect of DEFECTS) {
      const seed = await noticedBy(defect, scratch);
      if (seed !== null) noticed++;
      console.log(`${seed === null ? 'LIVES ' : 'killed'}  ${defect.name} (seed ${seed})`);
    }
    console.log(`${noticed} of ${DEFECTS.length} planted defects were noticed by the simulation`);
    return noticed === DEFECTS.length;
  } finally {
    rmSync(scratch, { recursive: true });
    await server.leave(true);
  }
}
