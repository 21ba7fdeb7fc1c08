import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import type { Issuer, StatementLine } from '../../wallets/issuer.ts';
import { reconcile } from './reconciliation.ts';
import { daysOf, nextReportAt } from './reconciliation-stage.ts';
import { listItems, resolveItem } from './reconciliation-store.ts';

let h: Harness;

before(async () => {
  h = await openHarness();
  await h.agreed();
  await h.runUntil('2026-01-13T12:00:00Z');
});

after(() => h.close());

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const openItems = async (): Promise<string[]> =>
  (await h.db.read((tx) => listItems(tx, 'issuer'))).map((one) => one.item);

test('a day on which everything was booked has a report without differences', async () => {
  const report = await reconcile(h.platform, h.issuer, day('2026-01-10'));
  assert.equal(report.lines, 3, 'pay-in, and both sides of the transfer');
  assert.deepEqual([report.differences, report.unknown], [[], null]);
});

test('a line of the statement that our books lack is an item until it is resolved, and says by whom', async () => {
  const [wallet] = [...h.issuer.wallets.values()].filter((one) =>
    one.movements.some((movement) => movement.kind === 'payin'),
  );
  const known = wallet?.movements.find((movement) => movement.kind === 'payin');
  assert.ok(wallet && known);
  const strange: typeof known = { ...known, movementId: 'mv-strange', kind: 'transfer' };
  wallet.movements.push(strange);
  const { differences } = await reconcile(h.platform, h.issuer, day('2026-01-10'));
  assert.deepEqual(
    differences.map((one) => [one.item, one.amountPence]),
    [['line mv-strange-in', 4999]],
  );
  assert.deepEqual(await openItems(), ['line mv-strange-in']);
  await reconcile(h.platform, h.issuer, day('2026-01-11'));
  assert.deepEqual(await openItems(), ['line mv-strange-in'], 'it is looked at again every day');
  wallet.movements.pop();
  await reconcile(h.platform, h.issuer, day('2026-01-12'));
  assert.deepEqual(await openItems(), []);
});

test('a penny that is missing at the issuer is a difference that a person can resolve', async () => {
  const [wallet] = [...h.issuer.wallets.values()];
  assert.ok(wallet);
  wallet.wallet.balancePence -= 1;
  const { differences } = await reconcile(h.platform, h.issuer, day('2026-01-12'));
  wallet.wallet.balancePence += 1;
  const [item] = await openItems();
  assert.equal(differences.length, 1);
  const by = { issuer: 'issuer', item: item ?? '', who: 'Ms Hill', how: 'the issuer corrected it' };
  assert.ok(await h.db.transaction((tx) => resolveItem(tx, h.clock.at, by)));
  assert.equal(await h.db.transaction((tx) => resolveItem(tx, h.clock.at, by)), false);
  assert.deepEqual(await openItems(), []);
});

test('what could not be compared is unknown with its reason and since when', async () => {
  h.issuer.down = true;
  const { unknown } = await reconcile(h.platform, h.issuer, day('2026-01-12'));
  h.issuer.down = false;
  assert.match(unknown ?? '', /the issuer does not answer/);
  const row = await h.db.read((tx) =>
    tx.row<{ since: Temporal.Instant | null }>(
      `SELECT unknown_since AS since FROM reconciliations WHERE date = '2026-01-12'`,
    ),
  );
  assert.ok(row?.since);
});

test('what our books have and the statement does not is a difference, too', async () => {
  const [wallet] = [...h.issuer.wallets.values()].filter((one) =>
    one.movements.some((movement) => movement.kind === 'payin'),
  );
  assert.ok(wallet);
  const [payIn, ...others] = wallet.movements;
  assert.ok(payIn);
  wallet.movements.splice(0, wallet.movements.length, ...others);
  const { open } = await reconcile(h.platform, h.issuer, day('2026-01-10'));
  wallet.movements.unshift(payIn);
  assert.deepEqual(
    open.map((one) => [one.item, one.amountPence]),
    [[`booking ${h.merchantId} pay_in ${payIn.movementId}`, -4999]],
  );
  const after = await reconcile(h.platform, h.issuer, day('2026-01-10'));
  assert.deepEqual(after.open, []);
});

