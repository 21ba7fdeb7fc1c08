// Runs crashes for real: `npm run chaos -- --seed 1 --kills 50 [--failovers 3] [--asynchronous 1] [--only drill|kills|failover]`.
// Kills the real programs while they work, over a real PostgreSQL, bank and issuer. Exit code 0 only if all books agree
// afterwards and nothing needs manual work.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import { program, wholeNumber } from '../scripts/arguments.ts';
import { drillScenario } from './drill/drill.ts';
import { failoverScenario } from './failover.ts';
import { killsScenario, START } from './kills.ts';
import { type Outcome, show } from './report.ts';
import { makeWorld, removeWorld, type World } from './world.ts';

interface Options {
  seed: string;
  kills: number;
  failovers: number;
  asynchronous: number;
  only?: string;
}

function countOrNone(text: string): number {
  return text === '0' ? 0 : wholeNumber(text);
}

type Scenario = (world: World, told: (line: string) => void) => Promise<Outcome>;

const { seed, kills, failovers, asynchronous, only } = program(
  'chaos',
  'Kills the real programs while they collect, and holds the books against each other afterwards.',
)
  .option('--seed <text>', 'kind and order of what goes wrong', '1')
  .option('--kills <n>', 'how often a process is killed', wholeNumber, 50)
  .option('--failovers <n>', 'how often the primary database is lost', wholeNumber, 3)
  .option(
    '--asynchronous <n>',
    'in so many of them the standby lacks the last seconds, and still takes its place',
    countOrNone,
    1,
  )
  .addOption(
    new Option('--only <scenario>', 'one of them alone').choices(['kills', 'failover', 'drill']),
  )
  .parse()
  .opts<Options>();

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  kills: (world, told) => killsScenario(world, kills, told),
  drill: (world, told) => drillScenario(world, told),
  failover: (world, told) => failoverScenario(world, { failovers, asynchronous }, told),
};

const began = performance.now();
const printProgress = (line: string): void => {
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${line}`);
};

async function live(name: string, scenario: Scenario): Promise<boolean> {
  const dir = mkdtempSync(join(tmpdir(), `recollect-chaos-${name}-`));
  printProgress(`${name}, seed ${seed}, in ${dir}`);
  const world = await makeWorld(dir, seed, START);
  let isWell = false;
  try {
    const outcome = await scenario(world, printProgress);
    show(outcome);
    isWell = outcome.wrong.length === 0;
  } finally {
    await world.close(!isWell);
    if (isWell) removeWorld(dir);
    else console.log(`the logs and the books of the partners stay in ${dir}`);
  }
  return isWell;
}

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
for (const [name, scenario] of Object.entries(SCENARIOS))
  if ((only ?? name) === name && !(await live(name, scenario))) process.exitCode = 1;
