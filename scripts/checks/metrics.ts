import { METRICS, type Metric } from '../../server/src/operators/metrics/table.ts';
import type { Rule, Violation } from './files.ts';

/** The page that lists the metrics for operators. */
export const METRICS_PAGE = 'docs/reference/metrics.md';
const TABLE = 'server/src/operators/metrics/table.ts';

/** Returns the table of the code's metrics. */
export function metricTable(): string {
  const rows = Object.entries<Metric>(METRICS).map(
    ([name, { kind, labels, help }]) =>
      `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  return `| metric | kind | labels | what it says |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

/** Every metric of the table is measured. */
export const metricsRule: Rule = {
  name: 'metrics',
  check(files) {
    const measuring = files
      .filter(({ path }) => /^server\/src\/operators\/.*(?<!\.test)\.ts$/.test(path))
      .filter(({ path }) => path !== TABLE)
      .map(({ text }) => text)
      .join('\n');
    return Object.keys(METRICS)
      .filter((name) => !measuring.includes(`'${name}'`))
      .map(
        (name): Violation => ({ path: TABLE, line: 1, message: `nothing measures \`${name}\`` }),
      );
  },
};
