import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { checker, queryReader, unstorable } from './fields.ts';
import { Amount, Fields, ListQuery, OneOf, OrNull } from './schemas.ts';

const Body = Fields({
  amount: Amount,
  frequency: Type.Union([
    OneOf(['daily', 'weekly']),
    Fields({ type: OneOf(['daily', 'weekly']), day: Type.Optional(Type.Integer({ minimum: 1 })) }),
  ]),
  customer: Type.Union([
    Fields({ type: Type.Literal('phone'), value: Type.String() }),
    Fields({
      type: Type.Literal('bank_account'),
      sort_code: Type.String(),
      account_number: Type.String(),
    }),
  ]),
  description: Type.String({ minLength: 1, maxLength: 5 }),
  end_date: Type.Optional(OrNull(Type.String())),
});
const fine = {
  amount: { value: 1, currency: 'GBP' },
  frequency: 'daily',
  customer: { type: 'phone', value: '+44' },
  description: 'Rent',
};
const check = checker(Body, 'body');
const wrong = (body: unknown) => check(body).details;

test('a right body passes as it is', () => {
  assert.deepEqual(check(fine), { value: fine, details: null });
});

test('every missing field is named', () => {
  assert.deepEqual(wrong({}), {
    amount: 'is required',
    frequency: 'is required',
    customer: 'is required',
    description: 'is required',
  });
});

test('every wrong field is named at once by its dotted path, unknown ones too', () => {
  assert.deepEqual(
    wrong({
      ...fine,
      amount: { value: 0, currency: 'gbp', taxes: 1 },
      description: 'far too long',
      colour: 'red',
      'a/b~c': 1,
    }),
    {
      'amount.value': 'must be 1 or more',
      'amount.currency': 'must match ^[A-Z]{3}$',
      'amount.taxes': 'is not a field of this request',
      description: 'must have at most 5 characters',
      colour: 'is not a field of this request',
      'a/b~c': 'is not a field of this request',
    },
  );
});

test('more than eight wrong fields are all named', () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x${i}`, i]));
  assert.equal(Object.keys(wrong({ ...fine, ...many }) ?? {}).length, 40);
});

test('beyond what the library counts, unknown fields are still refused, and named', () => {
  for (const count of [255, 256, 257, 1000, 5000]) {
    const many = Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, i]));
    const details = wrong({ ...fine, ...many });
    assert.notEqual(details, null, String(count));
    assert.equal(details?.x0, 'is not a field of this request');
    const nested = wrong({ ...fine, amount: { ...fine.amount, ...many } });
    assert.equal(nested?.['amount.x0'], 'is not a field of this request');
  }
});

test('of a union, what the sender meant is explained', () => {
  assert.deepEqual(wrong({ ...fine, frequency: { type: 'weekly', day: 0 } }), {
    'frequency.day': 'must be 1 or more',
  });
  assert.deepEqual(wrong({ ...fine, frequency: 'hourly' }), {
    frequency: 'must be one of daily, weekly',
  });
  assert.deepEqual(wrong({ ...fine, customer: { type: 'bank_account', sort_code: 'x', zip: 1 } }), {
    'customer.account_number': 'is required',
    'customer.zip': 'is not a field of this request',
  });
  assert.deepEqual(wrong({ ...fine, frequency: 3 }), {
    frequency: 'must be a string or an object',
  });
  assert.deepEqual(
    wrong({ ...fine, customer: { type: 'email' } })?.['customer.type'],
    'must be one of phone, bank_account',
  );
  assert.deepEqual(wrong({ ...fine, end_date: 5 }), {
    end_date: 'must be a string or null',
  });
});

test('nothing is converted in a body', () => {
  assert.deepEqual(wrong({ ...fine, amount: { value: '1', currency: 'GBP' } }), {
    'amount.value': 'must be an integer',
  });
  for (const value of [null, [], 'text', 7])
    assert.deepEqual(wrong(value), { body: 'must be an object' });
});

test('amounts beyond 2^53-1 are refused, whatever their form', () => {
  for (const text of ['9007199254740993', '1e400', '1.5', '-1'])
    assert.deepEqual(
      Object.keys(
        wrong({ ...fine, amount: JSON.parse(`{"value":${text},"currency":"GBP"}`) }) ?? {},
      ),
      ['amount.value'],
    );
});

test('a query has its integers read and its defaults filled in', () => {
  const read = queryReader(ListQuery);
  assert.deepEqual(read({}), { limit: 10, offset: 0 });
  assert.deepEqual(read({ limit: '100', offset: '20' }), { limit: 100, offset: 20 });
  const checkQuery = checker(ListQuery, 'query');
  assert.deepEqual(checkQuery(read({ limit: '101', offset: '-1', page: '2' })).details, {
    limit: 'must be 100 or less',
    offset: 'must be 0 or more',
    page: 'is not a field of this request',
  });
  for (const limit of ['', '1.0', 'ten', ['1', '2'], '0x10', ' 1'])
    assert.deepEqual(checkQuery(read({ limit })).details, { limit: 'must be an integer' });
});

test('text that could not be stored is named wherever it stands', () => {
  assert.deepEqual(unstorable({ a: 'x\u0000', b: { c: ['ok', '\ud800'] }, d: '\u{1F600}' }), {
    a: 'holds characters that cannot be stored',
    'b.c.1': 'holds characters that cannot be stored',
  });
});

test('a value nested without end is refused and does not overflow', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  assert.equal(Object.keys(unstorable(deep)).length, 1);
});

test('whatever the value, a refusal names something and a pass keeps the value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const { details, value: passed } = check(value);
      if (details === null) assert.deepEqual(passed, value);
      else assert.ok(Object.keys(details).length > 0);
    }),
  );
});
