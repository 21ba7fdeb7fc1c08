import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueInAnHour } from '../../../test-support/books.ts';
import { readCsv } from '../../../test-support/csv.ts';
import { feesFromTomorrow } from '../../../test-support/fees.ts';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { readBooksAt } from '../books-store.ts';
import { type Books, requirementOf } from '../figures.ts';
import { makePack } from './pack.ts';

type Line = Record<string, string>;

/** Reads what the pack lists as owed now, and the books of the same moment. */
function readOwed(h: Harness): Promise<{ lines: Line[]; books: Books }> {
  const now = h.clock.at.add({ milliseconds: 1 });
  return h.db.snapshot(async (tx) => {
    const lines: Line[] = [];
    for await (const { name, content } of makePack(h.platform, tx, { asOf: now, now })) {
      const text = (await Array.fromAsync(content)).join('');
      if (name !== 'clients.csv' && name !== 'unallocated.csv') continue;
      const [header = [], ...rows] = readCsv(text);
      lines.push(
        ...rows.map((row) => Object.fromEntries(header.map((one, n) => [one, row[n] ?? '']))),
      );
    }
    return { lines, books: await readBooksAt(tx, now, now) };
  });
}

const pence = (lines: readonly Line[]): number =>
  lines
    .filter(({ what }) => !what?.startsWith('owed'))
    .reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);

test('the lists of clients and of unallocated money add up to the requirement while fees wait to leave', async () => {
  const h = await openHarness('2026-01-04T12:00:00Z'); // a Sunday
  try {
    await feesFromTomorrow(h, { fixedPence: 20 });
    await h.runUntil('2026-01-05T09:30:00Z');
    await dueInAnHour(h, { frequency: 'yearly' });
    const before = await readOwed(h);
    assert.equal(before.books.feesPence, 0, 'no settlement has taken them');
    assert.equal(pence(before.lines), requirementOf(before.books));
    assert.ok(before.lines.some(({ what }) => what?.includes('for fees')));
    h.issuer.transferError = 'the_wallet_is_blocked';
    await h.runUntil('2026-01-06T12:00:00Z');
    const { lines, books } = await readOwed(h);
    assert.equal(books.feesPence, 20);
    assert.equal(pence(lines), requirementOf(books));
    assert.ok(!lines.some(({ what }) => what?.includes('for fees')), 'they are the operator’s');
  } finally {
    await h.close();
  }
});
