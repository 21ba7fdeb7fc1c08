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
  JSON.parse(await operator.does('unallocated', 'list', ...args)) as Item[];

/** Returns the item with the money of the n-th schedule's payment, and the payment. */
async function itemOf(n: number): Promise<{ item: Item; paymentId: string }> {
  const { id: paymentId } = await paymentOf(service, schedules[n] ?? '');
  const item = (await listed()).find((one) => one.guess?.payment_id === paymentId);
  assert.ok(item);
  return { item, paymentId };
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
  assert.deepEqual(await listed('--merchant', service.merchantId), all);
  assert.deepEqual(await listed('--merchant', 'mer_x'), []);
});

test('unallocated show names the account that paid, and refuses an id that nothing has', async () => {
  const { item } = await itemOf(0);
  const shown = JSON.parse(await operator.does('unallocated', 'show', item.item_id));
  assert.match(shown.payer.account_number, /^\d{8}$/);
  assert.equal(
    await operator.refused('unallocated', 'show', 'una_x'),
    'recollect: there is no unallocated money una_x',
  );
});

test('what is missing or unknown in a command is refused by its name', async () => {
  const says = (...args: string[]) => operator.misspelt('unallocated', ...args);
  const told = [
    await says('return', 'una_x'),
    await says('accept', 'una_x', ...WHY),
    await says('allocate', 'una_x', ...WHY),
    await says('paid-on', ...WHY),
    await says('show'),
    await says('list', '--every'),
    await operator.misspelt('payment', 'fail', 'pay_x'),
    await operator.misspelt('payment', 'fail', ...WHY),
    await operator.misspelt('pay-in', 'returned', 'mv_x', ...WHY),
  ];
  assert.deepEqual(told, [
    "error: required option '--reason <text>' not specified",
    "error: required option '--payment <payment_id>' not specified",
    "error: required option '--payment <payment_id>' not specified",
    "error: missing required argument 'item_id'",
    "error: missing required argument 'item_id'",
    "error: unknown option '--every'",
    "error: required option '--reason <text>' not specified",
    "error: missing required argument 'payment_id'",
    "error: unknown command 'pay-in'",
  ]);
});

test('what the books or the issuer speak against is refused in a line that says why', async () => {
  const { item, paymentId } = await itemOf(0);
  const { paymentId: another } = await itemOf(1);
  const says = (name: string, ...args: string[]) =>
    operator.refused('unallocated', name, item.item_id, ...WHY, ...args);
  const told = [
    await says('allocate', '--payment', paymentId),
    await says('accept', '--payment', another),
    await says('accept', '--payment', 'pay_x'),
    await says('return'),
    await says('paid-on'),
    await operator.refused('unallocated', 'return', 'una_x', ...WHY),
  ];
  const not = 'recollect: not done: ';
  assert.equal(
    told[0],
    `${not}the payment ${paymentId} is of 4999 pence: accept the money in part`,
  );
  assert.match(told[1] ?? '', new RegExp(`^${not}the money lies in another wallet than that of `));
  assert.equal(told[2], `${not}the merchant has no payment pay_x`);
  for (const one of told.slice(3, 5))
    assert.match(one, new RegExp(`^${not}the issuer holds 4998 pence in the wallet, `));
  assert.equal(told[5], `${not}there is no unallocated money una_x`);
  assert.equal((await listed()).length, schedules.length, 'nothing was done');
});

test('payment list shows what cannot end on its own, and payment fail ends it with evidence', async () => {
  const { paymentId } = await itemOf(3);
  const list = async (): Promise<string[]> => {
    const rows = JSON.parse(await operator.does('payment', 'list', '--waiting'));
    return rows.map((row: { payment_id: string }) => row.payment_id);
  };
  assert.equal((await list()).length, schedules.length);
  const fail = ['payment', 'fail', paymentId, ...WHY, '--evidence', 'ref 4711'];
  assert.equal(
    await operator.does(...fail),
    `${paymentId} is marked as failed, and the merchant is notified`,
  );
  assert.equal(
    await operator.refused(...fail),
    'recollect: not done: the payment is failed, not processing',
  );
  assert.equal(
    await operator.refused('payment', 'fail', 'pay_x', ...WHY),
    'recollect: not done: there is no payment pay_x',
  );
  assert.ok(!(await list()).includes(paymentId));
  assert.equal((await paymentOf(service, schedules[3] ?? '')).status, 'failed');
});

test('unallocated accept pays the payment as far as the money goes, once', async () => {
  const { item, paymentId } = await itemOf(0);
  const accept = ['unallocated', 'accept', item.item_id, '--payment', paymentId, ...WHY];
  assert.equal(await operator.does(...accept), `${item.item_id}: 4998 pence are accepted in part`);
  assert.equal(
    await operator.refused(...accept),
    `recollect: not done: it has paid for the payment ${paymentId}`,
  );
  await service.advance('PT10M');
  assert.equal((await paymentOf(service, schedules[0] ?? '')).status, 'success');
  const ended = (await listed('--all')).find((one) => one.item_id === item.item_id);
  assert.equal(ended?.status, 'accepted_in_part');
  assert.ok(!(await listed()).some((one) => one.item_id === item.item_id));
  const shown = JSON.parse(await operator.does('unallocated', 'show', item.item_id));
  assert.deepEqual([shown.ended.by, shown.ended.reason], ['Robin Fern', 'agreed by letter']);
});

test('above the limit of one person a typed name decides nothing, and two typed names no more', async () => {
  const { item, paymentId } = await itemOf(1);
  const accept = ['unallocated', 'accept', item.item_id, '--payment', paymentId, ...WHY];
  const strict = (name: string) => operator.as(name, { FOUR_EYES_ABOVE_PENCE: '100' });
  assert.match(
    await strict('Robin Fern').does(...accept),
    /a second operator must decide the same$/,
  );
  for (const name of ['Robin Fern', 'Sam Hill'])
    assert.match(await strict(name).refused(...accept), /^recollect: not done: /);
  assert.match(await operator.does(...accept), /are accepted in part$/);
  const shown = JSON.parse(await operator.does('unallocated', 'show', item.item_id));
  assert.deepEqual([shown.status, shown.ended.by], ['accepted_in_part', 'Robin Fern']);
});

test('what the issuer has sent back is returned, by the id of its movement, and what it has sent on is paid on', async () => {
  for (const [n, name, word] of [
    [3, 'return', 'returned'],
    [2, 'paid-on', 'paid on'],
  ] as const) {
    const { item, paymentId } = await itemOf(n);
    if (n === 2) await operator.does('payment', 'fail', paymentId, ...WHY);
    await sendAway(item.source.wallet_id, 4998);
    await service.advance('PT10M');
    const end = ['unallocated', name, item.source.movement_id, ...WHY];
    assert.equal(await operator.does(...end), `${item.item_id}: 4998 pence are ${word}`);
    assert.match(await operator.refused(...end), /^recollect: not done: it(s return| was paid)/);
  }
  assert.deepEqual(await listed(), []);
  assert.match(await operator.does('audit'), /^holds {4}/);
});
