import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  assertLaws,
  dueInAnHour,
  onlyPaymentOf,
  refund,
  settleByHand,
  settlementsOf,
} from '../../../test-support/books.ts';
import { feesFromTomorrow } from '../../../test-support/fees.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import { readCamt } from '../../wallets/camt.ts';
import { walletBalance } from '../overview/store.ts';
import type { Statement } from '../reports/statement-view.ts';
import { camtPieces } from './camt-file.ts';
import type { Journal } from './view.ts';

// Settlements with refunds, fees, a recall and pay-outs that come back: the journals are compared with the settlements as the API
// shows them, with what the issuer paid out, and with the wallet.

const ACCOUNTS = ['bank', 'payments', 'refunds', 'fees', 'recalls']
  .map((use) => `account_${use}=${use}`)
  .join('&');
/** An account for each part: names as QuickBooks has them. */
const APART = `/api/reports/journal?layout=quickbooks&${ACCOUNTS}`;

let d: TestDashboard;
/** January, as it was read on the first of February. */
let january: Journal;

const once = (pence: number): Promise<string> =>
  dueInAnHour(d.h, { amount: { value: pence, currency: 'GBP' }, frequency: 'yearly' });
const read = (days: string): Promise<Journal> => d.get(`${APART}&${days}`);
const JANUARY = 'from=2026-01-01&to=2026-01-31';

before(async () => {
  d = await openDashboard('2026-01-05T09:30:00Z');
  const { h } = d;
  await h.runUntil(await feesFromTomorrow(h, { fixedPence: 10, basisPoints: 200 }));
  await once(5_000);
  const refunded = await onlyPaymentOf(h, await once(2_500));
  await h.runUntil('2026-01-07T12:00:00Z');
  await once(3_000);
  await refund(h, refunded.id, { amount: { value: 700, currency: 'GBP' } });
  await h.runUntil('2026-01-08T12:00:00Z');
  await comeBackAndRetry(await latest());
  const payIns = [...h.issuer.wallets.values()].flatMap((one) => one.movements);
  const recalled = payIns.find((one) => one.kind === 'payin' && one.amountPence === 5_000);
  assert.ok(recalled);
  h.issuer.recall(recalled);
  await h.runUntil('2026-01-12T08:00:00Z');
  await once(8_000);
  await h.runUntil('2026-01-15T12:00:00Z');
  const lastOfJanuary = await latest();
  await h.runUntil('2026-02-01T09:00:00Z');
  january = await read(JANUARY);
  h.issuer.comeBack(`${lastOfJanuary.id}-1`);
  await h.runUntil('2026-02-02T09:00:00Z');
  // The account is confirmed by an operator, and the money goes out with the next settlement.
  await h.db.transaction((tx) => tx.run('UPDATE settlements SET account_doubted_at = NULL'));
  await once(1_000);
  await h.runUntil('2026-02-04T12:00:00Z');
  await assertLaws(h);
});
after(() => d.close());

async function latest() {
  const settlement = (await settlementsOf(d.h)).at(-1);
  assert.equal(settlement?.status, 'success');
  assert.ok(settlement);
  return settlement;
}

async function comeBackAndRetry({ id }: { id: string }): Promise<void> {
  const { h } = d;
  h.issuer.comeBack(`${id}-1`);
  await h.runUntil(h.clock.at.add({ hours: 24 }));
  await settleByHand(h, id);
  await h.runUntil(h.clock.at.add({ hours: 1 }));
}

const netOf = ({ sums }: Journal, account: string): number =>
  sums.reduce((net, sum) => (sum.account === account ? net + sum.debit - sum.credit : net), 0);
const numbersOf = ({ lines }: Journal): string[] => [...new Set(lines.map(({ number }) => number))];

test('each journal balances, and its bank line is what its settlement paid out', async () => {
  const all = await read('from=2026-01-01&to=2026-02-28');
  const settlements = await settlementsOf(d.h);
  for (const number of numbersOf(all)) {
    const own = all.lines.filter((line) => line.number === number);
    const of = (text: string): number =>
      own.reduce((net, one) => (one.text === text ? net + one.debit - one.credit : net), 0);
    assert.equal(
      own.reduce((net, { debit, credit }) => net + debit - credit, 0),
      0,
      number,
    );
    const settlement = settlements.find((one) => number.startsWith(one.statement_reference));
    assert.ok(settlement, number);
    const side = number.endsWith('-R') ? -1 : 1;
    assert.deepEqual(
      [
        of('Paid out'),
        of('Payments collected'),
        of('Fees'),
        of('Refunds'),
        of('Recalled payments'),
      ].map((pence) => 0 + pence * side),
      [
        settlement.amount.value,
        0 - settlement.gross.value,
        settlement.fees.value,
        settlement.refunds.value,
        settlement.carried.value,
      ],
      number,
    );
  }
});

