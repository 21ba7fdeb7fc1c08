import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountOf, amountsIn } from './bank-values.ts';

const cells = (texts: string[]): (number | null)[] => texts.map(amountOf);

test('a cell is an amount as banks print it, with the mark of what left the account', () => {
  const credits = [
    '50.00',
    '+50.00',
    '£50',
    '£ 50.0',
    'GBP 50.00',
    '50.00 GBP',
    '50.00 CR',
    'Cr 50.00',
    '50,00',
    '50,00 H',
  ];
  assert.deepEqual(
    cells(credits),
    credits.map(() => 5000),
  );
  const debits = [
    '-50.00',
    '50.00-',
    '-£50.00',
    '£-50.00',
    '- £50.00',
    '−50.00',
    '(50.00)',
    '(£50.00)',
    'Dr 50.00',
    '50.00 DR',
    '50.00DR',
    '50.00 D',
    '50,00-',
    '50,00 S',
  ];
  assert.deepEqual(
    cells(debits),
    debits.map(() => -5000),
  );
  const large = [
    '1,234.50',
    '1 234.50',
    '1\u00a0234.50',
    '1\u202f234.50',
    "1'234.50",
    '1’234.50',
    '1.234,50',
    '1 234,50',
    '1234.5',
  ];
  assert.deepEqual(
    cells(large),
    large.map(() => 123_450),
  );
});

test('a cell with anything beside its amount is none, and so is one that could be either', () => {
  const none = [
    '',
    '-',
    'eighty',
    '-\ufffd50.00',
    '\ufffd50.00',
    'FPI 50.00',
    '50.00 fee',
    '50.00 60.00',
    '€50.00',
    '50.00 EUR',
  ];
  const unsure = [
    '1.234',
    '1,23,456.00',
    '1,2345.00',
    '1,234 567.00',
    '1.234.50',
    '-50.00 CR',
    '--50.00',
    '(50.00',
    '50.00)',
    '50.',
    '50.001',
    '1 23.00',
  ];
  for (const text of [...none, ...unsure, '9'.repeat(20), '9,999,999,999,999,999.00'])
    assert.equal(amountOf(text), null, text);
});

test('every amount is read to the penny from whatever layout a bank has, and a mark of a debit makes it one', () => {
  const written = fc.record({
    pence: fc.integer({ min: 1, max: 99_999_999_999 }),
    group: fc.constantFrom('', ',', ' ', '\u00a0', "'"),
    decimal: fc.constantFrom('.', ','),
    currency: fc.constantFrom('', '£', '£ ', 'GBP '),
    debit: fc.constantFrom(null, '-#', '#-', '(#)', '# DR', 'Dr #', '#D'),
  });
  fc.assert(
    fc.property(written, ({ pence, group, decimal, currency, debit }) => {
      const digits = String(pence).padStart(3, '0');
      const mark = decimal === ',' && group === ',' ? '.' : group;
      const pounds = digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, mark);
      const text = (debit ?? '#').replace('#', `${currency}${pounds}${decimal}${digits.slice(-2)}`);
      assert.equal(amountOf(text), debit === null ? pence : -pence, text);
    }),
  );
});

test('no text in a cell or a line is too long or too strange to be read', () => {
  const odd = fc.string({
    unit: fc.constantFrom(..."0123456789 ,.'-+()£GBPCDR\ufffd"),
    maxLength: 60,
  });
  fc.assert(
    fc.property(odd, (text) => {
      assert.ok([null, 'number'].includes(amountOf(text) === null ? null : 'number'));
      for (const pence of amountsIn(text)) assert.ok(Number.isSafeInteger(pence));
    }),
  );
  for (const unit of ['9', '9,999', '- ', "9'", '( '])
    assert.ok(amountsIn(unit.repeat(10_000)).every(Number.isSafeInteger));
});

test('amounts are found in a line, and a mark beside one says that it left', () => {
  assert.deepEqual(amountsIn('30/03/2026 FPI £1,082.50  £2,000.00'), [108_250, 200_000]);
  for (const mark of [
    '-50.00',
    '50.00-',
    '-£50.00',
    '-\ufffd50.00',
    '(50.00)',
    '50.00 DR',
    'DR 50.00',
    'Dr: £50.00',
    'Direct Debit 50.00',
    '50.00 Debit',
  ])
    assert.deepEqual(amountsIn(`31 Mar 2026 RENT ${mark} due`), [-5000], mark);
  assert.deepEqual(amountsIn('RENT 50.00-60.00'), [5000]);
  assert.deepEqual(amountsIn(`"'FPI","'50.00"`), [5000]);
  assert.deepEqual(amountsIn('FPI Dr Smith 50.00'), [5000]);
});

test('a blank between digits may be one of thousands or not, and another mark of thousands is one', () => {
  assert.deepEqual(amountsIn('FPI 1\u00a0234.50'), [123_450]);
  assert.deepEqual(amountsIn("FPI 1'234.50"), [123_450]);
  assert.deepEqual(amountsIn('FPI 1 234.50'), [23_450, 123_450]);
  assert.deepEqual(amountsIn('CHQ 100\t345.00'), [34_500]);
});
