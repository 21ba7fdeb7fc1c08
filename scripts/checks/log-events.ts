import type { LogEvent } from '../../server/src/platform/log/log-event.ts';
import { LOG_EVENTS } from '../../server/src/platform/log/log-events.ts';
import { findAll, type Rule, type SourceFile, type Violation, withoutComments } from './files.ts';
import { withMarked } from './marked.ts';

/** The page that lists the events for operators. */
export const LOG_EVENTS_PAGE = 'docs/reference/log-events.md';
const TABLE = 'server/src/platform/log/log-events.ts';

/** The file that writes log lines; all other files report by a code. */
const WRITER = 'server/src/platform/log/log.ts';
const UNCODED = /\b(?:log|logger)(?:\?)?(?:\.(?:warn|error|fatal)\b|\[)/g;

/** Returns the page with the code's events between its two markers; null if the markers are missing. */
export const withLogEvents = (page: string): string | null =>
  withMarked(page, 'log events', eventTable());

function eventTable(): string {
  const rows = Object.entries<LogEvent>(LOG_EVENTS).map(
    ([code, { level, message, action }]) => `| \`${code}\` | ${level} | ${message} | ${action} |`,
  );
  return `| event | level | message | what to do |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function unusedCodes(code: readonly SourceFile[]): Violation[] {
  const text = code.map((file) => file.text).join('\n');
  return Object.keys(LOG_EVENTS)
    .filter((event) => !text.includes(`'${event}'`))
    .map((event) => ({ path: TABLE, line: 1, message: `nothing reports \`${event}\`` }));
}

/** Everything the service logs from `warn` up has a code, and the page lists each code. */
export const logEventsRule: Rule = {
  name: 'log-events',
  check(files) {
    const code = files.filter(
      ({ path }) => /^server\/src\/.*(?<!\.test)\.ts$/.test(path) && path !== TABLE,
    );
    const uncoded = code
      .filter(({ path }) => path !== WRITER)
      .flatMap(({ path, text }) =>
        findAll(
          path,
          withoutComments(text),
          UNCODED,
          (found) => `${found}: use log.report(code, …)`,
        ),
      );
    const page = files.find(({ path }) => path === LOG_EVENTS_PAGE)?.text ?? '';
    const isStale = withLogEvents(page) !== page;
    const message = 'does not show the events as they are: npm run log-events';
    const stale = isStale ? [{ path: LOG_EVENTS_PAGE, line: 1, message }] : [];
    return [...uncoded, ...unusedCodes(code), ...stale];
  },
};
