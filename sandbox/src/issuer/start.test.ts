import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, it } from 'node:test';
import { type Answer, type Bench, type Json, startBench } from '../../test-support/issuer/bench.ts';
import { DESTINATIONS } from './destinations.ts';

const T0 = '2026-11-21T10:00:00.000Z';
let bench: Bench;

before(async () => {
  bench = await startBench();
});
after(() => bench.close());
beforeEach(async () => {
  await bench.control('POST', '/sandbox/reset', { now: T0, running: false });
  Object.assign(bench.partner, { received: [], statusToAnswer: 200, holdMs: 0, mostAtOnce: 0 });
});

function setClock(now: string, running = false): Promise<Json> {
  return bench.control('PUT', '/sandbox/clock', { now, running });
}

async function newWallet(reference: string): Promise<Json> {
  const body = { external_reference: reference, holder: { kind: 'person', name: 'Ada Smith' } };
  const reserved = await bench.call('POST', '/v1/wallets', body);
  const opened = await bench.call('POST', `/v1/wallets/${reserved.json.wallet_id}/open`);
  assert.equal(opened.json.status, 'open');
  return opened.json;
}

function payIn(
  wallet: Pick<Json, 'account'>,
  value: number,
  paymentId: string = randomUUID(),
): Promise<Answer> {
  const body = {
    payment_id: paymentId,
    end_to_end_id: `e2e-${paymentId.slice(0, 8)}`,
    reference: 'REF',
    amount: { value, currency: 'GBP' },
    creditor: wallet.account,
    debtor: { sort_code: '401276', account_number: '11223344', name: 'Ada Smith' },
  };
  const headers = { authorization: 'Bearer bank secret' };
  return bench.send('POST', '/faster-payments', headers, JSON.stringify(body));
}

function payOut(
  wallet: Json,
  value: unknown,
  accountNumber: string,
  key?: string,
): Promise<Answer> {
  const destination = { sort_code: '200000', account_number: accountNumber, name: 'Shop Ltd' };
  const amount = { value, currency: 'GBP' };
  const body = { from: wallet.wallet_id, destination, amount, reference: 'SETTLEMENT' };
  return bench.call('POST', '/v1/payouts', body, key);
}

async function balanceOf(wallet: Json): Promise<number> {
  return (await bench.call('GET', `/v1/wallets/${wallet.wallet_id}`)).json.balance.value;
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 12_000; tries += 1) {
    if (condition()) return;
    await new Promise((done) => setTimeout(done, 10));
  }
  assert.fail('it did not happen within two minutes');
}

it('refuses callers whose secrets do not match', async () => {
  assert.equal((await bench.send('GET', '/v1/wallets/x', {}, '')).status, 401);
  assert.equal((await bench.send('POST', '/faster-payments', {}, '{}')).status, 401);
  assert.equal((await bench.send('POST', '/sandbox/reset', {}, '')).status, 401);
  assert.equal((await bench.send('GET', '/nothing', {}, '')).json.error.code, 'not_found');
});

it('answers a repeated order as it is now, and refuses its key for another', async () => {
  const body = { external_reference: 'w', holder: { kind: 'business', name: 'Shop Ltd' } };
  const first = await bench.call('POST', '/v1/wallets', body, 'k');
  assert.equal(first.status, 201);
  assert.equal(first.json.status, 'reserved');
  await bench.call('POST', `/v1/wallets/${first.json.wallet_id}/open`);
  const again = await bench.call('POST', '/v1/wallets', body, 'k');
  assert.equal(again.status, 201);
  assert.deepEqual(again.json, { ...first.json, status: 'open' });
  const other = await bench.call('POST', '/v1/wallets', { ...body, external_reference: 'v' }, 'k');
  assert.equal(other.status, 409);
  assert.equal(other.json.error.code, 'idempotency_conflict');
});

