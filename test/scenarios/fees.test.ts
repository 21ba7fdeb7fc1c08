import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { compareWithIssuer } from '../../server/src/laws/reconciliation/issuer-comparison.ts';
import { reconcile } from '../../server/src/laws/reconciliation/reconciliation.ts';
import { compareFile } from '../../server/src/laws/reconciliation/statements/camt-comparison.ts';
import { ApiError } from '../../server/src/platform/values/errors.ts';
import { settlementIdOf } from '../../server/src/settlements/settlement.ts';
import {
  assertLaws,
  dueInAnHour,
  onlyPaymentOf,
  paymentsIn,
  refund,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { feesFromTomorrow, feeWalletOf, feeWalletPence } from '../../server/test-support/fees.ts';
import { type Harness, type MerchantSide, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;

beforeEach(async () => {
  h = await openHarness('2026-01-04T12:00:00Z'); // a Sunday
});
afterEach(async () => {
  h.issuer.transferError = null;
  h.issuer.payOutError = null;
  h.issuer.losesAnswers = false;
  await h.runUntil(h.clock.at.add({ hours: 3 }));
  await assertLaws(h);
  await h.close();
});

const gbp = (value: number) => ({ value, currency: 'GBP' });

/** Collects now; returns the payment's id. */
async function collected(value = 4999): Promise<string> {
  const id = await dueInAnHour(h, { frequency: 'yearly', amount: gbp(value) });
  return (await onlyPaymentOf(h, id)).id;
}

/** Returns gross, refunds, fees, carried and amount of each settlement. */
async function sums(by: MerchantSide = h): Promise<number[][]> {
  return (await settlementsOf(h, by)).map((one) =>
    [one.gross, one.refunds, one.fees, one.carried, one.amount].map(({ value }) => value),
  );
}

const feeTransfers = () =>
  [...h.issuer.orders.values()].filter(({ idempotencyKey }) => /-f\d+$/.test(idempotencyKey ?? ''));

/** Returns what the day's reconciliation finds. */
async function differences(day: string): Promise<string[]> {
  const { open } = await reconcile(h.platform, h.issuer, Temporal.PlainDate.from(day));
  return open.map(({ what }) => what);
}

test('a fee is booked with each success, netted from the settlement and in the fee wallet', async () => {
  await feesFromTomorrow(h, { fixedPence: 20, basisPoints: 100 });
  await h.runUntil('2026-01-05T09:30:00Z');
  assert.equal(feeWalletPence(h), null, 'the wallet is opened with the first fee');
  await collected();
  await collected(15);
  await h.runUntil('2026-01-06T12:00:00Z');
  assert.deepEqual(await sums(), [[5014, 0, 70 + 15, 0, 4929]]);
  const [settlement] = await settlementsOf(h);
  const payments = await paymentsIn(h, settlement?.id ?? '');
  assert.deepEqual(payments.map(({ fee }) => fee?.value).toSorted(), [15, 70]);
  assert.equal(feeWalletPence(h), 85);
  const paidOut = [...h.issuer.orders.values()].filter(({ kind }) => kind === 'payout');
  assert.deepEqual(
    paidOut.map(({ amountPence }) => amountPence),
    [4929],
  );
  assert.deepEqual(await differences('2026-01-06'), []);
});

test('without fees nothing is booked, ordered or opened', async () => {
  await h.runUntil('2026-01-05T09:30:00Z');
  const id = await collected();
  await h.runUntil('2026-01-06T12:00:00Z');
  assert.deepEqual(await sums(), [[4999, 0, 0, 0, 4999]]);
  const row = await h.db.read((tx) =>
    tx.row<{ feePence: number | null; transfers: number }>(
      `SELECT fee_pence, (SELECT count(*) FROM transfers WHERE kind LIKE 'fee%') AS transfers FROM payments WHERE payment_id = $1`,
      [id],
    ),
  );
  assert.deepEqual(row, { feePence: null, transfers: 0 });
  assert.equal(feeWalletPence(h), null);
});

test('terms apply from their day on, and what was collected before keeps its fee', async () => {
  await feesFromTomorrow(h, { fixedPence: 20 });
  const first = await collected();
  await h.runUntil('2026-01-05T09:30:00Z');
  const second = await collected();
  await feesFromTomorrow(h, {});
  const third = await collected();
  await h.runUntil('2026-01-06T12:00:00Z');
  const fourth = await collected();
  const rows = await h.db.read((tx) =>
    tx.rows<{ paymentId: string; fee: number | null }>(
      'SELECT payment_id, fee_pence AS fee FROM payments',
    ),
  );
  const feeOf = new Map(rows.map(({ paymentId, fee }) => [paymentId, fee]));
  assert.deepEqual(
    [first, second, third, fourth].map((id) => feeOf.get(id)),
    [null, 20, 20, null],
  );
});

test('a day that has begun, and a fee that is no fee, are refused by field', async () => {
  const refused = async (terms: Parameters<typeof feesFromTomorrow>[1] & { day?: unknown }) =>
    feesFromTomorrow(h, terms).then(
      () => null,
      (error: unknown) => (error instanceof ApiError ? Object.keys(error.details ?? {}) : error),
    );
  const day = Temporal.PlainDate.from('2026-01-04');
  assert.deepEqual(await refused({ fixedPence: -1, basisPoints: 10_001, day }), [
    'fixed_pence',
    'basis_points',
    'from',
  ]);
  assert.equal(await refused({ day: Temporal.PlainDate.from('2026-01-05') }), null);
});

test('fees that take everything are carried until there is more', async () => {
  await feesFromTomorrow(h, { basisPoints: 10_000 });
  await h.runUntil('2026-01-05T09:30:00Z');
  await collected(1000);
  await feesFromTomorrow(h, { fixedPence: 1 });
  await h.runUntil('2026-01-06T12:00:00Z');
  assert.deepEqual(await sums(), []);
  assert.equal(feeWalletPence(h), null);
  await collected(500);
  await h.runUntil('2026-01-07T12:00:00Z');
  assert.deepEqual(await sums(), [[1500, 0, 1001, 0, 499]]);
  assert.equal(feeWalletPence(h), 1001);
});

test('a refund and a recall do not give the fee back', async () => {
  await feesFromTomorrow(h, { fixedPence: 20 });
  await h.runUntil('2026-01-05T09:30:00Z');
  const [refunded] = [await collected(), await collected()];
  await refund(h, refunded ?? '');
  await h.runUntil('2026-01-06T12:00:00Z');
  assert.deepEqual(await sums(), [[9998, 4999, 40, 0, 4959]]);
  const payIn = [...h.issuer.wallets.values()]
    .flatMap(({ movements }) => movements)
    .filter(({ kind }) => kind === 'payin')[1];
  assert.ok(payIn);
  h.issuer.recall(payIn);
  await collected(9000);
  await h.runUntil('2026-01-07T12:00:00Z');
  assert.deepEqual((await sums())[1], [9000, 0, 20, 4999, 3981]);
  assert.equal(feeWalletPence(h), 60);
});

test('fees of a settlement that fails are transferred once, however often its money goes out', async () => {
  await feesFromTomorrow(h, { fixedPence: 20 });
  await h.runUntil('2026-01-05T09:30:00Z');
  await collected();
  h.issuer.payOutError = 'account_closed';
  await h.runUntil('2026-01-06T12:00:00Z');
  assert.equal(feeWalletPence(h), 20, 'they were due with the success');
  await collected();
  await h.runUntil('2026-01-07T12:00:00Z');
  h.issuer.payOutError = null;
  await h.runUntil('2026-01-08T12:00:00Z');
  assert.deepEqual(await sums(), [
    [4999, 0, 20, 0, 4979],
    [9998, 0, 40, 0, 9958],
    [9998, 0, 40, 0, 9958],
  ]);
  assert.equal(feeWalletPence(h), 40);
  assert.equal(feeTransfers().length, 2);
});

test('fees whose wallet cannot be opened, the issuer being away, leave within minutes of its return', async () => {
  await feesFromTomorrow(h, { fixedPence: 20 });
  await h.runUntil('2026-01-05T09:30:00Z');
  await collected();
  h.issuer.down = true;
  await h.runUntil('2026-01-06T06:00:30Z');
  h.issuer.down = false;
  await h.runUntil('2026-01-06T06:02:30Z');
  assert.equal(feeWalletPence(h), 20);
});

test('a transfer whose answer is lost, or that fails, is made once in the end', async () => {
  await feesFromTomorrow(h, { fixedPence: 20 });
  await h.runUntil('2026-01-05T09:30:00Z');
  await collected();
  h.issuer.losesAnswers = true;
  await h.runUntil('2026-01-06T06:00:30Z');
  h.issuer.losesAnswers = false;
  await h.runUntil('2026-01-06T12:00:00Z');
  await collected();
  await h.runUntil('2026-01-07T05:00:00Z');
  h.issuer.transferError = 'technical';
  await h.runUntil('2026-01-07T06:20:00Z');
  await assertLaws(h);
  h.issuer.transferError = null;
  await h.runUntil('2026-01-07T12:00:00Z');
  assert.deepEqual(
    feeTransfers().map(({ status, idempotencyKey }) => [status, idempotencyKey?.slice(-3)]),
    [
      ['settled', '-f0'],
      ['failed', '-f0'],
      ['settled', '-f1'],
    ],
  );
  assert.equal(feeWalletPence(h), 40);
});

/** Orders a transfer of fees as a database did that was lost before it recorded anything. */
async function orderedByALostDatabase(day: string, amountPence: number): Promise<void> {
  const of = { merchantId: h.merchantId, day: Temporal.PlainDate.from(day), part: 1 };
  const settlementId = settlementIdOf(h.platform.vault, of);
  const [earlier] = feeTransfers();
  await h.issuer.transfer([
    {
      idempotencyKey: `${settlementId}-f0`,
      fromIssuerWalletId: earlier?.fromIssuerWalletId ?? '',
      toIssuerWalletId: earlier?.toIssuerWalletId ?? '',
      amountPence,
      reference: settlementId,
    },
  ]);
}

test('what a lost database ordered counts, and the next transfers take more or less', async () => {
  await feesFromTomorrow(h, { fixedPence: 20 });
  for (const [day, ordered] of [
    ['2026-01-06', null],
    ['2026-01-07', 7],
    ['2026-01-08', 50],
    ['2026-01-09', null],
  ] as const) {
    await h.runUntil(`${Temporal.PlainDate.from(day).subtract({ days: 1 })}T09:30:00Z`);
    await collected();
    await h.runUntil(`${day}T04:00:00Z`);
    if (ordered !== null) await collected(); // of the next day: the wallet holds more than is paid out
    if (ordered !== null) await orderedByALostDatabase(day, ordered);
    await h.runUntil(`${day}T08:00:00Z`);
    await assertLaws(h);
  }
  const rows = await h.db.read((tx) =>
    tx.rows<{ fees: number; ordered: number; taken: number }>(
      `SELECT fees_pence AS fees, order_pence AS ordered, taken_pence AS taken FROM fee_transfers ORDER BY settlement_id`,
    ),
  );
  assert.deepEqual(
    rows.map(({ fees, ordered, taken }) => [fees, ordered, taken]),
    [
      [20, 20, 20],
      [20, 20, 7],
      [40, 53, 50],
      [40, 43, 43],
    ],
  );
  assert.equal(feeWalletPence(h), 120);
});

test('the fee wallet has what was transferred, less what its owner took out; what is missing is found', async () => {
  await feesFromTomorrow(h, { fixedPence: 20 });
  await h.runUntil('2026-01-05T09:30:00Z');
  await collected();
  await h.runUntil('2026-01-06T12:00:00Z');
  const wallet = feeWalletOf(h);
  assert.ok(wallet !== undefined);
  const takeOut = (amountPence: number, idempotencyKey: string) =>
    h.issuer.payOut({
      idempotencyKey,
      fromIssuerWalletId: wallet.issuerWalletId,
      destination: wallet.account,
      amountPence,
      reference: 'to the bank',
    });
  await takeOut(15, 'by hand 1');
  h.issuer.payOutError = 'account_closed';
  await takeOut(3, 'by hand 2');
  h.issuer.payOutError = null;
  assert.deepEqual(await differences('2026-01-06'), []);
  await h.runUntil('2026-01-19T12:00:00Z');
  assert.deepEqual(await differences('2026-01-18'), [], 'what was taken out is counted for good');
  await takeOut(4, 'by hand 3');
  assert.deepEqual(await differences('2026-01-19'), []);
  await h.runUntil('2026-02-02T12:00:00Z');
  assert.deepEqual(await differences('2026-02-01'), []);
  const counted = await h.db.read((tx) => tx.row('SELECT owners_pence FROM fee_wallet'));
  assert.deepEqual(counted, { ownersPence: -19 });
  wallet.balancePence -= 1;
  assert.deepEqual(await differences('2026-02-01'), ['fee wallet: ledger 1, issuer 0']);
  wallet.balancePence += 1;
  assert.deepEqual(await differences('2026-02-01'), []);
});

test('a fee that has arrived and is not booked yet is under way, not a difference', async () => {
  await feesFromTomorrow(h, { fixedPence: 20 });
  await h.runUntil('2026-01-05T09:30:00Z');
  await collected();
  h.issuer.losesAnswers = true;
  await h.runUntil('2026-01-06T06:00:30Z');
  assert.equal(feeWalletPence(h), 20);
  h.issuer.losesAnswers = false;
  const { broken } = await compareWithIssuer(h.platform, h.issuer);
  assert.deepEqual(broken, []);
});

test('what the owner takes out of the fee wallet is no difference in a file either', async () => {
  await feesFromTomorrow(h, { fixedPence: 20 });
  await h.runUntil('2026-01-05T09:30:00Z');
  await collected();
  await h.runUntil('2026-01-06T12:00:00Z');
  const bookedOn = Temporal.PlainDate.from('2026-01-10');
  const takenFrom = async (account: string): Promise<number> => {
    const entry = {
      direction: 'debit' as const,
      amountPence: 15,
      bookedOn,
      servicerReference: 'by hand',
      endToEndId: null,
      place: 'entry 1',
    };
    const statement = { account, openingPence: 20, closingPence: 5, entries: [entry] };
    return (await compareFile(h.platform, [statement], bookedOn)).differences.length;
  };
  assert.equal(await takenFrom(feeWalletOf(h)?.issuerWalletId ?? ''), 0);
  assert.equal(await takenFrom('the wallet of a merchant'), 1);
});