/** The issuer, of which these calls are others. */
function issuerBut(others: Partial<Issuer>): Issuer {
  return new Proxy<Issuer>(h.issuer, {
    get(issuer, name) {
      const found: unknown = Reflect.get({ ...others }, name) ?? Reflect.get(issuer, name, issuer);
      return typeof found === 'function' ? found.bind(issuer) : found;
    },
  });
}

/** The issuer, whose statement of a day has more lines: made from those that it has. */
function issuerWith(
  date: Temporal.PlainDate,
  more: (lines: StatementLine[]) => StatementLine[],
): Issuer {
  return issuerBut({
    async *listStatement(asked: Temporal.PlainDate) {
      const lines = await Array.fromAsync(h.issuer.listStatement(day('2026-01-10')));
      yield* h.issuer.listStatement(asked);
      if (asked.equals(date)) yield* more(lines);
    },
  });
}

const like = (line: StatementLine): StatementLine => ({
  ...line,
  lineId: `${line.lineId}-2`,
  movementId: `${line.movementId}-2`,
});

for (const [what, isLike] of [
  ['pay-in', (line: StatementLine) => line.kind === 'payin'],
  ['transfer in', (line: StatementLine) => line.kind === 'transfer' && line.direction === 'credit'],
  ['transfer out', (line: StatementLine) => line.kind === 'transfer' && line.direction === 'debit'],
] as const)
  for (const date of ['2026-01-10', '2026-01-11'])
    test(`a second ${what} like that of 2026-01-10 on the statement of ${date} is a difference`, async () => {
      const twice = issuerWith(day(date), (lines) => lines.filter(isLike).map(like));
      const { open } = await reconcile(h.platform, twice, day(date));
      assert.equal(open.length, 1);
      assert.match(open[0]?.item ?? '', /^line mv-\S+-2$/);
      assert.match(open[0]?.what ?? '', /not in our books/);
      await reconcile(h.platform, h.issuer, day(date));
      assert.deepEqual(await openItems(), []);
    });

test('a line that is there twice, as it is, is a difference', async () => {
  const twice = issuerWith(day('2026-01-10'), (lines) => lines);
  const { open } = await reconcile(h.platform, twice, day('2026-01-10'));
  assert.equal(open.length, 3);
  await reconcile(h.platform, h.issuer, day('2026-01-10'));
});

test('a transfer of which the statement has one side only is a difference', async () => {
  const half: Issuer = issuerBut({
    async *listStatement(asked: Temporal.PlainDate) {
      for await (const line of h.issuer.listStatement(asked))
        if (line.kind !== 'transfer' || line.direction === 'debit') yield line;
    },
  });
  const { open } = await reconcile(h.platform, half, day('2026-01-10'));
  assert.deepEqual(
    open.map((one) => one.amountPence),
    [-4999],
  );
  assert.match(open[0]?.what ?? '', /^move \S+ of 4999 \(credit\) is not on the statement$/);
  await reconcile(h.platform, h.issuer, day('2026-01-10'));
});

test('an issuer that lists no balances leaves them unknown', async () => {
  const silent: Issuer = issuerBut({
    async *listBalances() {},
  });
  const { unknown } = await reconcile(h.platform, silent, day('2026-01-10'));
  assert.match(unknown ?? '', /balances: the issuer lists no balances/);
  await reconcile(h.platform, h.issuer, day('2026-01-10'));
});

