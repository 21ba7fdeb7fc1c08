import { METRICS, type Metric } from '../../server/src/operators/metrics/table.ts';
import type { Rule, Violation } from './files.ts';
import { withMarked } from './marked.ts';

/** The page that lists the metrics for operators. */
export const METRICS_PAGE = 'docs/reference/metrics.md';
const TABLE = 'server/src/operators/metrics/table.ts';

/** Returns the page with the code's metrics between its two markers; null if the markers are missing. */
export const withMetrics = (page: string): string | null =>
  withMarked(page, 'metrics', metricTable());

function metricTable(): string {
  const rows = Object.entries<Metric>(METRICS).map(
    ([name, { kind, labels, help }]) =>
      `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  return `| metric | kind | labels | what it says |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

/** Every metric of the table is measured, and the page lists each of them. */
export const metricsRule: Rule = {
  name: 'metrics',
  check(files) {
    const measuring = files
      .filter(({ path }) => /^server\/src\/operators\/.*(?<!\.test)\.ts$/.test(path))
      .filter(({ path }) => path !== TABLE)
      .map(({ text }) => text)
      .join('\n');
    const unused = Object.keys(METRICS)
      .filter((name) => !measuring.includes(`'${name}'`))
      .map(
        (name): Violation => ({ path: TABLE, line: 1, message: `nothing measures \`${name}\`` }),
      );
    const page = files.find(({ path }) => path === METRICS_PAGE)?.text ?? '';
    const isStale = withMetrics(page) !== page;
    const message = 'does not show the metrics as they are: npm run metrics';
    return [...unused, ...(isStale ? [{ path: METRICS_PAGE, line: 1, message }] : [])];
  },
};
