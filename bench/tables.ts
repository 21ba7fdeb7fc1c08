import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Results, Row } from './figure.ts';

const DOCUMENT = fileURLToPath(new URL('./results/README.md', import.meta.url));
const RESULTS = fileURLToPath(new URL('./results/', import.meta.url));

/** Column headings; by default the name in the results, with spaces for underscores. */
const HEADINGS: Readonly<Record<string, string>> = {
  collections_per_second: 'a second',
  per_second: 'a second',
  lawful_per_second: 'same laws, a second',
  bare_per_second: 'bare, a second',
  lawful_share: 'same laws to bare',
  our_share_percent: 'our share, %',
  our_share_by_cpu_percent: 'our share by CPU, %',
  ours_to_theirs: 'ours to theirs',
  ours_to_theirs_by_cpu: 'ours to theirs by CPU',
  cpu_ms_each: 'CPU of all parts each, ms',
  postgres_cpu_us: 'PostgreSQL CPU each, µs',
  our_cpu_us: 'our CPU each, µs',
  cpu_us: 'CPU each, µs',
  node_cpu_us: 'Node CPU each, µs',
  answers_after_ms: 'partners answer after, ms',
  to_one_engine: 'to one engine',
  wal_bytes: 'WAL each, bytes',
  wal_bytes_each: 'WAL each, bytes',
  told_p50_s: 'told, p50, s',
  told_p99_s: 'told, p99, s',
  recollect_share_percent: 'ours, %',
  postgres_share_percent: 'PostgreSQL, %',
  partners_share_percent: 'partners, %',
  receiver_share_percent: 'receiver, %',
  what: '',
  full_pages_each: 'full pages each',
  median_ms: 'median, ms',
  mb_per_second: 'MB a second',
  p50_ms: 'p50, ms',
  p99_ms: 'p99, ms',
  bare_p50_ms: 'bare p50, ms',
  bare_p99_ms: 'bare p99, ms',
  lawful_p50_ms: 'same laws p50, ms',
  lawful_p99_ms: 'same laws p99, ms',
  cpu_ms: 'CPU each, ms',
  lawful_cpu_ms: 'same laws, CPU each, ms',
  bare_cpu_ms: 'bare CPU each, ms',
  healthy_p50_ms: 'healthy p50, ms',
  healthy_p99_ms: 'healthy p99, ms',
  lists_per_second: 'lists a second',
  lists_p99_ms: 'lists p99, ms',
  refused_percent: 'refused, %',
  memory_mib: 'memory at most, MiB',
  p99_growth: 'p99 grew by this part',
};

const heading = (name: string): string => HEADINGS[name] ?? name.replaceAll('_', ' ');
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Formats a figure's results as a table, below a line about how they were measured. */
function table({ rows, rounds, machine, measuredAt }: Results): string {
  const names = [...new Set(rows.flatMap(Object.keys))];
  const cells = (row: Row): string[] => names.map((name) => String(row[name] ?? ''));
  const [date, load] = [measuredAt.slice(0, 10), machine.loadBefore.toFixed(1)];
  return [
    `Medians of ${rounds} rounds on ${date}, ${machine.cores} shared cores, load ${load} before the first:`,
    '',
    line(names.map(heading)),
    line(names.map(() => '---')),
    ...rows.map((row) => line(cells(row))),
  ].join('\n');
}

const FIGURES_BLOCK = /(<!-- figures: ([\w-]+) -->\n)[\s\S]*?(\n<!-- end of figures -->)/g;

/** Returns bench/results/README.md as it is, and as it should be: with the tables of bench/results at their marks. */
export function documentWithTables(): { stands: string; filled: string } {
  const stands = readFileSync(DOCUMENT, 'utf8');
  const filled = stands.replace(FIGURES_BLOCK, (place, mark: string, name: string, end: string) => {
    const file = `${RESULTS}${name}.json`;
    if (!existsSync(file)) return place;
    return mark + table(JSON.parse(readFileSync(file, 'utf8')) as Results) + end;
  });
  return { stands, filled };
}

/** Writes the tables of bench/results/README.md at their marks. */
export function writeTables(): void {
  writeFileSync(DOCUMENT, documentWithTables().filled);
}
