import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isShown, viewQuery } from './view-query.ts';

test('the same filters make the same view, in whatever order they were set', () => {
  assert.equal(viewQuery('status=failed&amount_from=12.50&q='), 'amount_from=12.50&status=failed');
  assert.equal(
    viewQuery('amount_from=12.50&status=failed'),
    viewQuery('?status=failed&amount_from=12.50'),
  );
});

test('a view is read back as it was saved, whatever was typed', () => {
  const aName = fc.constantFrom('q', 'status', 'from', 'columns', 'sort');
  const values = fc.dictionary(aName, fc.string({ unit: 'grapheme', minLength: 1 }));
  fc.assert(
    fc.property(values, (filters) => {
      const read = new URLSearchParams(viewQuery(new URLSearchParams(filters)));
      assert.deepEqual(Object.fromEntries(read), { ...filters });
      assert.equal(viewQuery(read), viewQuery(viewQuery(read)));
    }),
  );
});

test('a view that names no columns is shown with any, one that does with its own', () => {
  const address = new URLSearchParams('status=failed&columns=amount,id');
  assert.ok(isShown('status=failed', address));
  assert.ok(isShown('columns=amount,id&status=failed', address));
  assert.ok(!isShown('status=failed&columns=amount', address));
  assert.ok(!isShown('', address));
});
