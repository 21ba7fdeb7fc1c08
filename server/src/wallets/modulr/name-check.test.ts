import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentedEnum, noModulrDocument } from '../../../test-support/modulr/document.ts';
import { NAME_CHECK_CODES, readNameCheck } from './name-check.ts';

const answer = (code: string, name?: string) =>
  readNameCheck({ id: 'C1', result: { code, ...(name !== undefined && { name }) } });

test('takes only a result that says so for a match, and one that it does not know for none', () => {
  const results = NAME_CHECK_CODES.map((code) => [code, answer(code).result]);
  const matches = results.filter(([, result]) => result === 'match').map(([code]) => code);
  assert.deepEqual(matches, [
    'MATCHED',
    'BUSINESS_ACCOUNT_NAME_MATCHED',
    'PERSONAL_ACCOUNT_NAME_MATCHED',
  ]);
  for (const unknown of ['MATCHED_MORE', '', 'toString'])
    assert.deepEqual(answer(unknown).result, 'unavailable', unknown);
  assert.throws(() => readNameCheck({ id: 'C1', result: { name: 'Ada' } }));
});

test('passes a name on with a close match alone, and keeps Modulr’s own word', () => {
  const named = NAME_CHECK_CODES.filter((code) => answer(code, 'Ada').bankName !== null);
  assert.deepEqual(named, [
    'CLOSE_MATCH',
    'BUSINESS_ACCOUNT_CLOSE_MATCH',
    'PERSONAL_ACCOUNT_CLOSE_MATCH',
  ]);
  assert.deepEqual(answer('NOT_MATCHED', 'Ada'), {
    result: 'no_match',
    reason: null,
    bankName: null,
    evidence: 'C1 NOT_MATCHED',
  });
});

const skip = noModulrDocument;
test('knows every result of the document', { skip }, () => {
  const codes = documentedEnum('confirmationofpayee.JsonOutboundCopResult', 'code');
  assert.deepEqual([...NAME_CHECK_CODES].sort(), codes.sort());
});
