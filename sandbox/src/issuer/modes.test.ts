import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, it } from 'node:test';
import { type Answer, type Bench, type Json, startBench } from '../../test-support/issuer/bench.ts';
import { readIssuerConfig } from './config.ts';

const T0 = '2026-11-20T10:00:00.000Z';
let bench: Bench;

before(async () => {
  bench = await startBench();
});
after(() => bench.close());
beforeEach(async () => {
  await bench.control('POST', '/sandbox/reset', { now: T0, running: false });
  await setModes();
  bench.partner.received = [];
});

const setModes = (...modes: string[]): Promise<Json> =>
  bench.control('PUT', '/sandbox/modes', { modes });
const setClock = (now: string): Promise<Json> =>
  bench.control('PUT', '/sandbox/clock', { now, running: false });

async function newWallet(reference: string): Promise<Json> {
  const body = { external_reference: reference, holder: { kind: 'person', name: 'Ada Smith' } };
  const { json } = await bench.call('POST', '/v1/wallets', body);
  return (await bench.call('POST', `/v1/wallets/${json.wallet_id}/open`)).json;
}

async function payIn(wallet: Json, value: number): Promise<void> {
  const body = {
    payment_id: randomUUID(),
    end_to_end_id: 'e2e-1',
    reference: 'REF',
    amount: { value, currency: 'GBP' },
    creditor: wallet.account,
    debtor: { sort_code: '401276', account_number: '11223344', name: 'Ada Smith' },
  };
  const headers = { authorization: 'Bearer bank secret' };
  const send = () => bench.send('POST', '/faster-payments', headers, JSON.stringify(body));
  assert.equal((await send()).status, 200);
  assert.equal((await send()).status, 200, 'the same payment again is harmless');
}

async function transfer(from: Json, to: string, value: number, key: string): Promise<Json> {
  const amount = { value, currency: 'GBP' };
  const item = { idempotency_key: key, from: from.wallet_id, to, amount, reference: 'pay_1' };
  const { json } = await bench.call('POST', '/v1/transfers', { transfers: [item] });
  return (json as unknown as { results: Json[] }).results[0]?.movement as Json;
}

function payOut(wallet: Json, value: number, key: string): Promise<Answer> {
  const destination = { sort_code: '200000', account_number: '12345678', name: 'Shop Ltd' };
  const amount = { value, currency: 'GBP' };
  const body = { from: wallet.wallet_id, destination, amount, reference: 'SETTLEMENT' };
  return bench.call('POST', '/v1/payouts', body, key);
}

async function balanceOf(wallet: Json): Promise<number> {
  return (await bench.call('GET', `/v1/wallets/${wallet.wallet_id}`)).json.balance.value;
}

const told = (kind: string): Json[] => bench.partner.received.filter((one) => one.kind === kind);

it('refuses a mode that it does not know, and names it', async () => {
  const raw = JSON.stringify({ modes: ['new_event_ids', 'friendly'] });
  const headers = { 'x-sandbox-secret': 'control' };
  const { status, json } = await bench.send('PUT', '/sandbox/modes', headers, raw);
  assert.equal(status, 400);
  assert.match(JSON.stringify(json), /\\"friendly\\"/);
  const config = { data_dir: 'x', port: 0, host: 'x', control_secret: 'x', modes: ['gentle'] };
  const partner = {
    key_id: 'x',
    secret: 'x',
    notification_url: 'http://x',
    notification_secret: 'x',
  };
  const all = { ...config, partner, faster_payments: { secret: 'x' } };
  assert.throws(() => readIssuerConfig(all), /"gentle"/);
});

it('keeps the modes through a restart', async () => {
  await setModes('short_pay_ins', 'new_event_ids');
  await bench.restart();
  await setClock(T0).catch(() => undefined); // the earlier connection is closed
  const { modes } = (await bench.control('GET', '/sandbox/modes')) as unknown as {
    modes: string[];
  };
  assert.deepEqual(modes, ['new_event_ids', 'short_pay_ins']);
});

it('no_end_to_end_id: neither notice nor movement carries it', async () => {
  await setModes('no_end_to_end_id');
  const wallet = await newWallet('w');
  await payIn(wallet, 500);
  await setClock(T0);
  const { payin } = told('payin.received')[0] as Json;
  assert.equal(Object.hasOwn(payin, 'end_to_end_id'), false);
  const { json } = await bench.call('GET', `/v1/movements/${payin.movement_id}`);
  assert.equal(Object.hasOwn(json, 'end_to_end_id'), false);
});

it('new_event_ids: notices of one movement come three times, each under an id of its own', async () => {
  await setModes('new_event_ids');
  const wallet = await newWallet('w');
  await payIn(wallet, 500);
  await setClock('2026-11-22T10:00:00.000Z');
  const notices = told('payin.received') as unknown as { event_id: string; payin: Json }[];
  assert.equal(new Set(notices.map((one) => one.event_id)).size, 3);
  assert.equal(new Set(notices.map((one) => one.payin.movement_id)).size, 1);
  assert.equal(await balanceOf(wallet), 500);
});

