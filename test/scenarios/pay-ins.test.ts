import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLaws } from '../../server/src/laws/invariants/laws.ts';
import { receiveNotifications } from '../../server/src/platform/inbox.ts';
import type { Movement } from '../../server/src/wallets/issuer.ts';
import {
  assertLaws,
  eventsOf,
  kindsOf,
  onlyPaymentOf,
  retryByHand,
} from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { dueWithRoom, justDue } from '../races/acts.ts';

const { h, runFor } = oneForEach();

interface Told {
  movement: Movement;
  reference: string;
}

/** Holds back the issuer's notices; returns them. */
function holdNotices(): Told[] {
  const held: Told[] = [];
  h.issuer.onPayIn = ({ externalReference: reference }, movement) =>
    void held.push({ movement, reference });
  return held;
}

let events = 0;

/** Sends the issuer's notice of a movement, under a new event id; `changed` overrides fields of the notice. */
async function tell({ movement, reference }: Told, changed: object = {}): Promise<void> {
  events += 1;
  const { movementId, endToEndId, amountPence, createdAt } = movement;
  const notice = {
    kind: 'payin',
    externalReference: reference,
    movementId,
    endToEndId,
    amountPence,
    at: createdAt.toString(),
    ...changed,
  };
  const stored = { source: 'issuer', notificationId: `e-${events}`, body: JSON.stringify(notice) };
  await h.db.transaction((tx) => receiveNotifications(tx, h.clock.at, [stored]));
  await h.service.engine.drain();
}

const NAMELESS = { endToEndId: null };

/** Returns a payment at a bank that has not paid yet. */
async function atTheBank(): Promise<{ id: string; paymentId: string }> {
  h.bank.mood.slow = true;
  const id = await justDue(h);
  await h.service.engine.drain();
  return { id, paymentId: (await onlyPaymentOf(h, id)).id };
}

/** Returns the merchant's balances by kind of account, in pence, without those that are zero. */
async function balances(): Promise<Record<string, number>> {
  const rows = await h.db.read((tx) =>
    tx.rows<{ kind: string; pence: number }>(
      `SELECT kind, sum(balance_pence)::bigint AS pence FROM accounts WHERE merchant_id = $1
       GROUP BY kind HAVING sum(balance_pence) <> 0`,
      [h.merchantId],
    ),
  );
  return Object.fromEntries(rows.map((row) => [row.kind, row.pence]));
}

/** Returns the issuer's balances of the customer's and the merchant's wallets, in pence. */
async function walletsAtTheIssuer(): Promise<{ customer: number; merchant: number }> {
  const rows = await h.db.read((tx) =>
    tx.rows<{ issuerWalletId: string; isOwn: boolean }>(
      'SELECT issuer_wallet_id, customer_id IS NULL AS is_own FROM wallets WHERE merchant_id = $1',
      [h.merchantId],
    ),
  );
  const sum = (isOwn: boolean): number =>
    rows
      .filter((row) => row.isOwn === isOwn)
      .reduce(
        (all, row) => all + (h.issuer.wallets.get(row.issuerWalletId)?.wallet.balancePence ?? 0),
        0,
      );
  return { customer: sum(false), merchant: sum(true) };
}

/** Returns the unallocated list: amount, reason, whose it may be, and status. */
function items(): Promise<
  { amountPence: number; reason: string; paymentId: string | null; status: string }[]
> {
  return h.db.read((tx) =>
    tx.rows(
      'SELECT amount_pence, reason, payment_id, status FROM unallocated_items ORDER BY item_id',
    ),
  );
}