test('a pay-out that came back is taken back on its day, and paid out again under a number of its own', () => {
  const [first, second, third] = january.lines
    .filter(({ text }) => text === 'Paid out')
    .map(({ date, number }) => `${date} ${number}`)
    .slice(1, 4);
  const [date, reference = ''] = first?.split(' ') ?? [];
  assert.deepEqual(
    [date, second, third],
    ['2026-01-08', `2026-01-08 ${reference}-R`, `2026-01-09 ${reference}-2`],
  );
});

test('a month that is over stays as it was exported, whatever comes back later', async () => {
  const again = await read(JANUARY);
  assert.deepEqual({ ...again, as_of: '' }, { ...january, as_of: '' });
  const february = await read('from=2026-02-01&to=2026-02-28');
  assert.deepEqual(
    numbersOf(february).map((number) => number.endsWith('-R')),
    [true, false],
  );
  assert.equal(february.came_back, 1);
});

test('all journals together are what was collected, and what the bank got is what the issuer paid out', async () => {
  const all = await read('from=2026-01-01&to=2026-02-28');
  const { h } = d;
  const movements = [...h.issuer.wallets.values()].flatMap((one) => one.movements);
  const sumOf = (kind: string): number =>
    movements.reduce((sum, one) => (one.kind === kind ? sum + one.amountPence : sum), 0);
  const paidOut = sumOf('payout') - sumOf('payout_return');
  assert.deepEqual(
    [netOf(all, 'payments'), netOf(all, 'refunds'), netOf(all, 'recalls')],
    [-(5_000 + 2_500 + 3_000 + 8_000 + 1_000), 700, 5_000],
  );
  assert.equal(all.paid_out, netOf(all, 'bank'));
  assert.equal(netOf(all, 'bank') + 700, paidOut, 'the refund is a pay-out of its own');
  const statements = await Promise.all(
    ['2026-01', '2026-02'].map((month) =>
      d.get<Statement>(`/api/reports/statement?month=${month}`),
    ),
  );
  const moved = (...kinds: string[]): number =>
    statements
      .flatMap(({ summary }) => summary)
      .reduce((sum, line) => (kinds.includes(line.kind) ? sum + line.value : sum), 0);
  assert.deepEqual(
    [moved('payments'), moved('fees'), moved('settlements', 'came_back')],
    [0 - netOf(all, 'payments'), 0 - netOf(all, 'fees'), 0 - netOf(all, 'bank')],
  );
  const wallet = await h.db.forMerchant(h.merchantId, (tx) => walletBalance(tx, h.merchantId));
  assert.deepEqual([wallet, statements[1]?.closing], [0, 0], 'all of it is settled');
});

test('a file that its program would not take, wrong days and wrong accounts are refused by name', async () => {
  const refusedFields = async (query: string): Promise<string[]> => {
    const { status, body } = await d.refused('GET', `/api/reports/journal?${query}`);
    assert.equal(status, 400);
    return Object.keys(body.details ?? {});
  };
  assert.deepEqual(await refusedFields('layout=excel'), ['layout']);
  assert.deepEqual(await refusedFields('from=yesterday'), ['from']);
  assert.deepEqual(await refusedFields('from=2026-02-02&to=2026-02-01'), ['to']);
  assert.deepEqual(await refusedFields('from=2024-01-01&to=2026-02-01'), ['from']);
  assert.deepEqual(await refusedFields('account_bank=%3DSUM(A1)&account_fees=a+b'), [
    'account_bank',
    'account_fees',
  ]);
  assert.deepEqual(await refusedFields('account_sales=200'), ['account_sales']);
});

test('without days it is the last month that is over, in the layout of Xero', async () => {
  const usual = await d.get<Journal>('/api/reports/journal');
  assert.deepEqual([usual.from, usual.to, usual.layout], ['2026-01-01', '2026-01-31', 'xero']);
  assert.deepEqual(numbersOf(usual), numbersOf(january));
  const since = await d.get<Journal>('/api/reports/journal?from=2026-02-03');
  assert.deepEqual([since.from, since.to], ['2026-02-03', '2026-02-04']);
});