it('pending_transfers: the money leaves at once and arrives later, and both are reported under one key', async () => {
  await setModes('pending_transfers');
  const [from, to] = [await newWallet('a'), await newWallet('b')];
  await payIn(from, 500);
  assert.equal((await transfer(from, to.wallet_id, 500, 'k')).status, 'pending');
  assert.deepEqual([await balanceOf(from), await balanceOf(to)], [0, 0]);
  const closing = await bench.call('POST', `/v1/wallets/${to.wallet_id}/close`);
  assert.equal(closing.json.error.code, 'wallet_not_empty');
  await setClock('2026-11-20T10:01:30.000Z');
  assert.equal((await transfer(from, to.wallet_id, 500, 'k')).status, 'settled');
  assert.equal(await balanceOf(to), 500);
  assert.equal(told('movement.changed')[0]?.movement.status, 'settled');
});

it('expiring_keys: after a day the same order is a new one', async () => {
  const [from, to] = [await newWallet('a'), await newWallet('b')];
  await payIn(from, 1500);
  const first = await transfer(from, to.wallet_id, 500, 'k');
  await setClock('2026-11-21T10:00:01.000Z');
  assert.equal((await transfer(from, to.wallet_id, 500, 'k')).movement_id, first.movement_id);
  await setModes('expiring_keys');
  const byKey = await bench.call('GET', '/v1/movements?idempotency_key=k');
  assert.deepEqual(byKey.json.movements, []);
  const byReference = await bench.call('GET', '/v1/movements?reference=pay_1');
  assert.equal(byReference.json.movements[0]?.movement_id, first.movement_id);
  const second = await transfer(from, to.wallet_id, 500, 'k');
  assert.notEqual(second.movement_id, first.movement_id);
  assert.equal(await balanceOf(to), 1000);
  assert.equal((await transfer(from, to.wallet_id, 500, 'k')).movement_id, second.movement_id);
});

it('short_pay_ins: a penny is missing', async () => {
  await setModes('short_pay_ins');
  const wallet = await newWallet('w');
  await payIn(wallet, 500);
  await setClock(T0);
  assert.equal(told('payin.received')[0]?.payin.amount.value, 499);
  assert.equal(await balanceOf(wallet), 499);
});

it('returned_payouts: a pay-out that settled is back in its wallet two days later, with a notice', async () => {
  await setModes('returned_payouts');
  const wallet = await newWallet('w');
  await payIn(wallet, 500);
  const { json } = await payOut(wallet, 500, 'k');
  await setClock('2026-11-21T10:00:00.000Z');
  assert.equal(await balanceOf(wallet), 0);
  await setClock('2026-11-22T10:00:10.000Z');
  assert.equal(await balanceOf(wallet), 500);
  const [notice] = told('payout.returned') as unknown as {
    movement: { original_movement_id: string };
    reason: { code: string };
  }[];
  assert.equal(notice?.movement.original_movement_id, json.movement_id);
  assert.equal(notice?.reason.code, 'account_closed');
  const { books } = await bench.control('GET', '/sandbox/wallets');
  assert.ok(books.in_order);
});

it('recalled_pay_ins: the payer has it back, and the partner owes it until a transfer covers it', async () => {
  await setModes('recalled_pay_ins');
  const [from, to] = [await newWallet('a'), await newWallet('b')];
  await payIn(from, 500);
  await transfer(from, to.wallet_id, 500, 'k');
  await setClock('2026-11-22T10:00:00.000Z');
  assert.equal(told('payin.recalled').length, 1);
  assert.equal(await balanceOf(to), 500);
  const owed = async () => {
    const { json } = await bench.call('GET', '/v1/balances');
    const { balances } = json as unknown as { balances: { wallet_id: string; current: Json }[] };
    return (balances[0]?.current as unknown as { value: number } | undefined)?.value;
  };
  assert.equal(await owed(), -500);
  assert.equal((await transfer(to, 'recalls', 500, 'cover')).status, 'settled');
  assert.equal(await owed(), 0);
});

it('lists a day line by line and page by page, and what each account held when it began and ended', async () => {
  const [from, to] = [await newWallet('a'), await newWallet('b')];
  await payIn(from, 500);
  await transfer(from, to.wallet_id, 200, 'k');
  await setClock('2026-11-21T00:30:00.000Z');
  await payIn(from, 50);
  type Page = { lines: Json[]; balances: Record<string, unknown>[]; next_cursor: string | null };
  const read = async (path: string) => (await bench.call('GET', path)).json as unknown as Page;
  const first = await read('/v1/statement?date=2026-11-20&limit=2');
  const second = await read(`/v1/statement?date=2026-11-20&limit=2&cursor=${first.next_cursor}`);
  const lines = [...first.lines, ...second.lines] as unknown as {
    wallet_id: string;
    direction: string;
    amount: { value: number };
  }[];
  assert.deepEqual(
    lines.map((line) => [line.wallet_id, line.direction, line.amount.value]),
    [
      [from.wallet_id, 'credit', 500],
      [from.wallet_id, 'debit', 200],
      [to.wallet_id, 'credit', 200],
    ],
  );
  assert.equal(second.next_cursor, null);
  const { balances } = await read('/v1/balances?date=2026-11-20');
  const seen = balances.map((one) =>
    [one.opening, one.closing, one.current].map((each) => (each as { value: number }).value),
  );
  assert.deepEqual(seen, [
    [0, 0, 0],
    [0, 300, 350],
    [0, 200, 200],
  ]);
});
