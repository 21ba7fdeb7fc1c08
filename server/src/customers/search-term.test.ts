import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSearch } from './search-term.ts';

const ID = '0123456789ABCDEFGHIJKL';

test('the id of a schedule, customer or payment is that object and nothing else', () => {
  for (const [prefix, type] of [
    ['sch', 'schedule'],
    ['cus', 'customer'],
    ['pay', 'payment'],
  ] as const) {
    const term = parseSearch(` ${prefix}_${ID} `);
    assert.deepEqual(term.object, { type, id: `${prefix}_${ID}` });
    assert.deepEqual([term.phones, term.accounts], [[], []]);
  }
  assert.equal(parseSearch(`sch_${ID}x`).object, null);
});

test('a phone number is read in every usual form', () => {
  for (const form of [
    '+447700900123',
    '+44 7700 900123',
    '+44 (0)7700 900123',
    '0044 7700 900123',
    '447700900123',
    '44 7700 900-123',
    '07700900123',
    '07700 900 123',
    '(07700) 900-123',
    '\u202a+447700900123\u202c',
    '07700\u2011900\u2011123',
    '＋44 ７７００ 900123',
  ])
    assert.ok(parseSearch(form).phones.includes('+447700900123'), form);
  assert.deepEqual(parseSearch('+353 87 123 4567').phones, ['+353871234567']);
  assert.ok(parseSearch('353871234567').phones.includes('+353871234567'));
  assert.ok(parseSearch('683 4002').phones.includes('+6834002'), 'the shortest there is');
  assert.deepEqual(
    parseSearch('07700900123').phones,
    ['+447700900123'],
    'no country begins with 0',
  );
});

test('words, short numbers and dates are no phone numbers', () => {
  for (const text of [
    'Broadband',
    '2026',
    '12345',
    '123456',
    'Room 07700900123',
    '~07700900123',
    '07700900123 ext. 5',
    '07700900123x5',
    '99999999999999999999',
    '',
    '   ',
  ])
    assert.deepEqual(parseSearch(text).phones, [], text);
});

test('an account is read with its sort code before or behind, however it is written', () => {
  for (const form of [
    '12-34-56 66374958',
    '12 34 56 66374958',
    '123456 66374958',
    '12345666374958',
    '12-34-56/66374958',
    '66374958 12-34-56',
    '66374958, 123456',
  ])
    assert.ok(parseSearch(form).accounts.includes('12345666374958'), form);
  assert.deepEqual(parseSearch('12-34-56 1234567').accounts, ['12345601234567']);
  assert.deepEqual(parseSearch('112233 445566').accounts, ['11223300445566', '44556600112233']);
  assert.deepEqual(parseSearch('66374958').accounts, [], 'half of an account');
});

test('anything else is text, trimmed; whatever is typed is read', () => {
  assert.equal(parseSearch('  Broadband 100 ').text, 'Broadband 100');
  assert.equal(parseSearch(undefined).text, '');
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d +()-]{0,20}$/)), (text) => {
      const { phones, accounts } = parseSearch(text);
      for (const phone of phones) assert.match(phone, /^\+\d{5,20}$/);
      for (const account of accounts) assert.match(account, /^\d{14}$/);
    }),
  );
});
