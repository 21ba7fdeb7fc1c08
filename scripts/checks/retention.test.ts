import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RETENTION_PAGE, retentionRule, withRetention } from './retention.ts';

const EMPTY = '# Retention\n\n<!-- retention -->\n<!-- end of retention -->\n';
const SHOWN = withRetention(EMPTY) ?? '';
const broken = (text: string): string[] =>
  retentionRule.check([{ path: RETENTION_PAGE, text }]).map(({ path, line }) => `${path}:${line}`);

test('retention: a page that differs from the rules is found', () => {
  assert.deepEqual(broken(SHOWN), []);
  assert.match(SHOWN, /^\| `idempotency_keys` \| 24 hours \| .+ \|$/m);
  assert.match(SHOWN, /^\| `request_log` \| 7 days \| .+ \|$/m);
  for (const page of [EMPTY, '', SHOWN.replace('| 7 days |', '| 8 days |')])
    assert.deepEqual(broken(page), [`${RETENTION_PAGE}:1`]);
});
