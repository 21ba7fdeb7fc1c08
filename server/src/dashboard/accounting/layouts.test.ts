import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCsv } from '../../../test-support/csv.ts';
import { anyPayOut, payOutOf } from '../../../test-support/pay-outs.ts';
import { toCsv } from '../../platform/values/csv.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { JOURNAL_EXPORT } from './export.ts';
import { entryOf, linesOf, type PayOut } from './journal.ts';
import { accountsOf, LAYOUTS } from './layouts.ts';
import { type Journal, LAYOUT_NAMES, type LayoutName } from './view.ts';

/** Returns the file of these lines, as the download makes it. */
function printed(layout: LayoutName, lines: Journal['lines']): string {
  const { items, cells, form } = JOURNAL_EXPORT;
  const rows = items?.({ lines, layout } as Journal) ?? [];
  return toCsv(
    rows.map((row) => cells(row, String)),
    form?.({ layout }),
  );
}

function inPence(cell: string): number {
  assert.match(cell, /^(-?(0|[1-9]\d*)\.\d\d)?$/, 'an amount is a number, and no text');
  return Number(cell.replace('.', ''));
}

/** What groups the lines of a journal in each program, and the debit of a line, below zero: its credit. */
const READ: Record<LayoutName, (cell: (column: string) => string) => [string, number]> = {
  xero: (cell) => [`${cell('*Narration')} ${cell('*Date')}`, inPence(cell('*Amount'))],
  quickbooks: (cell) => [cell('Journal No.'), inPence(cell('Debits')) - inPence(cell('Credits'))],
  sage: (cell) => [
    cell('Reference'),
    inPence(cell('Net Amount')) * ({ JD: 1, JC: -1 }[cell('Type')] ?? Number.NaN),
  ],
};

test('every file balances to the penny in each of its journals, whatever settlements are made of', () => {
  fc.assert(
    fc.property(fc.array(anyPayOut, { maxLength: 8 }), (payOuts) => {
      for (const layout of LAYOUT_NAMES) {
        const accounts = accountsOf(layout, {});
        const lines = linesOf(payOuts.map((payOut) => entryOf(payOut, accounts)));
        const [heading = [], ...rows] = readCsv(printed(layout, lines));
        assert.deepEqual(heading, LAYOUTS[layout].columns);
        assert.equal(rows.length, lines.length);
        const read = rows.map((row) => READ[layout]((name) => row[heading.indexOf(name)] ?? ''));
        for (const [number, own] of Map.groupBy(read, ([name]) => name))
          assert.equal(
            own.reduce((sum, [, amount]) => sum + amount, 0),
            0,
            `${layout} ${number}`,
          );
      }
    }),
  );
});

const on = (day: string, kind: PayOut['kind'], reference: string, nth = 1, named = reference) => ({
  kind,
  reference,
  statementReference: named,
  nth,
  day: Temporal.PlainDate.from(day),
});
const EVERYTHING = {
  grossPence: 120_000,
  feesPence: 1_250,
  refundsPence: 8_000,
  carriedPence: 4_500,
  refundsBackPence: 2_000,
};
const RETURNED = { grossPence: 4_999, cameBackPence: 9_500, otherPence: 1_234 };
/**
 * A settlement with everything, which comes back, is paid out again and comes back again, beside one with money that was
 * credited, and which the issuer named otherwise.
 */
const GOLDEN: readonly PayOut[] = [
  payOutOf(EVERYTHING, on('2026-03-30', 'paid_out', 'S260330K7M2Q9XB')),
  payOutOf(RETURNED, on('2026-04-01', 'paid_out', 'S260401BCDFGHJK', 1, 'LOST123')),
  payOutOf(EVERYTHING, on('2026-04-01', 'came_back', 'S260330K7M2Q9XB')),
  payOutOf(EVERYTHING, on('2026-04-02', 'paid_out', 'S260330K7M2Q9XB', 2)),
  payOutOf(EVERYTHING, on('2026-04-07', 'came_back', 'S260330K7M2Q9XB', 2)),
];

for (const layout of LAYOUT_NAMES)
  test(`the file for ${LAYOUTS[layout].program} is as it imports it`, async () => {
    const named = layout === 'quickbooks' ? { account_payments: 'Sales, memberships' } : {};
    const accounts = accountsOf(layout, named);
    const lines = linesOf(GOLDEN.map((payOut) => entryOf(payOut, accounts)));
    const golden = new URL(`../../../test-support/golden/journal-${layout}.csv`, import.meta.url);
    assert.equal(printed(layout, lines), await readFile(golden, 'utf8'));
  });

test('a number is no longer than QuickBooks takes, also after a reference of an earlier version', () => {
  const accounts = accountsOf('quickbooks', {});
  for (const nth of [1, 2, 9])
    for (const kind of ['paid_out', 'came_back'] as const) {
      const moved = on('2026-03-30', kind, '2fSALfDo4duUde5x6C', nth);
      const { number } = entryOf(payOutOf({ grossPence: 500 }, moved), accounts);
      assert.ok(number.length <= 21, number);
    }
});

test('days without a settlement are a heading alone', () => {
  for (const layout of LAYOUT_NAMES)
    assert.deepEqual(readCsv(printed(layout, [])), [LAYOUTS[layout].columns]);
});

function refusedBy(run: () => unknown): Record<string, string> {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.details ?? {};
  }
  return {};
}

test('accounts are those named, and the usual ones for the others; each wrong one is refused by its name', () => {
  const named = accountsOf('xero', { account_bank: '090', account_fees: '244.8' });
  assert.deepEqual(named, { ...LAYOUTS.xero.accounts, bank: '090', fees: '244.8' });
  for (const layout of LAYOUT_NAMES) {
    const formula = { account_bank: '=1+1', account_fees: '404', account_recalls: '-2' };
    const { wrongAccount, accounts } = LAYOUTS[layout];
    assert.deepEqual(
      refusedBy(() => accountsOf(layout, formula)),
      { account_bank: wrongAccount, account_recalls: wrongAccount },
    );
    assert.deepEqual(accountsOf(layout, {}), accounts);
  }
});

test('an account is what its program takes: a code of so many characters, or a name', () => {
  const isTaken = (layout: LayoutName, account: string): boolean =>
    Object.keys(refusedBy(() => accountsOf(layout, { account_fees: account }))).length === 0;
  assert.deepEqual(
    ['1234567890', '12345678901', '4 04', 'Sales.1-2', '.404'].map((one) => isTaken('xero', one)),
    [true, false, false, true, false],
  );
  assert.deepEqual(
    ['12345678', '123456789', '79-01'].map((one) => isTaken('sage', one)),
    [true, false, false],
  );
  assert.deepEqual(
    [
      'Costs:Bank charges',
      'A'.repeat(100),
      'A'.repeat(101),
      ' Fees',
      'Fees\n',
      'Café, 5 % off',
    ].map((one) => isTaken('quickbooks', one)),
    [true, true, false, false, false, true],
  );
});
