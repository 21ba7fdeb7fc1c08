import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { endHold, placeHold } from '../../server/src/merchants/holds/hold-service.ts';
import {
  assertLaws,
  errorCodeIn,
  eventsOf,
  paymentsIn,
  paymentsOf,
  refusedWith,
  settleByHand,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { type Harness, type MerchantSide, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;
let customers = 0;

async function open(start: string): Promise<void> {
  h = await openHarness(start);
}

afterEach(async () => {
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  await assertLaws(h);
  await h.close();
});

/** Collects a payment of this many pence at this time. */
async function collect(at: string, pence = 1000, by: MerchantSide = h): Promise<string> {
  customers += 1;
  const customer = { phone: `+4477007${String(10_000 + customers)}` };
  const created = await by.create({
    start_date: at,
    frequency: 'yearly',
    amount: { value: pence, currency: 'GBP' },
    customer,
  });
  assert.equal(await h.decide(created.consent_url), 'granted');
  return created.id;
}

/** Returns date, amount and status of each settlement. */
async function settled(by: MerchantSide = h): Promise<string[]> {
  return (await settlementsOf(h, by)).map(
    (s) => `${s.settlement_date} ${s.amount.value} ${s.status}`,
  );
}

test('what is collected on business day T is paid out together, at 06:00 on the next one', async () => {
  await open('2026-01-05T00:00:00Z');
  await collect('2026-01-06T00:00:00Z', 100);
  await collect('2026-01-06T23:59:00Z', 20);
  await collect('2026-01-07T00:00:00Z', 3);
  await h.runUntil('2026-01-07T05:59:59Z');
  assert.deepEqual(await settled(), []);
  await h.runUntil('2026-01-07T06:00:00Z');
  assert.deepEqual(await settled(), ['2026-01-07 120 success']);
  await h.runUntil('2026-01-09T12:00:00Z');
  assert.deepEqual(await settled(), ['2026-01-07 120 success', '2026-01-08 3 success']);
});

const HOLIDAYS: [string, string, [string, string][]][] = [
  [
    'a weekend',
    '2026-01-08T12:00:00Z',
    [
      ['2026-01-09T12:00:00Z', '2026-01-12'], // Friday → Monday
      ['2026-01-10T12:00:00Z', '2026-01-13'], // Saturday counts to Monday → Tuesday
      ['2026-01-11T12:00:00Z', '2026-01-13'],
      ['2026-01-12T12:00:00Z', '2026-01-13'],
    ],
  ],
  [
    'Christmas 2026, when Boxing Day is a Saturday',
    '2026-12-23T12:00:00Z',
    [
      ['2026-12-24T12:00:00Z', '2026-12-29'], // Christmas, weekend, Monday in place of Boxing Day
      ['2026-12-25T12:00:00Z', '2026-12-30'],
      ['2026-12-28T12:00:00Z', '2026-12-30'],
      ['2026-12-29T12:00:00Z', '2026-12-30'],
      ['2026-12-31T12:00:00Z', '2027-01-04'],
    ],
  ],
  [
    'Easter 2026, when the clocks have just changed',
    '2026-04-01T12:00:00Z',
    [
      ['2026-04-02T12:00:00Z', '2026-04-07'], // Maundy Thursday → Tuesday
      ['2026-04-03T12:00:00Z', '2026-04-08'],
      ['2026-04-06T22:59:00Z', '2026-04-08'], // still Easter Monday in London
      ['2026-04-06T23:00:00Z', '2026-04-08'], // Tuesday in London
    ],
  ],
  [
    'the bank holidays of May and August',
    '2026-04-30T12:00:00Z',
    [
      ['2026-05-01T12:00:00Z', '2026-05-05'],
      ['2026-05-22T12:00:00Z', '2026-05-26'],
      ['2026-08-28T12:00:00Z', '2026-09-01'],
    ],
  ],
];

for (const [name, start, moments] of HOLIDAYS)
  test(`T+1 over ${name}`, async () => {
    await open(start);
    const expected = new Map<string, number>();
    for (const [n, [at, day]] of moments.entries()) {
      await h.runUntil(Temporal.Instant.from(at).subtract({ minutes: 1 }));
      await collect(at, 2 ** n);
      expected.set(day, (expected.get(day) ?? 0) + 2 ** n);
    }
    await h.runUntil(Temporal.Instant.from(moments.at(-1)?.[0] ?? start).add({ hours: 24 * 7 }));
    assert.deepEqual(
      await settled(),
      [...expected].map(([day, pence]) => `${day} ${pence} success`),
    );
    for (const { created_at } of await settlementsOf(h)) {
      const local = Temporal.Instant.from(created_at).toZonedDateTimeISO('Europe/London');
      assert.equal(local.toPlainTime().toString({ smallestUnit: 'minute' }), '06:00');
    }
  });

test('each merchant has a settlement of its own', async () => {
  await open('2026-01-05T09:00:00Z');
  const other = await h.merchant();
  await collect('2026-01-06T09:00:00Z', 100);
  await collect('2026-01-06T09:00:00Z', 7, other);
  await h.runUntil('2026-01-08T09:00:00Z');
  assert.deepEqual(await settled(), ['2026-01-07 100 success']);
  assert.deepEqual(await settled(other), ['2026-01-07 7 success']);
  assert.deepEqual(
    (await eventsOf(h, null, other)).map((e) => e.kind).at(-1),
    'settlement.success',
  );
  const [own] = await settlementsOf(h);
  await assert.rejects(settleByHand(h, own?.id ?? '', other), refusedWith('not_found'));
});

test('the funds of a failed settlement stay in the wallet and go with the next business day', async () => {
  await open('2026-01-07T09:00:00Z');
  h.issuer.payOutError = 'invalid_account';
  const first = await collect('2026-01-08T09:00:00Z', 100);
  const second = await collect('2026-01-09T09:00:00Z', 20);
  await h.runUntil('2026-01-09T12:00:00Z');
  assert.deepEqual(await settled(), ['2026-01-09 100 failed']);
  await h.runUntil('2026-01-12T12:00:00Z');
  assert.deepEqual(
    await settled(),
    ['2026-01-09 100 failed', '2026-01-12 120 failed'],
    'Friday, then Monday',
  );
  h.issuer.payOutError = null;
  await h.runUntil('2026-01-13T12:00:00Z');
  const all = await settlementsOf(h);
  assert.deepEqual(await settled(), [
    '2026-01-09 100 failed',
    '2026-01-12 120 failed',
    '2026-01-13 120 success',
  ]);
  const contents = await Promise.all(
    all.map(async (s) => (await paymentsIn(h, s.id)).map((p) => p.schedule_id).sort()),
  );
  const both = [first, second].sort();
  assert.deepEqual(contents, [[first], both, both], 'a failed settlement still says what it held');
  const [payment] = await paymentsOf(h, first);
  assert.equal(payment?.settlement_id, all[2]?.id);
  const told = (await eventsOf(h)).filter((e) => e.kind.startsWith('settlement'));
  assert.deepEqual(
    told.map((e) => e.kind),
    ['settlement.failed', 'settlement.failed', 'settlement.success'],
  );
  assert.equal(errorCodeIn(told[0]), 'invalid_account');
});

test('a failed settlement can be paid out by hand at once, and only while it holds its funds', async () => {
  await open('2026-01-05T09:00:00Z');
  h.issuer.payOutError = 'invalid_account';
  await collect('2026-01-06T09:00:00Z', 100);
  await h.runUntil('2026-01-07T07:00:00Z');
  const [failed] = await settlementsOf(h);
  assert.ok(failed);
  h.issuer.payOutError = null;
  const retried = await settleByHand(h, failed.id);
  assert.equal(retried.status, 'pending');
  assert.equal(retried.attempts, 2);
  await assert.rejects(settleByHand(h, failed.id), refusedWith('settlement_not_retryable'));
  await h.runUntil('2026-01-09T12:00:00Z');
  assert.deepEqual(
    await settled(),
    ['2026-01-07 100 success'],
    'and not once more on the next day',
  );
  await assert.rejects(settleByHand(h, failed.id), refusedWith('settlement_not_retryable'));
  assert.equal(
    [...h.issuer.orders.values()].filter((m) => m.kind === 'payout' && m.status === 'settled')
      .length,
    1,
  );
});

test('while pay-outs are held, a failed settlement is not retried: the account may not be the merchant’s', async () => {
  await open('2026-01-05T09:00:00Z');
  h.issuer.payOutError = 'invalid_account';
  await collect('2026-01-06T09:00:00Z', 100);
  await h.runUntil('2026-01-07T07:00:00Z');
  const [failed] = await settlementsOf(h);
  h.issuer.payOutError = null;
  const { platform, merchantId } = h;
  const word = { by: 'Robin Fern', reason: 'a new account' };
  const hold = (act: typeof placeHold) =>
    h.db.transaction((tx) => act(platform, { tx, now: h.clock.at, merchantId }, 'pay_outs', word));
  await hold(placeHold);
  await assert.rejects(settleByHand(h, failed?.id ?? ''), refusedWith('settlement_not_retryable'));
  await hold(endHold);
  assert.equal((await settleByHand(h, failed?.id ?? '')).status, 'pending');
});

test('once its funds have gone with a later one, a failed settlement cannot be retried', async () => {
  await open('2026-01-05T09:00:00Z');
  h.issuer.payOutError = 'invalid_account';
  await collect('2026-01-06T09:00:00Z', 100);
  await h.runUntil('2026-01-07T07:00:00Z');
  const [failed] = await settlementsOf(h);
  h.issuer.payOutError = null;
  await h.runUntil('2026-01-08T07:00:00Z');
  assert.deepEqual(await settled(), ['2026-01-07 100 failed', '2026-01-08 100 success']);
  await assert.rejects(settleByHand(h, failed?.id ?? ''), refusedWith('settlement_not_retryable'));
  await assert.rejects(settleByHand(h, 'set_0000000000000000000000'), refusedWith('not_found'));
});

test('a pay-out under way is followed until it ends, and is ordered once though answers are lost', async () => {
  await open('2026-01-05T09:00:00Z');
  h.issuer.slowPayOuts = true;
  await collect('2026-01-07T05:00:00Z', 100); // Wednesday, paid out on Thursday
  await h.runUntil('2026-01-08T05:59:00Z');
  h.issuer.losesAnswers = true;
  await h.runUntil('2026-01-08T07:00:00Z');
  h.issuer.losesAnswers = false;
  await h.runUntil('2026-01-08T08:00:00Z');
  const [underway] = await settlementsOf(h);
  assert.equal(underway?.status, 'processing');
  await assert.rejects(
    settleByHand(h, underway?.id ?? ''),
    refusedWith('settlement_not_retryable'),
  );
  h.issuer.endPayOut(`${underway?.id}-1`, 'account_closed');
  await h.runUntil('2026-01-08T09:00:00Z');
  assert.deepEqual(await settled(), ['2026-01-08 100 failed']);
  h.issuer.slowPayOuts = false;
  await h.runUntil('2026-01-09T09:00:00Z');
  assert.deepEqual(await settled(), ['2026-01-08 100 failed', '2026-01-09 100 success']);
  assert.equal([...h.issuer.orders.values()].filter((m) => m.kind === 'payout').length, 2);
});

test('a settlement keeps the issuer’s id of its pay-out, paid out at once or followed to its end', async () => {
  await open('2026-01-05T09:00:00Z');
  await collect('2026-01-06T09:00:00Z', 100);
  await h.runUntil('2026-01-07T07:00:00Z');
  h.issuer.slowPayOuts = true;
  await collect('2026-01-07T09:00:00Z', 20);
  await h.runUntil('2026-01-08T07:00:00Z');
  const all = await settlementsOf(h);
  h.issuer.endPayOut(`${all[1]?.id}-1`, null);
  await h.runUntil('2026-01-08T09:00:00Z');
  assert.deepEqual(await settled(), ['2026-01-07 100 success', '2026-01-08 20 success']);
  const kept = await h.db.read((tx) =>
    tx.rows<{ id: string; movement: string | null }>(
      `SELECT settlement_id AS id, issuer_movement_id AS movement FROM settlements WHERE merchant_id = $1
       ORDER BY settlement_id`,
      [h.merchantId],
    ),
  );
  assert.deepEqual(
    kept,
    all.map(({ id }) => ({ id, movement: `mv-${id}-1` })),
  );
});

test('after an outage what had been collected goes out at once, what is collected late on the next business day', async () => {
  await open('2026-01-05T09:00:00Z');
  await collect('2026-01-06T09:00:00Z', 100);
  await collect('2026-01-07T09:00:00Z', 20);
  await h.runUntil('2026-01-06T12:00:00Z');
  h.clock.at = Temporal.Instant.from('2026-01-12T12:00:00Z');
  await h.runUntil('2026-01-13T12:00:00Z');
  assert.deepEqual(await settled(), ['2026-01-12 100 success', '2026-01-13 20 success']);
});

test('after an outage nothing is paid out before the pay-outs of the next business day', async () => {
  await open('2026-01-05T00:00:00Z');
  await collect('2026-01-08T10:00:00Z', 100); // a Thursday
  await h.runUntil('2026-01-08T12:00:00Z');
  h.clock.at = Temporal.Instant.from('2026-01-10T10:00:00Z'); // nothing ran until Saturday
  await h.runUntil(h.clock.at);
  assert.deepEqual(await settled(), []);
  await h.runUntil('2026-01-12T06:00:00Z');
  assert.deepEqual(await settled(), ['2026-01-12 100 success']);
});

test('what came late for its day takes no other money out of the settlement of its own day', async () => {
  await open('2026-01-05T00:00:00Z');
  await collect('2026-01-05T10:00:00Z', 100);
  await collect('2026-01-06T01:00:00Z', 20);
  await h.runUntil('2026-01-06T02:00:00Z');
  h.clock.at = Temporal.Instant.from('2026-01-07T03:00:00Z'); // nothing ran for a day
  await h.runUntil('2026-01-07T06:00:00Z');
  assert.deepEqual(await settled(), ['2026-01-07 120 success']);
});
