// Slow: lives through a quarter.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { ISSUER } from '../../server/src/laws/reconciliation/reconciliation.ts';
import { firstPage } from '../../server/src/platform/http/lists/page.ts';
import { requirementOf } from '../../server/src/safeguarding/figures.ts';
import { monthFigures } from '../../server/src/safeguarding/month.ts';
import { makePack } from '../../server/src/safeguarding/pack/pack.ts';
import { findRuns, listBreaches, putAnswer } from '../../server/src/safeguarding/store.ts';
import { assertLaws } from '../../server/test-support/books.ts';
import { readCsv } from '../../server/test-support/csv.ts';
import { feesFromTomorrow } from '../../server/test-support/fees.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const FIRST = day('2026-04-01');
const LAST = day('2026-06-30');
/** A whole day on which no process ran. */
const NOTHING_RAN = '2026-04-22';

interface Posted {
  kind: string;
  debit: string;
  credit: string;
  pence: number;
  at: Temporal.Instant;
}

/** Adds up an export of all postings until a moment, by what the accounts are: nothing of the product's arithmetic. */
function addUp(posted: readonly Posted[], until: Temporal.Instant): Map<string, number> {
  const sums = new Map<string, number>();
  const add = (account: string, pence: number): void =>
    void sums.set(account, (sums.get(account) ?? 0) + pence);
  for (const { debit, credit, pence, at } of posted) {
    if (Temporal.Instant.compare(at, until) >= 0) continue;
    add(debit, -pence);
    add(credit, pence);
  }
  return sums;
}