test('ACCC alone books a claim on the bank and nothing in a wallet; the pay-in settles it', async () => {
  const { id, paymentId } = await atTheBank();
  const held = holdNotices();
  h.issuer.listMovements = async function* () {};
  h.bank.credit(h.bank.paymentOf(paymentId, 1));
  await runFor({ hours: 1 });
  const payment = await onlyPaymentOf(h, id);
  assert.deepEqual([payment.status, payment.attempts[0]?.bank_status], ['processing', 'ACCC']);
  assert.deepEqual([payment.completed_at, payment.error], [null, null]);
  assert.deepEqual(await balances(), { due_from_bank: 4999, outside: -4999 });
  assert.deepEqual(await walletsAtTheIssuer(), { customer: 4999, merchant: 0 });
  assert.deepEqual(await items(), [], 'a claim is no money without a place');
  assert.deepEqual(await kindsOf(h, id), ['schedule.setup_success']);
  for (const { law, broken } of await checkLaws(h.platform)) assert.deepEqual(broken, [], law);
  for (const one of held) await tell(one);
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.deepEqual(await balances(), { merchant_wallet: 4999, outside: -4999 });
  assert.deepEqual(await walletsAtTheIssuer(), { customer: 0, merchant: 4999 });
  assert.deepEqual(await items(), []);
  const told = (await eventsOf(h, id)).at(-1);
  assert.deepEqual(
    [told?.kind, told?.data.payment_id, told?.data.amount],
    ['collection.success', paymentId, { value: 4999, currency: 'GBP' }],
  );
  assert.equal((await kindsOf(h, id)).length, 2, 'it was told once');
  await assertLaws(h);
});

