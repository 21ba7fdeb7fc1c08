import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkName, compareNames, NAMED_ACCOUNTS } from './name-checks.ts';

test('compares names by their words, and takes no account of case, order, accents and forms of Ltd', () => {
  for (const [asked, held, result] of [
    ['FERNHILL broadband limited', 'Fernhill Broadband Ltd', 'match'],
    ['Ltd., Broadband Fernhill', 'Fernhill Broadband Ltd', 'match'],
    ['Café & Co', 'Cafe and Co', 'match'],
    ['Fernhill Broadband', 'Fernhill Broadband Ltd', 'close_match'],
    ['Fernhill Broadband Services Ltd', 'Fernhill Broadband Ltd', 'close_match'],
    ['Fernhill Gym Ltd', 'Fernhill Broadband Ltd', 'no_match'],
    ['Ltd', 'Fernhill Broadband Ltd', 'no_match'],
    ['', 'Fernhill Broadband Ltd', 'no_match'],
  ] as const)
    assert.equal(compareNames(asked, held), result, asked);
});

test('answers in each of the four ways by the account number, and names the holder on a close match alone', () => {
  const { fernhill, unchecked, missing } = NAMED_ACCOUNTS;
  for (const [account_number, name, ...expected] of [
    ['12345678', 'Anybody', 'match', null, null],
    [fernhill, 'Fernhill Broadband Ltd', 'match', null, null],
    [fernhill, 'Fernhill Broadband', 'close_match', null, 'Fernhill Broadband Ltd'],
    [fernhill, 'Mule', 'no_match', null, null],
    [missing, 'Fernhill Broadband Ltd', 'no_match', 'no_such_account', null],
    [unchecked, 'Fernhill Broadband Ltd', 'unavailable', 'bank_takes_no_part', null],
  ] as const) {
    const check = checkName({ sort_code: '200000', account_number, name });
    assert.deepEqual([check.result, check.reason, check.name], expected);
  }
});
