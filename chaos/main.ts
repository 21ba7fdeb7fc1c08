// Crashes for real: `npm run chaos -- --seed 1 --kills 50 [--only kills|failover]`. The real programs, killed while they work,
// over a real PostgreSQL, bank and issuer. Exit code 0 only if all books agree afterwards and nothing waits for a hand.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { failoverScenario } from './failover.ts';
import { killsScenario, START } from './kills.ts';
import { type Outcome, show } from './report.ts';
import { makeWorld, removeWorld, type World } from './world.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '50' },
    /** One scenario alone. */
    only: { type: 'string' },
  },
});

type Scenario = (world: World, told: (line: string) => void) => Promise<Outcome>;

const kills = Number(values.kills);
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  kills: (world, told) => killsScenario(world, kills, told),
  failover: failoverScenario,
};

const wanted = values.only === undefined ? Object.keys(SCENARIOS) : [values.only];
if (!Number.isSafeInteger(kills) || kills < 1 || wanted.some((name) => !(name in SCENARIOS))) {
  console.error(
    `--kills is a whole number from 1, --only one of ${Object.keys(SCENARIOS).join(', ')}`,
  );
  process.exit(2);
}

const began = performance.now();
const told = (line: string): void => {
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${line}`);
};

async function live(name: string, scenario: Scenario): Promise<boolean> {
  const dir = mkdtempSync(join(tmpdir(), `recollect-chaos-${name}-`));
  told(`${name}, seed ${values.seed}, in ${dir}`);
  const world = await makeWorld(dir, values.seed, START);
  let isWell = false;
  try {
    const outcome = await scenario(world, told);
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
for (const name of wanted) {
  const scenario = SCENARIOS[name];
  if (scenario !== undefined && !(await live(name, scenario))) process.exitCode = 1;
}
