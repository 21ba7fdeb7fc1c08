import { DASHBOARD, dashboardText } from '../grafana/dashboard.ts';
import { deployedFiles } from './deployments.ts';
import { eventKindTable, frequencyTable } from './documented-sets.ts';
import type { Rule } from './files.ts';
import { eventTable, LOG_EVENTS_PAGE } from './log-events.ts';
import { withMarked } from './marked.ts';
import { METRICS_PAGE, metricTable } from './metrics.ts';
import { type Lock, licencesPage } from './packages.ts';
import { RETENTION_PAGE, retentionTable } from './retention.ts';
import { PAGE, stateMachinesPage } from './state-machines.ts';

/** Returns the text of a file of the repository; empty: there is none. */
export type Read = (path: string) => string;

/** Files, or parts of them, that are made from the code. */
export interface Generated {
  /** What `npm run generate --` is told. */
  readonly name: string;
  /** Returns the files as they should be; null: one has no place for what is generated. Reads each when the last is written. */
  render(read: Read): Iterable<readonly [path: string, text: string | null]>;
}

/** A whole file. */
const whole = (name: string, path: string, text: (read: Read) => string): Generated => ({
  name,
  render: (read) => [[path, text(read)]],
});

/** The part of a page between its markers. */
const part = (name: string, path: string, marker: string, text: () => string): Generated => ({
  name,
  render: (read) => [[path, withMarked(read(path), marker, text())]],
});

/** All that is generated but what needs a database (schema, types of the SDK, clients, examples): tests compare that. */
export const GENERATED: readonly Generated[] = [
  part('retention', RETENTION_PAGE, 'retention', retentionTable),
  part('frequencies', 'docs/rules/schedules.md', 'frequencies', frequencyTable),
  part('event-kinds', 'docs/rules/webhooks.md', 'event kinds', eventKindTable),
  part('log-events', LOG_EVENTS_PAGE, 'log events', eventTable),
  part('metrics', METRICS_PAGE, 'metrics', metricTable),
  whole('grafana', DASHBOARD, dashboardText),
  whole('state-machines', PAGE, stateMachinesPage),
  { name: 'deployments', render: deployedFiles },
  whole('packages', 'docs/licences.md', (read) =>
    licencesPage(JSON.parse(read('package-lock.json')) as Lock),
  ),
];

/** Returns the paths of generated files that are not as they should be. */
export function staleFiles({ render }: Generated, read: Read): string[] {
  return [...render(read)].filter(([path, text]) => text !== read(path)).map(([path]) => path);
}

/** What is generated is up to date. */
export const generatedRule: Rule = {
  name: 'generated',
  check(files) {
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    return GENERATED.flatMap((one) =>
      staleFiles(one, (path) => texts.get(path) ?? '').map((path) => ({
        path,
        line: 1,
        message: `is not what the code makes of it: npm run generate -- ${one.name}`,
      })),
    );
  },
};
