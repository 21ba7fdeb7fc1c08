import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOG_EVENTS } from '../../server/src/platform/log/log-events.ts';
import { LOG_EVENTS_PAGE, logEventsRule, withLogEvents } from './log-events.ts';

const EMPTY = '## Logs\n\n<!-- log events -->\n<!-- end of log events -->\n\n## Next\n';
const SHOWN = withLogEvents(EMPTY) ?? '';
const REPORTS = Object.keys(LOG_EVENTS)
  .map((code) => `log.report('${code}');\n`)
  .join('');

/** Returns the rule's violations in one file of code beside one that reports every event. */
function broken(code: string, page = SHOWN, reports = REPORTS): string[] {
  const files = [
    { path: LOG_EVENTS_PAGE, text: page },
    { path: 'server/src/app/all.ts', text: reports },
    { path: 'server/src/payments/stages/send.ts', text: code },
  ];
  return logEventsRule.check(files).map(({ path, line }) => `${path}:${line}`);
}

test('log events: a line of warning or above without a code is found', () => {
  const path = 'server/src/payments/stages/send.ts:2';
  for (const line of [
    "platform.log.warn({ payment_id }, 'said');",
    "request.log.error('said');",
    'log.fatal(error);',
    "this.#deps.platform.log[level]({}, 'said');",
    'const warn = log.warn.bind(log);',
    "app.log?.error('said');",
  ])
    assert.deepEqual(broken(`\n${line}\n`), [path], line);
  assert.deepEqual(broken("log.info('said');\n// log.error('said')\nconsole.error('said');\n"), []);
});

test('log events: a code that nothing reports is found', () => {
  const reports = REPORTS.replace("log.report('payment.outcome_overdue');", '');
  assert.deepEqual(broken('', SHOWN, reports), ['server/src/platform/log/log-events.ts:1']);
});

test('log events: a page that differs from the table is found', () => {
  assert.match(SHOWN, /^\| `payment\.outcome_overdue` \| error \| .+ \| .+ \|$/m);
  assert.match(SHOWN, /\n\n## Next\n$/);
  for (const page of [EMPTY, '', SHOWN.replace('| error |', '| warn |')])
    assert.deepEqual(broken('', page), [`${LOG_EVENTS_PAGE}:1`]);
});
