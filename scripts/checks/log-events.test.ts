import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOG_EVENTS } from '../../server/src/platform/log/log-events.ts';
import { logEventsRule } from './log-events.ts';

const REPORTS = Object.keys(LOG_EVENTS)
  .map((code) => `log.report('${code}');\n`)
  .join('');

/** Returns the rule's violations in one file of code beside one that reports every event. */
function broken(code: string, reports = REPORTS): string[] {
  const files = [
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
  assert.deepEqual(broken('', reports), ['server/src/platform/log/log-events.ts:1']);
});