it('credits only open wallets, each payment once, and tells the partner at once', async () => {
  const wallet = await newWallet('cus-1');
  assert.deepEqual((await payIn(wallet, 4_999, 'fp-1')).json, { accepted: true });
  assert.deepEqual((await payIn(wallet, 4_999, 'fp-1')).json, { accepted: true });
  assert.equal((await payIn(wallet, 1, 'fp-1')).status, 409);
  assert.equal(await balanceOf(wallet), 4_999);
  await until(() => bench.partner.received.some((event) => event.kind === 'payin.received'));
  const event = bench.partner.received.find((one) => one.kind === 'payin.received');
  assert.ok(event);
  assert.equal(event.external_reference, 'cus-1');
  assert.equal(event.at, T0);
  assert.deepEqual(event.payin.amount, { value: 4_999, currency: 'GBP' });
  assert.equal(event.payin.end_to_end_id, 'e2e-fp-1');
  const nobody = { account: { sort_code: '040099', account_number: '99999998', name: 'x' } };
  const unknown = await payIn(nobody, 1);
  assert.deepEqual([unknown.status, unknown.json.error.code], [404, 'unknown_account']);
  const empty = await newWallet('cus-2');
  await bench.call('POST', `/v1/wallets/${empty.wallet_id}/close`);
  const closed = await payIn(empty, 1);
  assert.deepEqual([closed.status, closed.json.error.code], [409, 'account_closed']);
});

it('gives payouts their outcome at their own time, in sandbox time', async () => {
  const wallet = await newWallet('mer-1');
  await payIn(wallet, 1_000);
  const good = await payOut(wallet, 100, '12345678');
  assert.equal(good.status, 202);
  assert.equal(good.json.status, 'pending');
  const slow = await payOut(wallet, 100, DESTINATIONS.slow);
  const bad = await payOut(wallet, 100, DESTINATIONS.invalidAccount);
  const tooMuch = await payOut(wallet, 701, '12345678');
  assert.equal(tooMuch.json.error.code, 'insufficient_funds');
  assert.equal(await balanceOf(wallet), 700);
  const { next_due } = await setClock('2026-11-21T10:00:10.000Z');
  assert.equal(next_due, '2026-11-21T12:00:00.000Z');
  const read = async (id: string) => (await bench.call('GET', `/v1/movements/${id}`)).json;
  const settled = await read(good.json.movement_id);
  assert.deepEqual([settled.status, settled.completed_at], ['settled', '2026-11-21T10:00:10.000Z']);
  assert.equal((await read(bad.json.movement_id)).error.code, 'invalid_account');
  assert.equal(await balanceOf(wallet), 800);
  const changed = bench.partner.received.filter((event) => event.kind === 'movement.changed');
  assert.deepEqual(
    changed.map((event) => event.movement.movement_id).sort(),
    [good.json.movement_id, bad.json.movement_id].sort(),
  );
  assert.deepEqual(await setClock('2027-01-01T00:00:00.000Z'), { next_due: null });
  assert.equal((await read(slow.json.movement_id)).completed_at, '2026-11-21T12:00:00.000Z');
  const { books } = await bench.control('GET', '/sandbox/wallets');
  assert.deepEqual(books, { in_order: true, total: 0 });
});

it('takes a payout and says nothing, then answers for the same key', async () => {
  const wallet = await newWallet('mer-1');
  await payIn(wallet, 500);
  await assert.rejects(payOut(wallet, 500, DESTINATIONS.noAnswer, 'silent'));
  assert.equal(await balanceOf(wallet), 0);
  const answer = await payOut(wallet, 500, DESTINATIONS.noAnswer, 'silent');
  assert.deepEqual([answer.status, answer.json.status], [202, 'pending']);
  const found = await bench.call('GET', '/v1/movements?idempotency_key=silent');
  assert.equal(found.json.movements[0]?.movement_id, answer.json.movement_id);
});

it('tells again what the partner did not take, ever later, until it does', async () => {
  bench.partner.statusToAnswer = 503;
  const wallet = await newWallet('cus-1');
  await payIn(wallet, 100);
  const first = await setClock(T0);
  assert.equal(first.next_due, '2026-11-21T10:00:05.000Z');
  const second = await setClock('2026-11-21T10:00:05.000Z');
  assert.equal(second.next_due, '2026-11-21T10:00:15.000Z');
  bench.partner.statusToAnswer = 204;
  assert.deepEqual(await setClock('2026-11-21T10:01:00.000Z'), { next_due: null });
  assert.deepEqual(bench.partner.received.map((event) => event.kind).sort(), [
    'payin.received',
    'wallet.changed',
  ]);
});

