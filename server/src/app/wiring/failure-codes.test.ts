import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FAILURE_MESSAGES } from '../../banks/failure-messages.ts';
import { SETUP_FAILURES } from '../../consents/consent.ts';
import { FAILURE_CODES } from '../../platform/values/failure-codes.ts';

const known: ReadonlySet<string> = new Set(FAILURE_CODES);

test('the document names every code with which a payment or a set-up fails', () => {
  const codes = [...Object.keys(FAILURE_MESSAGES), ...Object.keys(SETUP_FAILURES)];
  assert.deepEqual(
    codes.filter((code) => !known.has(code)),
    [],
  );
});

test('the document names every code that the guide explains', () => {
  const guide = readFileSync(new URL('../../../../docs/guides/merchants.md', import.meta.url));
  const [, table = ''] = guide.toString().split('| `error.code` | Retried |');
  const rows = table.split('\n\n', 1)[0]?.split('\n') ?? [];
  const codes = rows.flatMap((row) =>
    Array.from((row.split('|')[1] ?? '').matchAll(/`(\w+)`/g), ([, code = '']) => code),
  );
  assert.ok(codes.length > 10);
  assert.deepEqual(
    codes.filter((code) => !known.has(code)),
    [],
  );
});
