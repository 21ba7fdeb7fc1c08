import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readDate,
  readPhone,
  readPounds,
  readSortCode,
  readWhole,
  type Value,
} from './cell-values.ts';

/** Returns the value of each text; null: refused. */
const values = <T>(read: (text: string) => Value<T>, texts: string[]): (T | null)[] =>
  texts.map((text) => {
    const result = read(text);
    return 'value' in result ? result.value : null;
  });

test('pounds as people write them, to the penny', () => {
  const good = ['49.99', '£1,250', '£ 1,234,567.5', '0.1', '50', '7 GBP'];
  assert.deepEqual(values(readPounds, good), [4999, 125_000, 123_456_750, 10, 5000, 700]);
  const bad = ['49,99', '1.250,00', '49.999', '1,25', '1,2500', '-5', 'five', '£', '1e3', '$5'];
  assert.deepEqual(
    values(readPounds, [...bad, '9'.repeat(15)]),
    [...bad, ''].map(() => null),
  );
});

test('phone numbers as they are written at home, or as spreadsheets leave them', () => {
  assert.deepEqual(
    values(readPhone, ['07700 900123', '447700900123', '+44 7700 900123', '(01632) 960-001']),
    ['+447700900123', '+447700900123', '+44 7700 900123', '+441632960001'],
  );
  assert.deepEqual(values(readPhone, ['4.477E+11', '4,477E11', '7700900123']), [null, null, null]);
});

test('a number without a country that Britain does not have is refused, and not guessed at', () => {
  for (const text of ['087 123 4567', '021 234 5678', '0612345678'])
    assert.match(JSON.stringify(readPhone(text)), /not a number of the United Kingdom/, text);
  assert.deepEqual(
    values(readPhone, [
      '028 9032 1234',
      '0353 123',
      '+353 87 123 4567',
      '00353871234567',
      '020 7946 0018',
    ]),
    ['+442890321234', '0353 123', '+353 87 123 4567', '00353871234567', '+442079460018'],
  );
});

test('a number that was pasted is read as it looks', () => {
  assert.deepEqual(
    values(readPhone, [
      '07700\u2011900\u2011300',
      '\u202a07700 900300\u202c',
      "'07700 900300",
      '０７７００900300',
    ]),
    ['+447700900300', '+447700900300', '+447700900300', '+447700900300'],
  );
});

test('sort codes that lost their first 0 are refused with the reason', () => {
  assert.deepEqual(readSortCode('20-00-00'), { value: '20-00-00' });
  assert.match(JSON.stringify(readSortCode('10203')), /drop a 0/);
});

test('days, in the merchant’s time zone, and never with the month first', () => {
  const read = (text: string) => readDate(text, 'Europe/London', '09:00');
  assert.deepEqual(
    values(read, ['31/12/2026', '1/7/2026', '2026-07-01', '2026-07-01T10:00:00+01:00']),
    [
      '2026-12-31T09:00:00Z',
      '2026-07-01T08:00:00Z',
      '2026-07-01T08:00:00Z',
      '2026-07-01T10:00:00+01:00',
    ],
  );
  assert.deepEqual(values(read, ['12/31/2026', '31/02/2026', '1/7/26', 'soon', '2026-13-01']), [
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('whole numbers only', () => {
  assert.deepEqual(values(readWhole, ['0', '31', '1.5', '-1', 'x']), [0, 31, null, null, null]);
});
