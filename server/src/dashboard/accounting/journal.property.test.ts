import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyPayOut, payOutOf } from '../../../test-support/pay-outs.ts';
import { type Accounts, entryOf, linesOf, type PayOut, sumsOf } from './journal.ts';

/** An account for each part, so that no two parts fall together. */
const APART: Accounts = { bank: 'B', payments: 'P', refunds: 'R', fees: 'F', recalls: 'C' };

test('each journal balances to the penny, and its accounts are what settlements are made of', () => {
  fc.assert(
    fc.property(fc.array(anyPayOut, { maxLength: 8 }), (payOuts) => {
      const entries = payOuts.map((payOut) => entryOf(payOut, APART));
      for (const { lines } of entries)
        assert.equal(
          lines.reduce((sum, line) => sum + line.pence, 0),
          0,
        );
      const sums = sumsOf(linesOf(entries));
      assert.equal(new Set(sums.map(({ account }) => account)).size, sums.length);
      const netOf = (account: string): number =>
        sums.reduce(
          (net, one) => (one.account === account ? net + one.debit - one.credit : net),
          0,
        );
      const total = (of: (payOut: PayOut) => number): number =>
        payOuts.reduce((sum, one) => sum + (one.kind === 'paid_out' ? of(one) : -of(one)), 0);
      assert.deepEqual(['B', 'P', 'R', 'F', 'C'].map(netOf), [
        total((one) => one.amountPence - one.cameBackPence),
        total((one) => -one.grossPence - one.otherPence),
        total((one) => one.refundsPence - one.refundsBackPence),
        total((one) => one.feesPence),
        total((one) => one.carriedPence),
      ]);
    }),
  );
});

test('no line is of nothing, and none is on both sides', () => {
  fc.assert(
    fc.property(anyPayOut, (payOut) => {
      for (const { debit, credit } of linesOf([entryOf(payOut, APART)]))
        assert.equal(Math.min(debit, credit) === 0 && Math.max(debit, credit) > 0, true);
    }),
  );
});

test('a pay-out that came back takes back what its journal said, line by line, under a number of its own', () => {
  fc.assert(
    fc.property(anyPayOut, (payOut) => {
      const paid = entryOf({ ...payOut, kind: 'paid_out' }, APART);
      const back = entryOf({ ...payOut, kind: 'came_back' }, APART);
      assert.deepEqual(
        back.lines.map((line) => ({ ...line, pence: -line.pence })),
        paid.lines,
      );
      assert.notEqual(back.number, paid.number);
      assert.notEqual(back.narration, paid.narration);
    }),
  );
});

test('a settlement that is not the sum of its parts has no journal', () => {
  const day = Temporal.PlainDate.from('2026-03-30');
  const moved = { kind: 'paid_out', reference: 'S260330K7M2Q9XB', nth: 1, day } as const;
  const payOut = { ...payOutOf({ grossPence: 500 }, moved), amountPence: 499 };
  assert.throws(() => entryOf(payOut, APART), /S260330K7M2Q9XB is out of balance by -1 pence/);
});