test('ACSC with the pay-in is enough', async () => {
  const { id, paymentId } = await atTheBank();
  const debited = h.bank.paymentOf(paymentId, 1);
  h.bank.credit(debited);
  debited.status = 'debited';
  await runFor({ minutes: 1 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.deepEqual(await balances(), { merchant_wallet: 4999, outside: -4999 });
  assert.deepEqual(await walletsAtTheIssuer(), { customer: 0, merchant: 4999 });
  assert.deepEqual(await items(), []);
  assert.deepEqual(await kindsOf(h, id), ['schedule.setup_success', 'collection.success']);
  await assertLaws(h);
});

test('a notice without end-to-end id is recognised by wallet, amount and time, and booked once', async () => {
  const { id, paymentId } = await atTheBank();
  const held = holdNotices();
  h.bank.credit(h.bank.paymentOf(paymentId, 1));
  const [told] = held;
  assert.ok(told);
  await tell(told, NAMELESS);
  await runFor({ hours: 2 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await tell(told, NAMELESS);
  await tell(told);
  await runFor({ hours: 30 });
  assert.deepEqual(await items(), []);
  assert.equal((await kindsOf(h, id)).filter((kind) => kind === 'collection.success').length, 1);
  await assertLaws(h);
});

for (const order of ['named first', 'nameless first', 'looked up first'])
  test(`the issuer's look-up, a nameless notice and a named one are one pay-in: ${order}`, async () => {
    const { id, paymentId } = await atTheBank();
    const held = holdNotices();
    h.bank.credit(h.bank.paymentOf(paymentId, 1));
    const [told] = held;
    assert.ok(told);
    if (order === 'looked up first') await runFor({ hours: 2 });
    if (order !== 'named first') await tell(told, NAMELESS);
    await tell(told);
    await tell(told, NAMELESS);
    await runFor({ hours: 2 });
    assert.equal((await onlyPaymentOf(h, id)).status, 'success');
    const booked = await h.db.read((tx) =>
      tx.rows("SELECT source_id FROM transfers WHERE kind = 'pay_in'"),
    );
    assert.deepEqual(booked, [{ sourceId: told.movement.movementId }]);
    assert.deepEqual(await items(), []);
    await assertLaws(h);
  });

test('of two equal attempts of one wallet the older one is paid first, and both are in the end', async () => {
  h.bank.mood.slow = true;
  const phone = '+447700900555';
  const start = h.clock.at.round('second').add({ hours: 1 });
  const customer = { type: 'phone' as const, value: phone };
  const older = await h.agreed({ start_date: start.toString(), customer });
  const newer = await h.agreed({ start_date: start.add({ minutes: 5 }).toString(), customer });
  await h.runUntil(start.add({ minutes: 6 }));
  const held = holdNotices();
  const [first, second] = [await onlyPaymentOf(h, older.id), await onlyPaymentOf(h, newer.id)];
  h.bank.credit(h.bank.paymentOf(second.id, 1));
  h.bank.credit(h.bank.paymentOf(first.id, 1));
  const [ofNewer, ofOlder] = held;
  assert.ok(ofNewer && ofOlder);
  await tell(ofNewer, NAMELESS);
  assert.equal((await onlyPaymentOf(h, older.id)).status, 'success');
  assert.equal((await onlyPaymentOf(h, newer.id)).status, 'processing');
  await tell(ofOlder); // it names the one that is paid: the two are exchanged
  assert.equal((await onlyPaymentOf(h, newer.id)).status, 'success');
  assert.deepEqual(await items(), []);
  await assertLaws(h);
});

test('money of an amount that nobody waits for is unallocated: an account, an item, and no word to anybody', async () => {
  const { id } = await atTheBank();
  const [wallet] = [...h.issuer.wallets.values()].filter(
    ({ wallet: w }) =>
      w.externalReference.includes('wal_') && w.account.name !== 'Fernhill Broadband',
  );
  assert.ok(wallet);
  const creditor = wallet.wallet.account.accountNumber;
  h.issuer.payIn({ endToEndId: 'birthday present', amountPence: 100, creditor });
  await runFor({ minutes: 1 });
  assert.deepEqual(await items(), [
    { amountPence: 100, reason: 'nothing_awaited', paymentId: null, status: 'open' },
  ]);
  assert.deepEqual(await balances(), { unallocated: 100, outside: -100 });
  assert.deepEqual(await kindsOf(h, id), ['schedule.setup_success']);
  await assertLaws(h);
});

for (const [what, amountPence] of [
  ['short', 4998],
  ['over', 5000],
] as const)
  test(`a pay-in a penny ${what} is unallocated, names its payment, and its merchant is told`, async () => {
    const { id, paymentId } = await atTheBank();
    const credited = h.bank.paymentOf(paymentId, 1);
    credited.status = 'credited';
    h.issuer.payIn({ ...credited, amountPence });
    await runFor({ hours: 1 });
    assert.equal((await onlyPaymentOf(h, id)).status, 'processing');
    assert.deepEqual(await items(), [
      {
        amountPence,
        reason: 'another_amount',
        paymentId,
        status: 'open',
      },
    ]);
    const told = (await eventsOf(h, id)).at(-1);
    assert.equal(told?.kind, 'payment.unexpected_money');
    assert.equal(told?.data.payment_id, paymentId);
    assert.deepEqual(told?.data.amount, { value: amountPence, currency: 'GBP' });
    await assertLaws(h);
  });

test('the late money of a payment that was retried and paid has an item, an event and a state', async () => {
  h.bank.mood.slow = true;
  const id = await dueWithRoom(h);
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const late = h.bank.paymentOf(paymentId, 1);
  h.bank.fail(late, 'final');
  await runFor({ minutes: 10 });
  h.bank.cheerUp();
  await retryByHand(h, paymentId);
  await runFor({ minutes: 10 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  h.bank.credit(late);
  await runFor({ minutes: 10 });
  assert.deepEqual(
    (await items()).map(({ reason, paymentId, status }) => [reason, paymentId, status]),
    [['paid_already', paymentId, 'open']],
  );
  assert.equal((await kindsOf(h, id)).at(-1), 'payment.unexpected_money');
  await assertLaws(h);
});

test('a notice that names its payment after one that did not takes the money off the unallocated list', async () => {
  const { id, paymentId } = await atTheBank();
  const late = h.bank.paymentOf(paymentId, 1);
  h.bank.fail(late, 'final');
  await runFor({ minutes: 10 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'failed');
  const held = holdNotices();
  h.bank.credit(late);
  const [told] = held;
  assert.ok(told);
  await tell(told, NAMELESS);
  assert.deepEqual(
    (await items()).map((item) => [item.reason, item.paymentId, item.status]),
    [['nothing_awaited', paymentId, 'open']],
  );
  await tell(told);
  await runFor({ minutes: 1 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.deepEqual(
    (await items()).map((item) => item.status),
    ['allocated'],
  );
  await assertLaws(h);
});
