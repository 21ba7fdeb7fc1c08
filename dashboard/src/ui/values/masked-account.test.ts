import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskedAccount } from './masked-account.ts';

test('an account is its bank and the end of its number, however the API masks the rest', () => {
  for (const account_number of ['****0111', '••••0111', '0111'])
    assert.equal(maskedAccount({ account_number }, 'Northbank'), 'Northbank ••0111');
  assert.equal(maskedAccount({ account_number: '****0111' }, ''), '••0111');
});