describe('a quarter of safeguarding days', () => {
  let h: Harness;
  before(async () => {
    h = await openHarness('2026-04-01T07:00:00Z');
    await feesFromTomorrow(h, { fixedPence: 20 });
    for (const [n, type] of (['daily', 'weekly'] as const).entries())
      await h.agreed({
        frequency: type,
        start_date: '2026-04-02T09:00:00Z',
        customer: { phone: `+44770090020${n}` },
      });
    const leaver = await h.merchant();
    const left = await leaver.agreed({ start_date: '2026-04-02T09:00:00Z' });
    await h.runUntil('2026-04-13T12:00:00Z');
    await leaver.update(left.id, { status: 'cancelled' });

    // A stranger's money, told at once, that nobody allocates.
    const [wallet] = [...h.issuer.wallets.values()];
    assert.ok(wallet);
    h.issuer.payIn({ endToEndId: 'a-stranger', amountPence: 700, creditor: account(wallet) });
    await h.runUntil('2026-04-15T20:00:00Z');
    // Another's, of which no notice comes: the statement tells of it at 06:30.
    const tell = h.issuer.onPayIn;
    h.issuer.onPayIn = null;
    h.issuer.payIn({ endToEndId: 'unheard', amountPence: 300, creditor: account(wallet) });
    h.issuer.onPayIn = tell;
    await h.runUntil('2026-04-20T12:00:00Z');

    // A recall that no settlement can net: its merchant collects nothing any more.
    const payIn = [...h.issuer.wallets.values()]
      .filter((one) => one.wallet.externalReference?.startsWith(leaver.merchantId))
      .flatMap((one) => one.movements)
      .find(({ kind }) => kind === 'payin');
    assert.ok(payIn);
    h.issuer.recall(payIn);
    await h.runUntil('2026-04-21T20:00:00Z');
    h.clock.at = Temporal.Instant.from('2026-04-22T23:30:00Z');
    await h.runUntil('2026-05-06T12:00:00Z');
    await h.db.transaction((tx) =>
      putAnswer(
        tx,
        h.clock.at,
        { issuer: ISSUER, date: day('2026-05-06') },
        { who: 'Robin Fern', says: 'paid in', paidInPence: payIn.amountPence, takenOutPence: 0 },
      ),
    );
    await h.runUntil('2026-07-01T12:00:00Z');
  });
  after(() => h?.close());

  const account = ({ wallet }: { wallet: { account: { accountNumber: string } } }): string =>
    wallet.account.accountNumber;
  const runs = () => h.db.read((tx) => findRuns(tx, ISSUER, FIRST, LAST));

  test('has a run for each business day but the one on which nothing ran, and none on a bank holiday', async () => {
    const days = (await runs()).map(({ date }) => date.toString());
    for (const none of ['2026-04-03', '2026-04-06', '2026-05-04', '2026-05-25', '2026-04-04'])
      assert.ok(!days.includes(none), none);
    assert.ok(!days.includes(NOTHING_RAN));
    assert.equal(days.length, 60); // 61 business days after the first, less that one
  });

  test('requirement and resource are what an independent sum of the exports says', async () => {
    const posted = await h.db.read((tx) =>
      tx.rows<Posted>(
        `SELECT t.kind, d.kind AS debit, c.kind AS credit, t.amount_pence AS pence, t.at FROM transfers t
         JOIN accounts d ON d.merchant_id = t.merchant_id AND d.account_id = t.debit_account_id
         JOIN accounts c ON c.merchant_id = t.merchant_id AND c.account_id = t.credit_account_id`,
      ),
    );
    assert.ok(posted.length > 400);
    for (const run of await runs()) {
      const sums = addUp(posted, run.asOf);
      const of = (...kinds: string[]): number =>
        kinds.reduce((all, kind) => all + (sums.get(kind) ?? 0), 0);
      const where = run.date.toString();
      const owed = of('customer_wallet', 'merchant_wallet', 'in_settlement', 'unallocated');
      assert.equal(requirementOf(run) + run.feesPence, owed + of('fees'), where);
      assert.equal(run.recalledPence + of('owed'), 0, where);
      assert.equal(run.heldPence, owed + of('fees', 'owed'), where);
      assert.equal(run.feesPence, 0, where); // each leaves on the day on which its settlement takes it
    }
  });

  test('what the issuer holds is what its own movements say, and money told late is timing', async () => {
    const movements = [
      ...new Map(
        [...h.issuer.wallets.values()]
          .flatMap((one) => one.movements)
          .map((one) => [one.movementId, one]),
      ).values(),
    ];
    for (const run of await runs()) {
      const held = movements
        .filter(({ status }) => status === 'settled')
        .filter(({ createdAt }) => Temporal.Instant.compare(createdAt, run.asOf) < 0)
        .reduce((sum, { kind, amountPence, toIssuerWalletId }) => {
          const isFee =
            h.issuer.wallets.get(toIssuerWalletId ?? '')?.wallet.externalReference ===
            'operator/fees';
          if (kind === 'payin' || kind === 'payout_return') return sum + amountPence;
          if (kind === 'payout' || kind === 'payin_recall' || isFee) return sum - amountPence;
          return sum;
        }, 0);
      assert.equal(run.issuerPence, held, run.date.toString());
    }
    const late = (await runs()).filter(({ timingPence }) => timingPence !== 0);
    assert.deepEqual(
      late.map(({ date, timingPence, unknown }) => [date.toString(), timingPence, unknown]),
      [['2026-04-16', 300, null]],
    );
  });

  test('the pack as of a day opens without the service, adds up to that day, and its checksums are right', async () => {
    const run = (await runs()).find(({ date }) => date.toString() === '2026-04-21');
    assert.ok(run);
    const files = new Map<string, Buffer>();
    await h.db.snapshot(async (tx) => {
      const of = { asOf: run.asOf, now: h.clock.at };
      for await (const { name, content } of makePack(h.platform, tx, of)) {
        const pieces = await Array.fromAsync(content);
        files.set(name, Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
      }
    });
    const lines = (name: string): Record<string, string>[] => {
      const [header = [], ...rows] = readCsv(String(files.get(name)));
      return rows.map((row) =>
        Object.fromEntries(header.map((column, n) => [column, row[n] ?? ''])),
      );
    };
    const pence = (rows: Record<string, string>[]): number =>
      rows.reduce((sum, { amount = '' }) => sum + Math.round(Number(amount) * 100), 0);
    const clients = lines('clients.csv').filter(({ what }) => !what?.startsWith('owed'));
    assert.equal(pence(clients) + pence(lines('unallocated.csv')), requirementOf(run));
    const [day] = lines('safeguarding-days.csv').slice(-1);
    assert.equal(Number(day?.requirement) * 100, requirementOf(run));
    assert.equal(lines('breaches.csv').length, 2, 'those before that day');
    assert.deepEqual(lines('register.csv'), []);
    const sums = String(files.get('SHA256SUMS')).trim().split('\n');
    assert.equal(sums.length, 8);
    for (const line of sums) {
      const [sum = '', name = ''] = line.split('  ');
      const content = files.get(name);
      assert.ok(content, name);
      assert.equal(createHash('sha256').update(content).digest('hex'), sum, name);
    }
  });

  test('the figures of a month say what its runs say, and name what is not known', async () => {
    const april = await h.db.read((tx) => findRuns(tx, ISSUER, FIRST, day('2026-04-30')));
    const { data } = await h.db.read((tx) => listBreaches(tx, ISSUER, firstPage(200)));
    const figures = monthFigures({
      month: Temporal.PlainYearMonth.from('2026-04'),
      since: FIRST,
      until: day('2026-06-30'),
      runs: april,
      breaches: data,
      entries: new Map([['account', 2]]),
    });
    const of = (asks: string): string | null | undefined =>
      figures.find((one) => one.asks.startsWith(asks))?.value;
    assert.equal(of('Days without'), NOTHING_RAN);
    assert.equal(of('Reconciliation days'), '20 days, 19 internal, 19 external');
    assert.equal(of('Days with a shortfall'), '7, £49.99 on 2026-04-21');
    assert.equal(of('Accounts and'), '2 and 0');
    assert.equal(of('Method'), null);
  });

  test('each thing that was not done by its time is in the register once, with its clock', async () => {
    const { data } = await h.db.read((tx) => listBreaches(tx, ISSUER, firstPage(200)));
    const told = data
      .map(({ kind, about, amountPence, deadline, endedAt }) =>
        [
          kind,
          kind === 'receipt' ? '' : about,
          amountPence,
          deadline.toString(),
          endedAt === null,
        ].join(' '),
      )
      .sort();
    assert.deepEqual(told, [
      'no_run 2026-04-22  2026-04-22T23:00:00Z false',
      'receipt  300 2026-04-16T23:00:00Z true',
      'receipt  700 2026-04-14T23:00:00Z true',
      'shortfall 2026-04-21 4999 2026-04-21T23:00:00Z false',
    ]);
    await assertLaws(h);
  });
});