test('a line with another amount than our books is a difference', async () => {
  const payIn = [...h.issuer.wallets.values()]
    .flatMap((one) => one.movements)
    .find((movement) => movement.kind === 'payin');
  assert.ok(payIn);
  payIn.amountPence += 1;
  const { open } = await reconcile(h.platform, h.issuer, day('2026-01-10'));
  payIn.amountPence -= 1;
  assert.match(open.map((one) => one.what).join(), /of 5000 \(credit\) is 4999 in our books/);
  await reconcile(h.platform, h.issuer, day('2026-01-10'));
});

test('a resolved difference is open again when its amount changes, and not before', async () => {
  const [wallet] = [...h.issuer.wallets.values()];
  assert.ok(wallet);
  wallet.wallet.balancePence -= 1;
  const first = await reconcile(h.platform, h.issuer, day('2026-01-12'));
  assert.deepEqual(first.open, [], 'it was resolved by Ms Hill');
  wallet.wallet.balancePence -= 1;
  const second = await reconcile(h.platform, h.issuer, day('2026-01-12'));
  wallet.wallet.balancePence += 2;
  assert.deepEqual(
    second.open.map((one) => one.amountPence),
    [-2],
  );
  await reconcile(h.platform, h.issuer, day('2026-01-12'));
});

const A_WEEK = Temporal.Duration.from({ hours: 7 * 24 });

for (const [what, reference] of [
  ['of a merchant that is ours', () => `${h.merchantId}/wal_lost`],
  ['of a merchant that we do not know', () => 'mer_lost/wal_lost'],
  ['that we did not open', () => 'opened by hand'],
] as const)
  test(`money that came to a wallet ${what} is on the list of differences until somebody resolves it`, async () => {
    const key = `strange ${what}`;
    const holder = { kind: 'person', name: 'Kim' } as const;
    const wallet = await h.issuer.reserveWallet({
      idempotencyKey: key,
      externalReference: reference(),
      holder,
    });
    await h.issuer.openWallet(wallet.issuerWalletId);
    const creditor = wallet.account.accountNumber;
    const { movementId } = h.issuer.payIn({ endToEndId: key, amountPence: 321, creditor });
    await h.runUntil(h.clock.at.add(A_WEEK));
    const open = await h.db.read((tx) => listItems(tx, 'issuer'));
    const line = open.find((one) => one.item === `line ${movementId}-in`);
    assert.deepEqual([line?.amountPence, line?.resolvedAt], [321, null]);
    assert.match(line?.what ?? '', /^payin .* of 321 \(credit\) is not in our books$/);
    await h.runUntil(h.clock.at.add(A_WEEK));
    assert.ok((await openItems()).includes(`line ${movementId}-in`), 'it stays');
    for (const item of await openItems()) {
      const by = { issuer: 'issuer', item, who: 'Ms Hill', how: 'sent back, ref 4711' };
      assert.ok(await h.db.transaction((tx) => resolveItem(tx, h.clock.at, by)));
    }
    await h.runUntil(h.clock.at.add(A_WEEK));
    assert.deepEqual(await openItems(), []);
  });

test('reports are due at 06:30 London time on business days, and leave no day out', async () => {
  const at = (text: string): string => nextReportAt(Temporal.Instant.from(text)).toString();
  assert.equal(at('2026-01-09T06:30:00Z'), '2026-01-12T06:30:00Z');
  assert.equal(at('2026-07-06T12:00:00Z'), '2026-07-07T05:30:00Z');
  const days = daysOf(day('2026-01-12')).map((one) => one.toString());
  assert.deepEqual(days, ['2026-01-09', '2026-01-10', '2026-01-11']);
  const stored = await h.db.read((tx) =>
    tx.rows<{ date: Temporal.PlainDate }>('SELECT date FROM reconciliations ORDER BY date'),
  );
  const dates = stored.map((row) => row.date.toString());
  for (const one of ['2026-01-05', '2026-01-09', '2026-01-10', '2026-01-11', '2026-01-12'])
    assert.ok(dates.includes(one), `${one} is among ${dates.join()}`);
});
