import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useSharedServer } from '../../server/test-support/shared-server.ts';
import type { Defect } from './defect.ts';
import { DEFECTS } from './defects.ts';
import { changed, type Planted, runWith } from './planted.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const MAX_SEEDS = 5;
const LONGEST_MS = 900_000;
const DAYS = 6;
const SIZE = ['--merchants', '3', '--schedules', '60'];

/** Returns the first seed whose history breaks; null: none does. `of`: what a run lives through. */
async function brokenSeed(planted: Planted | null, of: readonly string[], scratch: string) {
  const note = join(scratch, 'defect.json');
  for (let seed = 1; seed <= MAX_SEEDS; seed++) {
    const args = ['simulation/main.ts', '--seed', String(seed), ...of];
    if (!(await runWith(planted, note, LONGEST_MS, ...args))) return seed;
  }
  return null;
}

/** Returns what notices a defect: a seed, or its test; null: neither. */
async function noticedIn(planted: Planted, defect: Defect, scratch: string) {
  if (defect.test === undefined) {
    const seed = await brokenSeed(planted, runOf(defect), scratch);
    return seed === null ? null : `seed ${seed}`;
  }
  const isGreen = await runWith(planted, join(scratch, 'defect.json'), LONGEST_MS, defect.test);
  return isGreen ? null : defect.test;
}

/**
 * Plants the defects whose name contains one of the words, or all of them, one after the other: some seed must
 * detect each, or its test.
 * Throws if a seed breaks with nothing planted, because it would prove nothing.
 */
export async function mutateForSimulation(words: readonly string[]): Promise<boolean> {
  const chosen = DEFECTS.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  const scratch = mkdtempSync(join(tmpdir(), 'defects-'));
  const server = await useSharedServer();
  let noticed = 0;
  try {
    for (const of of soundRuns(chosen)) {
      const broken = await brokenSeed(null, of, scratch);
      if (broken !== null) throw new Error(`seed ${broken} breaks with nothing planted: ${of}`);
    }
    for (const defect of chosen) {
      const planted = changed(join(root, 'server/src', defect.file), defect.from, defect.to);
      const noticedBy = await noticedIn(planted, defect, scratch);
      if (noticedBy !== null) noticed++;
      console.log(`${noticedBy === null ? 'LIVES ' : 'killed'}  ${defect.name} (${noticedBy})`);
    }
    console.log(`${noticed} of ${chosen.length} planted defects were noticed`);
    return noticed === chosen.length;
  } finally {
    rmSync(scratch, { recursive: true });
    await server.leave(true);
  }
}

const OVERLAP = ['--overlap', '--rounds', '40'];

const daysOf = ({ days = DAYS }: Defect): number => days;
const runFor = (days: number): string[] => ['--days', String(days), ...SIZE];
const runOf = (defect: Defect): string[] =>
  defect.overlaps === true ? OVERLAP : runFor(daysOf(defect));

/** The runs that have to hold with nothing planted: those of the chosen defects, of each kind the longest. */
function soundRuns(chosen: readonly Defect[]): string[][] {
  const bySeed = chosen.filter(({ test }) => test === undefined);
  const alone = bySeed.filter(({ overlaps }) => overlaps !== true);
  return [
    ...(alone.length > 0 ? [runFor(Math.max(DAYS, ...alone.map(daysOf)))] : []),
    ...(alone.length < bySeed.length ? [OVERLAP] : []),
  ];
}
