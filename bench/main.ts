// The figures of docs/performance.md: `npm run bench` for all of them, `npm run bench -- api webhooks` for some, `--full` for
// the largest sizes. Each is a ratio within one run; the results go to bench/results, and `npm run plots` draws them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Figure, Results } from './figure.ts';
import { api } from './figures/api.ts';
import { dueRun } from './figures/due-run.ts';
import { growth } from './figures/growth.ts';
import { limit } from './figures/limit.ts';
import { peers } from './figures/peers.ts';
import { webhooks } from './figures/webhooks.ts';
import { describeMachine } from './stand/machine.ts';

const FIGURES: readonly Figure[] = [dueRun, limit, peers, growth, api, webhooks];
const RESULTS = fileURLToPath(new URL('./results/', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
  },
});

function chosen(): readonly Figure[] {
  const unknown = positionals.filter((name) => !FIGURES.some((figure) => figure.name === name));
  const names = FIGURES.map((figure) => figure.name).join(', ');
  if (unknown.length > 0) throw new Error(`no figure is called ${unknown.join(', ')}: ${names}`);
  return positionals.length === 0
    ? FIGURES
    : FIGURES.filter((figure) => positionals.includes(figure.name));
}

async function measure(figure: Figure, rounds: number): Promise<void> {
  console.log(`\n${figure.title}`);
  const machine = describeMachine();
  const rows = await figure.run({ rounds, isFull: values.full, say: (line) => console.log(line) });
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

for (const figure of chosen()) await measure(figure, Number(values.rounds));
