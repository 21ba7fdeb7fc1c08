import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Operator, operatorOf } from '../../server/test-support/operator.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { grantedSchedule, paymentOf } from './acts.ts';

// What operators do about unexpected money, and about payments without an outcome: every pay-in is a penny short.

interface Item {
  item_id: string;
  amount: { value: number };
  status: string;
  reason: string;
  source: { movement_id: string; wallet_id: string };
  guess: { payment_id: string } | null;
}

const WHY = ['--reason', 'agreed by letter'];

let service: TestService;
let operator: Operator;
const schedules: string[] = [];

before(async () => {
  service = await startTestService({ env: { SANDBOX_ISSUER_MODES: 'short_pay_ins' } });
  for (let n = 0; n < 4; n++)
    schedules.push(
      (await grantedSchedule(service, 'alex', { frequency: { type: 'monthly', day: 7 } })).id,
    );
  await service.advance('2026-01-07T12:00:00Z');
  operator = await operatorOf(service);
});
after(() => service.close());

const listed = async (...args: string[]): Promise<Item[]> =>
  (await operator.gets('unallocated', 'list', '--limit', '100', ...args)).data;

/** Returns the item with the money of the n-th schedule's payment, and the payment. */
async function itemOf(n: number): Promise<{ item: Item; paymentId: string }> {
  const { id: paymentId } = await paymentOf(service, schedules[n] ?? '');
  const item = (await listed()).find((one) => one.guess?.payment_id === paymentId);
  assert.ok(item);
  return { item, paymentId };
}

/** Sends the money of an item back, as the issuer's staff would. */
async function sendBack({ source }: Item): Promise<void> {
  await sendAway(source.wallet_id, 4998);
  await service.advance('PT10M');
}

/** Sends money out of a wallet, as the issuer's staff would. */
async function sendAway(walletId: string, amountPence: number): Promise<void> {
  const wallet = await service.db.read((tx) =>
    tx.row<{ issuerWalletId: string }>(
      'SELECT issuer_wallet_id FROM wallets WHERE wallet_id = $1',
      [walletId],
    ),
  );
  await service.running.service.authorisation.issuer.payOut({
    idempotencyKey: `by-hand-${walletId}`,
    fromIssuerWalletId: wallet?.issuerWalletId ?? '',
    destination: { sortCode: '200415', accountNumber: '38290008', name: 'Alex' },
    amountPence,
    reference: 'SENT BACK',
  });
}

test('unallocated list shows what waits, the oldest first, of all merchants or of one', async () => {
  const all = await listed();
  assert.deepEqual(
    all.map((item) => [item.amount.value, item.status, item.reason]),
    schedules.map(() => [4998, 'open', 'another_amount']),
  );
  assert.deepEqual(await listed('--merchant-id', service.merchantId), all);
  assert.deepEqual(await listed('--merchant-id', 'mer_x'), []);
});

test('unallocated show names the account that paid, and refuses an id that nothing has', async () => {
  const { item } = await itemOf(0);
  const shown = await operator.gets('unallocated', 'show', item.item_id);
  assert.match(shown.payer.account_number, /^\d{8}$/);
  assert.match(await operator.refused('unallocated', 'show', 'una_x'), /No such unallocated money/);
});

test('what the books or the issuer speak against is refused in a line that says why', async () => {
  const { item, paymentId } = await itemOf(0);
  const { paymentId: another } = await itemOf(1);
  const says = (name: string, ...args: string[]) =>
    operator.refused('unallocated', name, item.item_id, ...WHY, ...args);
  assert.equal(
    await says('allocate', '--payment-id', paymentId),
    `recollect: The payment ${paymentId} is of 4999 pence: accept the money in part.`,
  );
  assert.match(
    await says('accept', '--payment-id', another),
    /^recollect: The money lies in another wallet than that of /,
  );
  assert.match(await says('accept', '--payment-id', 'pay_x'), /merchant has no payment pay_x/);
  for (const verb of ['return', 'pay-on'])
    assert.match(await says(verb), /^recollect: The issuer holds 4998 pence in the wallet, /);
  assert.match(
    await operator.refused('unallocated', 'return', 'una_x', ...WHY),
    /No such unallocated money/,
  );
  assert.equal((await listed()).length, schedules.length, 'nothing was done');
});

test('payment waiting shows what cannot end on its own, and payment fail ends it once its money was decided about', async () => {
  const { item, paymentId } = await itemOf(3);
  const list = async (): Promise<string[]> =>
    (await operator.gets('payment', 'waiting')).data.map(
      (row: { payment_id: string }) => row.payment_id,
    );
  assert.equal((await list()).length, schedules.length);
  const fail = ['payment', 'fail', paymentId, ...WHY, '--evidence', 'ref 4711'];
  assert.match(await operator.refused(...fail), /Its money lies unallocated as una_/);
  await sendBack(item);
  await operator.does('unallocated', 'return', item.item_id, ...WHY);
  assert.equal((await operator.gets(...fail)).status, 'failed');
  assert.match(await operator.refused(...fail), /The payment is failed, not processing/);
  assert.match(
    await operator.refused('payment', 'fail', 'pay_x', ...WHY),
    /There is no payment pay_x/,
  );
  assert.ok(!(await list()).includes(paymentId));
  assert.equal((await paymentOf(service, schedules[3] ?? '')).status, 'failed');
});

test('unallocated accept pays the payment as far as the money goes, once', async () => {
  const { item, paymentId } = await itemOf(0);
  const accept = ['unallocated', 'accept', item.item_id, '--payment-id', paymentId, ...WHY];
  assert.equal((await operator.gets(...accept)).item.status, 'accepted_in_part');
  assert.match(await operator.refused(...accept), /It has paid for the payment /);
  await service.advance('PT10M');
  assert.equal((await paymentOf(service, schedules[0] ?? '')).status, 'success');
  const ended = (await listed('--status', 'all')).find((one) => one.item_id === item.item_id);
  assert.equal(ended?.status, 'accepted_in_part');
  assert.ok(!(await listed()).some((one) => one.item_id === item.item_id));
  const shown = await operator.gets('unallocated', 'show', item.item_id);
  assert.deepEqual([shown.ended.by, shown.ended.reason], ['Robin Fern', 'agreed by letter']);
});

test('what the issuer has sent back is returned, by the id of its movement, and what it has sent on is paid on', async () => {
  for (const [n, name, word] of [
    [1, 'return', 'returned'],
    [2, 'pay-on', 'paid_on'],
  ] as const) {
    const { item, paymentId } = await itemOf(n);
    await sendBack(item);
    const end = ['unallocated', name, item.source.movement_id, ...WHY];
    assert.equal((await operator.gets(...end)).item.status, word);
    assert.match(await operator.refused(...end), /^recollect: It(s return| was paid)/);
    if (n === 2) await operator.does('payment', 'fail', paymentId, ...WHY);
  }
  assert.deepEqual(await listed(), []);
  assert.match(await operator.does('audit'), /^holds {4}/);
});
