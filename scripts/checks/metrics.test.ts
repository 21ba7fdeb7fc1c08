import assert from 'node:assert/strict';
import { test } from 'node:test';
import { METRICS } from '../../server/src/operators/metrics/table.ts';
import { metricsRule } from './metrics.ts';

const MEASURED = Object.keys(METRICS)
  .map((name) => `count('${name}');\n`)
  .join('');

/** Returns where the rule is broken by code that measures. */
function broken(measured: string): string[] {
  const files = [{ path: 'server/src/operators/metrics/all.ts', text: measured }];
  return metricsRule.check(files).map(({ path, line }) => `${path}:${line}`);
}

test('metrics: one that nothing measures is found', () => {
  assert.deepEqual(broken(MEASURED), []);
  const measured = MEASURED.replace("count('recollect_unallocated_items');", '');
  assert.deepEqual(broken(measured), ['server/src/operators/metrics/table.ts:1']);
});
