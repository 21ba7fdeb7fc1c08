import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { assertLaws, settlementsOf } from '../../../test-support/books.ts';
import { readCsv } from '../../../test-support/csv.ts';
import { callAs, readAs } from '../../../test-support/dashboard-call.ts';
import { type Harness, type MerchantSide, openHarness } from '../../../test-support/harness.ts';
import { testServer } from '../../../test-support/slices/platform.ts';
import { poundsOf, settlementCsv } from './csv.ts';
import type { StatementMatches } from './match/view.ts';
import { dashboardSettlementRoutes } from './routes.ts';
import { CSV_COLUMNS, type SettlementLedger } from './view.ts';

let h: Harness;
let other: MerchantSide;
let app: FastifyInstance;

const FORMULA = '=HYPERLINK("https://evil.example","Pay, now")\n';

before(async () => {
  h = await openHarness();
  other = await h.merchant();
  app = await testServer(h.platform, { routes: dashboardSettlementRoutes() });
  await h.agreed({ frequency: 'daily', amount: { value: 1, currency: 'GBP' } });
  const customer = { type: 'phone' as const, value: '+447700900999' };
  await h.agreed({ amount: { value: 1_234_505, currency: 'GBP' }, customer, description: FORMULA });
  await h.runUntil('2026-01-12T03:00:00Z');
  h.issuer.payOutError = 'invalid_account'; // Tuesday's fails, and is paid with Wednesday's
  await h.runUntil('2026-01-13T12:00:00Z');
  h.issuer.payOutError = null;
  await h.runUntil('2026-01-16T12:00:00Z');
});
after(async () => {
  await app.close();
  await h.close();
});

const csvOf = (settlementId: string, merchantId = h.merchantId) =>
  h.db.forMerchant(merchantId, (tx) => settlementCsv(h.platform, tx, merchantId, settlementId));
const ledgerOf = (settlementId: string): Promise<SettlementLedger> =>
  readAs(app, h.merchantId, `/api/settlements/${settlementId}/ledger`);

test('CSV, API and ledger agree to the penny on every settlement, one that was carried on included', async () => {
  const settlements = await settlementsOf(h);
  assert.deepEqual(
    settlements.map((s) => s.status),
    ['failed', 'success', 'success', 'success'],
  );
  for (const settlement of settlements) {
    const file = await csvOf(settlement.id);
    const [heading, ...rows] = readCsv(file?.csv ?? '');
    assert.deepEqual(heading, [...CSV_COLUMNS]);
    const column = (name: (typeof CSV_COLUMNS)[number]): string[] =>
      rows.map((row) => row[CSV_COLUMNS.indexOf(name)] ?? '');
    const pence = column('amount_pence').reduce((sum, cell) => sum + Number(cell), 0);
    const pounds = column('amount').reduce((sum, cell) => sum + BigInt(cell.replace('.', '')), 0n);
    const ledger = await ledgerOf(settlement.id);
    assert.deepEqual(
      [pence, Number(pounds), ledger.settlement, ledger.payments.value, ledger.ledger],
      Array(5).fill(settlement.amount.value),
    );
    assert.deepEqual([ledger.agrees, ledger.payments.count], [true, rows.length]);
    assert.deepEqual(new Set(column('settlement_id')), new Set([settlement.id]));
    assert.deepEqual(new Set(column('settlement_date')), new Set([settlement.settlement_date]));
    assert.ok(column('customer').every((cell) => cell !== ''));
    assert.deepEqual(
      column('due_date_local'),
      column('due_date').map((due) => `${due.slice(0, 10)} ${due.slice(11, 16)}`), // winter
    );
    assert.equal(file?.filename, `settlement-${settlement.settlement_date}-${settlement.id}.csv`);
  }
  await assertLaws(h);
});

test('the ledger tells a failed pay-out from one that worked', async () => {
  const [failed, carried] = await settlementsOf(h);
  const kinds = async (id = '') => (await ledgerOf(id)).entries.map((entry) => entry.kind);
  assert.deepEqual(await kinds(failed?.id), ['settle', 'settle_back']);
  assert.deepEqual(await kinds(carried?.id), ['settle', 'pay_out']);
});

