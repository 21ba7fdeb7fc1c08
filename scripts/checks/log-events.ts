import type { LogEvent } from '../../server/src/platform/log/log-event.ts';
import { LOG_EVENTS } from '../../server/src/platform/log/log-events.ts';
import { findAll, type Rule, type SourceFile, type Violation, withoutComments } from './files.ts';

/** The page that lists the events for operators. */
export const LOG_EVENTS_PAGE = 'docs/reference/log-events.md';
const TABLE = 'server/src/platform/log/log-events.ts';

/** The file that writes log lines; all other files report by a code. */
const WRITER = 'server/src/platform/log/log.ts';
const UNCODED = /\b(?:log|logger)(?:\?)?(?:\.(?:warn|error|fatal)\b|\[)/g;

/** Returns the table of the code's events. */
export function eventTable(): string {
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

/** Everything the service logs from `warn` up has a code, and every code is reported. */
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
    return [...uncoded, ...unusedCodes(code)];
  },
};
