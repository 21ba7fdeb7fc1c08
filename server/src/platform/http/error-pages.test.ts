import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERROR_STATUS } from '../values/errors.ts';

const pages = new URL('../../../../docs/errors/', import.meta.url);

test('every error code has a page, and every page a code', () => {
  const named = readdirSync(pages).map((file) => file.replace(/\.md$/, ''));
  assert.deepEqual(named.sort(), Object.keys(ERROR_STATUS).sort());
});

test('every page says the code, its status, and what to do', () => {
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    const page = readFileSync(new URL(`${code}.md`, pages), 'utf8');
    assert.match(page, new RegExp(`^# ${code}\n\nHTTP status ${status}\\.\n`));
    assert.match(page, /\n## What to do\n\n\S/);
  }
});
