import { slug } from '../../server/src/app/docs/markdown.ts';
import { METRICS, type Metric } from '../../server/src/operators/metrics/table.ts';
import type { Rule, SourceFile, Violation } from './files.ts';

const ALERTS = 'deploy/monitoring/alerts.yaml';
const ROUTES = 'deploy/monitoring/alertmanager.yaml';
const RUNBOOK = 'docs/guides/runbook.md';
const PROMQL = /^deploy\/monitoring\/.*\.(yaml|json)$/;

/** A metric of ours in PromQL, with its label matchers. */
const SELECTOR = /\b(recollect_[a-z_]+)(?:\{([^}]*)\})?/g;
const MATCHER = /([a-z_]+)\s*(?:=~|!~|!=|=)/g;
const TABLE: Readonly<Record<string, Metric>> = METRICS;

/** Returns the metric of a series; a histogram has three series. */
function metricOf(series: string): Metric | undefined {
  const histogram = TABLE[series.replace(/_(bucket|sum|count)$/, '')];
  return TABLE[series] ?? (histogram?.kind === 'histogram' ? histogram : undefined);
}

function wrongSelectors({ path, text }: SourceFile): Violation[] {
  return text.split('\n').flatMap((line, place) =>
    [...line.replaceAll('\\"', '"').matchAll(SELECTOR)].flatMap(([, series = '', labels = '']) => {
      const metric = metricOf(series);
      const at = { path, line: place + 1 };
      if (metric === undefined) return [{ ...at, message: `there is no metric \`${series}\`` }];
      return [...labels.matchAll(MATCHER)]
        .map(([, label = '']) => label)
        .filter((label) => label !== 'le' && !metric.labels.includes(label))
        .map((label) => ({ ...at, message: `\`${series}\` has no label \`${label}\`` }));
    }),
  );
}

/** Returns the first group of each match, with its line. */
function named(text: string, pattern: RegExp): Map<string, number> {
  const found = text
    .split('\n')
    .map((line, place) => [pattern.exec(line)?.[1], place + 1] as const);
  return new Map(found.flatMap(([name, line]) => (name === undefined ? [] : [[name, line]])));
}

/** Returns every alert that a matcher of Alertmanager names, with its line. */
function matched(text: string): Map<string, number> {
  const found = text.split('\n').flatMap((line, place) => {
    const names = /^\s+- alertname =~? "([^"]*)"$/.exec(line)?.[1]?.split('|') ?? [];
    return names.map((name) => [name, place + 1] as const);
  });
  return new Map(found);
}

function missing(
  path: string,
  wanted: Map<string, number>,
  there: Map<string, number>,
  what: string,
) {
  return [...wanted]
    .filter(([name]) => !there.has(name))
    .map(([name, line]): Violation => ({ path, line, message: `\`${name}\` has no ${what}` }));
}

/**
 * Every alert has a section of the runbook, which its `runbook_url` names, and asks for metrics and labels that exist. The routes
 * name alerts that exist.
 */
export const alertsRule: Rule = {
  name: 'alerts',
  check(files) {
    const text = (path: string): string => files.find((file) => file.path === path)?.text ?? '';
    const alerts = named(text(ALERTS), /^\s+- alert: (\S+)$/);
    const urls = named(text(ALERTS), /^\s+runbook_url: \S+\/runbook#(\S+)$/);
    const sections = named(text(RUNBOOK), /^### (\S+)$/);
    const fragments = new Map([...alerts].map(([name, line]) => [slug(name), line]));
    return [
      ...missing(ALERTS, alerts, sections, `section in ${RUNBOOK}`),
      ...missing(RUNBOOK, sections, alerts, `alert in ${ALERTS}`),
      ...missing(ALERTS, fragments, urls, 'runbook_url'),
      ...missing(ROUTES, matched(text(ROUTES)), alerts, `alert in ${ALERTS}`),
      ...files.filter(({ path }) => PROMQL.test(path)).flatMap(wrongSelectors),
    ];
  },
};
