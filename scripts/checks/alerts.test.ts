import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertsRule } from './alerts.ts';

const ALERTS = 'deploy/monitoring/alerts.yaml';
const RUNBOOK = 'docs/guides/runbook.md';

function problems(alerts: string, runbook: string): string[] {
  const files = [
    { path: ALERTS, text: alerts },
    { path: RUNBOOK, text: runbook },
  ];
  return alertsRule.check(files).map(({ path, line, message }) => `${path}:${line} ${message}`);
}

const alert = (name: string, expr: string): string =>
  `  - alert: ${name}\n    expr: ${expr}\n    runbook_url: https://x/guides/runbook#${name.toLowerCase()}\n`;

test('an alert with its section, and metrics that exist, passes', () => {
  const expr =
    'histogram_quantile(0.9, rate(recollect_bank_call_duration_seconds_bucket{bank="a"}[5m]))';
  assert.deepEqual(problems(alert('Slow', expr), '### Slow\n'), []);
});

test('an alert without a section is found, and a section without an alert', () => {
  assert.deepEqual(problems(alert('Slow', 'up == 0'), '## Banks\n\n### Fast\n'), [
    `${ALERTS}:1 \`Slow\` has no section in ${RUNBOOK}`,
    `${RUNBOOK}:3 \`Fast\` has no alert in ${ALERTS}`,
  ]);
});

test('an inhibition of an alert that does not exist is found', () => {
  const files = [
    { path: ALERTS, text: alert('Slow', 'up == 0') },
    { path: RUNBOOK, text: '### Slow\n' },
    {
      path: 'deploy/monitoring/alertmanager.yaml',
      text: '  - source_matchers:\n      - alertname = "Slow"\n      - alertname =~ "Slow|Gone"\n',
    },
  ];
  const [only, ...others] = alertsRule.check(files);
  assert.deepEqual(others, []);
  assert.match(only?.message ?? '', /^`Gone` has no alert/);
  assert.equal(only?.line, 3);
});

test('an alert whose address leads to another section is found', () => {
  const wrong = alert('Slow', 'up == 0').replace('#slow', '#fast');
  assert.deepEqual(problems(wrong, '### Slow\n'), [`${ALERTS}:1 \`slow\` has no runbook_url`]);
});

test('a metric or a label that does not exist is found', () => {
  const expr =
    'recollect_unallocated_apples > 0 or recollect_invariant{state="broken",bank="a"} > 0';
  assert.deepEqual(problems(alert('Odd', expr), '### Odd\n'), [
    `${ALERTS}:2 there is no metric \`recollect_unallocated_apples\``,
    `${ALERTS}:2 \`recollect_invariant\` has no label \`bank\``,
  ]);
});