test('more lines than a program takes in a file are refused, and another takes them', async () => {
  const { h } = d;
  const { merchantId } = await h.merchant();
  const at = Temporal.Instant.from('2026-01-05T06:00:00Z');
  const ids = Array.from({ length: 151 }, () => h.platform.ids.next('trf', at));
  await h.db.transaction(async (tx) => {
    await tx.run(
      `INSERT INTO settlements (merchant_id, settlement_id, settle_date, part, amount_pence, gross_pence, currency, status,
         attempts, destination, created_at, completed_at)
       SELECT $1, 'set_' || n, '2026-01-05', n, 100, 100, 'GBP', 'success', 1, 'sealed', $2, $2
       FROM generate_series(1, $3::int) n`,
      [merchantId, at, ids.length],
    );
    await tx.run(
      `INSERT INTO transfers (merchant_id, transfer_id, kind, debit_account_id, credit_account_id, amount_pence, source_id, at)
       SELECT $1, id, 'pay_out', 'in_settlement', 'outside', 100, 'set_' || n || '-1', $3
       FROM unnest($2::text[]) WITH ORDINALITY AS x (id, n)`,
      [merchantId, ids, at],
    );
  });
  const of = (layout: string): string => `/api/reports/journal?layout=${layout}&${JANUARY}`;
  const { status, body } = await d.refused('GET', of('xero'), undefined, merchantId);
  assert.equal(status, 400);
  assert.match(body.details?.from ?? '', /more than the 300 lines that Xero takes/);
  const { pay_outs, lines } = await d.get<Journal>(of('quickbooks'), merchantId);
  assert.deepEqual([pay_outs, lines.length], [151, 302]);
});

const camtOf = async (statement: Statement, merchantId: string): Promise<string> => {
  const pieces = camtPieces(d.h.platform, merchantId, statement, 'wal_0');
  return (await Array.fromAsync(pieces)).join('');
};

test('the camt.053 file of a month has every movement once, also over many pages, and closes as the statement', async () => {
  const { h } = d;
  const { merchantId } = await h.merchant();
  const at = Temporal.Instant.from('2026-01-20T09:00:00Z');
  const ids = Array.from({ length: 1_001 }, () => h.platform.ids.next('trf', at));
  await h.db.transaction((tx) =>
    tx.run(
      `INSERT INTO transfers (merchant_id, transfer_id, kind, debit_account_id, credit_account_id, amount_pence, source_id, at)
       SELECT $1, id, 'move', 'outside', account_id, n, 'pay_' || n, $3
       FROM accounts, unnest($2::text[]) WITH ORDINALITY AS x (id, n) WHERE merchant_id = $1 AND kind = 'merchant_wallet'`,
      [merchantId, ids, at],
    ),
  );
  const path = '/api/reports/statement?month=2026-01';
  for (const merchant of [merchantId, h.merchantId]) {
    const statement = await d.get<Statement>(path, merchant);
    const [read] = readCamt(await camtOf(statement, merchant));
    assert.deepEqual(
      [read?.openingPence, read?.closingPence, read?.unread],
      [statement.opening, statement.closing, []],
    );
    const change = (read?.entries ?? []).reduce(
      (sum, { direction, amountPence: pence }) => sum + (direction === 'credit' ? pence : -pence),
      0,
    );
    assert.equal(statement.opening + change, statement.closing);
    const count = statement.lines.reduce((sum, line) => sum + line.count, 0);
    assert.equal(new Set(read?.entries.map((one) => one.servicerReference)).size, count);
  }
});

test('an entry names its payment, or the reference that stands on the bank statement', async () => {
  const statement = await d.get<Statement>('/api/reports/statement?month=2026-01');
  const [read] = readCamt(await camtOf(statement, d.h.merchantId));
  const of = (word: string): (string | null)[] =>
    (read?.entries ?? [])
      .filter(({ remittance }) => remittance?.startsWith(word))
      .map(({ endToEndId }) => endToEndId);
  const isOf = (prefix: string) => (one: string | null) => one?.startsWith(prefix) === true;
  for (const word of ['Payment', 'Fee of', 'Recalled payment']) {
    assert.ok(of(word).length > 0, word);
    assert.ok(of(word).every(isOf('pay_')), word);
  }
  const references = (await settlementsOf(d.h)).map((one) => one.statement_reference);
  assert.ok(of('Settlement').length > 0);
  assert.ok(of('Settlement').every((one) => references.includes(one ?? '')));
});

test('a file whose entries do not lead to its closing balance is never whole', async () => {
  const statement = await d.get<Statement>('/api/reports/statement?month=2026-01');
  const { closing } = statement;
  await assert.rejects(camtOf({ ...statement, closing: closing + 1 }, d.h.merchantId), /closes/);
});

test('another merchant has none of it', async () => {
  const other = await d.h.merchant();
  const { lines, pay_outs } = await d.get<Journal>(
    `/api/reports/journal?${JANUARY}`,
    other.merchantId,
  );
  assert.deepEqual([lines, pay_outs], [[], 0]);
});
