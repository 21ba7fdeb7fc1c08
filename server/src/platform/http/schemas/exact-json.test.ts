import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inexact, isExact } from './exact-json.ts';

test('a number that a reader of JSON would change is named by its place', () => {
  const body =
    '{"amount":{"value":4999.00000000000000001},"metadata":{"order":9007199254740993,"list":[1,{"a":1e400}]},"x":0.1e-400}';
  assert.deepEqual(Object.keys(inexact(body)), [
    'amount.value',
    'metadata.order',
    'metadata.list.1.a',
    'x',
  ]);
  assert.deepEqual(Object.keys(inexact('1e400')), ['body']);
});

test('numbers that stay what they are pass, however they are written', () => {
  for (const text of [
    '0',
    '-0',
    '0.0',
    '0e999',
    '1',
    '1.0',
    '1e2',
    '1E+2',
    '100e-2',
    '0.1',
    '-12.50',
  ])
    assert.ok(isExact(text), text);
  for (const text of ['9007199254740991', '-9007199254740991', '0.30000000000000004', '5e-324'])
    assert.ok(isExact(text), text);
  for (const text of [
    '9007199254740992',
    '9007199254740993',
    '1e16',
    '-1e400',
    '1e-400',
    '0.1e-400',
  ])
    assert.ok(!isExact(text), text);
  for (const text of ['0.1000000000000000055511151231257827', '3.14159265358979323846'])
    assert.ok(!isExact(text), text);
});

test('a number within text is text', () => {
  assert.deepEqual(inexact('{"a":"9007199254740993","1e400":"x","b\\"9007199254740993":1}'), {});
});

test('a name that an object has twice is named, however it is written', () => {
  const twice = 'is given more than once';
  assert.deepEqual(inexact('{"amount":{"value":1,"value":2}}'), { 'amount.value': twice });
  assert.deepEqual(inexact('{"a":1,"\\u0061":2}'), { a: twice });
  assert.deepEqual(
    inexact('{"__proto__":1,"__proto__":2}'),
    JSON.parse(`{"__proto__":"${twice}"}`),
  );
  assert.deepEqual(inexact('[{"a":1},{"a":2},{"b":{"a":1},"a":{"b":1}}]'), {});
});

test('whatever JSON writes of a value is exact and has each name once', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (value, blanks) => {
      const text = JSON.stringify(
        value,
        (_, inner: unknown) =>
          typeof inner === 'number' && Math.abs(inner) > Number.MAX_SAFE_INTEGER ? 0 : inner,
        blanks,
      );
      assert.deepEqual(inexact(text), {});
    }),
  );
});

test('a text as long or as deep as a body may be is read at once', () => {
  const long = JSON.stringify('\\"'.repeat(60_000));
  assert.deepEqual(inexact(`{"a":${long}}`), {});
  assert.deepEqual(inexact(`${'['.repeat(120_000)}${']'.repeat(120_000)}`), {});
  assert.deepEqual(inexact(`{"a":${'1'.repeat(1)}${'0'.repeat(200_000)}}`), {
    a: 'is a number that JSON readers would change: send it as a string',
  });
});