test('a description that a spreadsheet would take for a formula is text', async () => {
  const [first] = await settlementsOf(h);
  const rows = readCsv((await csvOf(first?.id ?? ''))?.csv ?? '');
  const descriptions = rows.map((row) => row[CSV_COLUMNS.indexOf('description')]);
  assert.ok(descriptions.includes(`'${FORMULA}`), JSON.stringify(descriptions));
});

test('a returned payment is a negative number in a spreadsheet, not a text', async () => {
  const [paid] = (await settlementsOf(h)).slice(-1);
  const [payIn] = [...h.issuer.wallets.values()]
    .flatMap((one) => one.movements)
    .filter((movement) => movement.kind === 'payin' && movement.amountPence === 1);
  assert.ok(payIn);
  h.issuer.recall(payIn);
  await h.runUntil(h.clock.at.add({ hours: 7 * 24 }));
  const files = [];
  for (const { id } of await settlementsOf(h)) if (id !== paid?.id) files.push(await csvOf(id));
  const rows = files.flatMap((file) => readCsv(file?.csv ?? ''));
  const returned = rows.filter((row) => row[CSV_COLUMNS.indexOf('kind')] === 'returned');
  assert.deepEqual(
    returned.map((row) => [
      row[CSV_COLUMNS.indexOf('amount')],
      row[CSV_COLUMNS.indexOf('amount_pence')],
    ]),
    [['-0.01', '-1']],
  );
});

test('a bank statement is matched with settlements by reference, or by amount and day, of one merchant alone', async () => {
  const [, byReference, byAmount] = await settlementsOf(h);
  assert.ok(byReference !== undefined && byAmount !== undefined);
  const line = ({ settlement_date: day, amount }: typeof byAmount, text: string): string =>
    `${day},${text},${poundsOf(amount.value)}`;
  const statement = [
    'Date,Text,Amount',
    line(byReference, byReference.statement_reference.toLowerCase()),
    line(byAmount, 'FP unnamed'),
    '2026-01-14,Shop,7.00',
  ].join('\n');
  const match = async (merchantId: string) => {
    const { status, body } = await callAs<StatementMatches>(
      app,
      merchantId,
      '/api/settlements/match',
      { statement },
    );
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const found = await match(h.merchantId);
  assert.deepEqual(
    found.matched.map(({ settlement, by, line: { place } }) => [place, settlement.id, by]),
    [
      ['Line 2', byReference.id, 'reference'],
      ['Line 3', byAmount.id, 'amount_and_day'],
    ],
  );
  assert.deepEqual(
    found.unmatched.map(({ text, amount }) => [text, amount?.value]),
    [['Shop', 700]],
  );
  assert.deepEqual(found.period, {
    from: byReference.settlement_date,
    to: byAmount.settlement_date,
  });
  const strange = await match(other.merchantId);
  assert.deepEqual([strange.matched, strange.missing, strange.unmatched.length], [[], [], 3]);
});

test('a statement that cannot be read is refused by its name, also a large one', async () => {
  const match = (statement: string) =>
    callAs<{ error: { details?: Record<string, string> } }>(
      app,
      h.merchantId,
      '/api/settlements/match',
      { statement },
    );
  const { status, body } = await match('<!DOCTYPE a []><a/>');
  assert.equal(status, 400);
  assert.match(body.error.details?.statement ?? '', /has a DOCTYPE/);
  assert.equal((await match('no settlement\n'.repeat(40_000))).status, 400); // 560 KB: read, and too many lines
  assert.equal((await match('x'.repeat(1_100_000))).status, 413);
});

test('another merchant gets neither', async () => {
  const [first] = await settlementsOf(h);
  assert.equal(await csvOf(first?.id ?? '', other.merchantId), null);
  const url = `/api/settlements/${first?.id}/ledger`;
  assert.equal((await callAs(app, other.merchantId, url)).status, 404);
});

test('pounds are pence with a point, to the largest number', () => {
  assert.deepEqual([1, 10, 99, 100, 4999].map(poundsOf), ['0.01', '0.10', '0.99', '1.00', '49.99']);
  fc.assert(
    fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (pence) => {
      assert.match(poundsOf(pence), /^(0|[1-9]\d*)\.\d\d$/);
      assert.equal(BigInt(poundsOf(pence).replace('.', '')), BigInt(pence));
    }),
  );
});
