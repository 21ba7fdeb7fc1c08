import type { World } from './world.ts';

/** The result of a scenario. */
export interface Outcome {
  name: string;
  /** Groups of rows: what was done, and the figures of the books. */
  tables: [string, [string, number | string][]][];
  wrong: string[];
  /** What could not be tried here, and why. */
  left: string[];
}

const MAX_LINES = 60;

/** Prints what was done and found. */
export function show({ name, tables, wrong, left }: Outcome): void {
  console.log(`\n${name}`);
  for (const [title, rows] of tables) {
    console.log(`\n  ${title}`);
    for (const [what, count] of rows) console.log(`  ${String(count).padStart(10)}  ${what}`);
  }
  for (const line of left) console.log(`\n  NOT TRIED: ${line}`);
  if (wrong.length === 0) {
    console.log('\n  every book agrees, every law holds, nothing waits for a hand\n');
    return;
  }
  console.log(`\n  WRONG (${wrong.length})`);
  for (const line of wrong.slice(0, MAX_LINES)) console.log(`    ${line}`);
}

/** Returns the services' log messages, most frequent first. */
export function countMessages(world: World): [string, number][] {
  return [...world.sentences.counts].sort(([, a], [, b]) => b - a);
}

/** Returns the programs that exited without being killed, and the laws that the services reported as broken meanwhile. */
export function endings({ services, sentences }: World): string[] {
  return [...services.flatMap((program) => program.unexpected), ...sentences.brokenLaws];
}
