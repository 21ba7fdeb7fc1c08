import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, ERROR_STATUS, type ErrorCode, invalid, notFound, violates } from './errors.ts';

test('every code has one status of HTTP that tells of an error', () => {
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    const error = new ApiError(code as ErrorCode, 'why');
    assert.equal(error.status, status);
    assert.ok(status >= 400 && status < 600, code);
    assert.match(code, /^[a-z]+(_[a-z]+)*$/);
  }
});

test('a refusal is an error with its sentence, code and details', () => {
  const error = new ApiError('forbidden', 'Not yours.', { name: 'is taken' });
  assert.ok(error instanceof Error);
  assert.equal(error.name, 'ApiError');
  assert.equal(error.message, 'Not yours.');
  assert.deepEqual(error.details, { name: 'is taken' });
  assert.equal(new ApiError('forbidden', 'Not yours.').details, undefined);
});

test('one wrong field is said in the message, several are counted, and details name them all', () => {
  const one = invalid({ 'amount.value': 'must be greater than 0' });
  assert.equal(one.code, 'invalid_request');
  assert.equal(one.status, 400);
  assert.equal(one.message, 'amount.value: must be greater than 0');
  const two = invalid({ a: 'x', b: 'y' });
  assert.equal(two.message, '2 fields are invalid');
  assert.deepEqual(two.details, { a: 'x', b: 'y' });
});

test("what is not there and what is somebody else's are the same 404", () => {
  assert.equal(notFound('schedule').status, 404);
  assert.equal(notFound('schedule').message, 'No such schedule.');
});

test('a broken promise of the schema is known by its name', () => {
  const error = Object.assign(new Error('duplicate key'), { constraint: 'payments_pkey' });
  assert.ok(violates(error, 'payments_pkey'));
  assert.ok(!violates(error, 'payments_key'));
  assert.ok(!violates(new Error('no constraint'), 'payments_pkey'));
  assert.ok(!violates({ constraint: 'payments_pkey' }, 'payments_pkey'));
  assert.ok(!violates(null, 'payments_pkey'));
});
