import assert from 'node:assert/strict';
import { test } from 'node:test';
import { METRICS } from '../../server/src/operators/metrics/table.ts';
import { METRICS_PAGE, metricsRule, withMetrics } from './metrics.ts';

const EMPTY = '## Metrics\n\n<!-- metrics -->\n<!-- end of metrics -->\n\n## Next\n';
const SHOWN = withMetrics(EMPTY) ?? '';
const MEASURED = Object.keys(METRICS)
  .map((name) => `count('${name}');\n`)
  .join('');

/** Returns where the rule is broken by a page, and by code that measures. */
function broken(page: string, measured = MEASURED): string[] {
  const files = [
    { path: METRICS_PAGE, text: page },
    { path: 'server/src/operators/metrics/all.ts', text: measured },
  ];
  return metricsRule.check(files).map(({ path, line }) => `${path}:${line}`);
}

test('metrics: a page that differs from the table is found', () => {
  assert.deepEqual(broken(SHOWN), []);
  assert.match(SHOWN, /^\| `recollect_bank_calls_total` \| counter \| `bank`, .+ \| .+ \|$/m);
  assert.match(SHOWN, /\n\n## Next\n$/);
  for (const page of [EMPTY, '', SHOWN.replace('| counter |', '| gauge |')])
    assert.deepEqual(broken(page), [`${METRICS_PAGE}:1`]);
});

test('metrics: one that nothing measures is found', () => {
  const measured = MEASURED.replace("count('recollect_unallocated_items');", '');
  assert.deepEqual(broken(SHOWN, measured), ['server/src/operators/metrics/table.ts:1']);
});
