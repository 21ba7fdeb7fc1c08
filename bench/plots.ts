// Draws the results of the figures: `npm run plots` reads bench/results, and writes docs/images/performance and the tables of
// bench/results/README.md. The same results give the same pictures and tables, byte for byte.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, View } from 'vega';
import { compile } from 'vega-lite';
import type { Results } from './figure.ts';
import { PLOTS, type Plot } from './plots/specifications.ts';
import { writeTables } from './tables.ts';

const RESULTS = fileURLToPath(new URL('./results/', import.meta.url));
const PICTURES = fileURLToPath(new URL('../docs/images/performance/', import.meta.url));

/** Fonts that browsers without ours have too, and a white card, so that the plots are readable on dark pages. */
const CONFIG = {
  background: '#ffffff',
  font: 'Helvetica, Arial, sans-serif',
  padding: 16,
  view: { stroke: null },
  axis: { labelColor: '#3f3f46', titleColor: '#3f3f46', gridColor: '#e4e4e7', labelLimit: 260 },
  legend: { labelColor: '#3f3f46', titleColor: '#3f3f46' },
  title: { anchor: 'start', color: '#18181b', subtitleColor: '#52525b', offset: 12 },
} as const;

async function draw(plot: Plot, results: Results): Promise<string> {
  const { machine, rounds, measuredAt } = results;
  const programs = `PostgreSQL ${machine.postgres}, Node ${machine.node.slice(1)}`;
  const about = `${machine.cores} cores, ${programs}, median of ${rounds}, ${measuredAt.slice(0, 10)}`;
  const { spec } = compile({
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    config: CONFIG,
    title: { text: plot.title, subtitle: about },
    data: { values: [...plot.rows(results.rows)] },
    ...plot.specification,
  } as Parameters<typeof compile>[0]);
  const view = new View(parse(spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return `${svg}\n`;
}

mkdirSync(PICTURES, { recursive: true });
for (const plot of PLOTS) {
  const file = `${RESULTS}${plot.figure}.json`;
  if (!existsSync(file)) {
    console.log(`${plot.name}: there are no results yet (npm run bench -- ${plot.figure})`);
    continue;
  }
  const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
  writeFileSync(`${PICTURES}${plot.name}.svg`, await draw(plot, results));
  console.log(`docs/images/performance/${plot.name}.svg`);
}
writeTables();