it('tells up to 128 things at once', async () => {
  bench.partner.holdMs = 500;
  await Promise.all(Array.from({ length: 200 }, (_, n) => newWallet(`w-${n}`)));
  await setClock(T0);
  assert.equal(bench.partner.received.length, 200);
  assert.ok(
    bench.partner.mostAtOnce > 32 && bench.partner.mostAtOnce <= 128,
    String(bench.partner.mostAtOnce),
  );
});

it('goes on automatically while the clock runs', async () => {
  const wallet = await newWallet('mer-1');
  await payIn(wallet, 100);
  await payOut(wallet, 100, '12345678');
  await setClock('2026-11-21T10:00:09.500Z', true);
  await until(() => bench.partner.received.some((event) => event.kind === 'movement.changed'));
  const { now } = await bench.control('GET', '/sandbox/clock');
  assert.ok(now >= '2026-11-21T10:00:10.000Z' && now < '2026-11-21T10:00:20.000Z', now);
});

it('starts afresh with empty books, at the real time unless told otherwise', async () => {
  await payIn(await newWallet('a'), 100);
  await bench.control('POST', '/sandbox/reset');
  assert.equal((await bench.control('GET', '/sandbox/movements')).movements.length, 0);
  assert.deepEqual((await bench.control('GET', '/sandbox/wallets')).books, {
    in_order: true,
    total: 0,
  });
  const { now } = await bench.control('GET', '/sandbox/clock');
  const away = Temporal.Instant.from(now).since(Temporal.Now.instant()).total('seconds');
  assert.ok(Math.abs(away) < 60, now);
});

it('keeps its books and what is due through a restart', async () => {
  const wallet = await newWallet('a');
  await payIn(wallet, 300);
  const { json: taken } = await payOut(wallet, 100, '12345678');
  await setClock(T0);
  await bench.restart();
  assert.equal(await balanceOf(wallet), 200);
  await setClock('2026-11-21T10:00:10.000Z');
  const read = await bench.call('GET', `/v1/movements/${taken.movement_id}`);
  assert.equal(read.json.status, 'settled');
});

it('lists the movements of a wallet in order, page by page', async () => {
  const [a, b] = [await newWallet('a'), await newWallet('b')];
  await payIn(a, 1_000);
  const item = { from: a.wallet_id, to: b.wallet_id, reference: 'x' };
  const transfers = [1, 2, 3, 4].map((value) => ({
    ...item,
    idempotency_key: `t-${value}`,
    amount: { value, currency: 'GBP' },
  }));
  await bench.call('POST', '/v1/transfers', { transfers });
  const values: number[] = [];
  let cursor = '';
  for (let page = 0; page < 5; page += 1) {
    const path = `/v1/movements?wallet_id=${a.wallet_id}&since=${T0}&limit=2${cursor}`;
    const { json } = await bench.call('GET', path);
    values.push(...json.movements.map((one) => one.amount.value));
    if (json.next_cursor === null) break;
    cursor = `&cursor=${json.next_cursor}`;
  }
  assert.deepEqual(values, [1_000, 1, 2, 3, 4]);
});

it('refuses amounts that are not whole pence, and members it does not know', async () => {
  const wallet = await newWallet('a');
  for (const value of [0, -1, 1.5, '1', null]) {
    const answer = await payOut(wallet, value, '12345678');
    assert.deepEqual([answer.status, answer.json.error.code], [400, 'invalid_request']);
  }
  const body = { external_reference: 'w', holder: { kind: 'person', name: 'x' }, extra: 1 };
  assert.equal((await bench.call('POST', '/v1/wallets', body)).status, 400);
});

it('moves thousands of transfers, 500 to a call, each once', async () => {
  const [a, b] = [await newWallet('a'), await newWallet('b')];
  await payIn(a, 1_000_000);
  const batch = (n: number) =>
    Array.from({ length: 500 }, (_, i) => ({
      idempotency_key: `t-${n}-${i}`,
      from: a.wallet_id,
      to: b.wallet_id,
      amount: { value: 1, currency: 'GBP' },
      reference: 'x',
    }));
  for (let n = 0; n < 8; n += 1) await bench.call('POST', '/v1/transfers', { transfers: batch(n) });
  assert.equal(await balanceOf(b), 4_000);
});
