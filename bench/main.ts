// Measures the figures of docs/performance.md: `npm run bench` for all of them, `npm run bench -- api webhooks` for some,
// `--full` for the largest sizes. Each is a ratio within one run; the results go to bench/results, and `npm run plots` draws
// them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Argument } from 'commander';
import { program, wholeNumber } from '../scripts/arguments.ts';
import type { Figure, Results } from './figure.ts';
import { api } from './figures/api.ts';
import { dueRun } from './figures/due-run.ts';
import { engines } from './figures/engines.ts';
import { fullPages } from './figures/full-pages.ts';
import { growth } from './figures/growth.ts';
import { limit } from './figures/limit.ts';
import { overload } from './figures/overload.ts';
import { peers } from './figures/peers.ts';
import { webhooks } from './figures/webhooks.ts';
import { describeMachine } from './stand/machine.ts';

const FIGURES: readonly Figure[] = [
  dueRun,
  limit,
  peers,
  growth,
  api,
  webhooks,
  fullPages,
  overload,
  engines,
];
const RESULTS = fileURLToPath(new URL('./results/', import.meta.url));

interface Options {
  full: boolean;
  rounds: number;
}

const command = program(
  'bench',
  'Measures the figures of docs/performance.md, all of them or some.',
)
  .addArgument(
    new Argument('[figures...]', 'which of them').choices(FIGURES.map((figure) => figure.name)),
  )
  .option('--full', 'the largest sizes too, which takes hours', false)
  .option('--rounds <n>', 'rounds of each contender; the middle one counts', wholeNumber, 5)
  .parse();
const options = command.opts<Options>();
const chosen = FIGURES.filter(
  ({ name }) => command.args.length === 0 || command.args.includes(name),
);

async function measure(figure: Figure, { rounds, full }: Options): Promise<void> {
  console.log(`\n${figure.title}`);
  const machine = describeMachine();
  const rows = await figure.run({ rounds, isFull: full, say: (line) => console.log(line) });
  console.table(rows);
  const results: Results = {
    figure: figure.name,
    title: figure.title,
    measuredAt: new Date().toISOString(),
    rounds,
    machine,
    rows,
  };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(`${RESULTS}${figure.name}.json`, `${JSON.stringify(results, null, 2)}\n`);
}

for (const figure of chosen) await measure(figure, options);
