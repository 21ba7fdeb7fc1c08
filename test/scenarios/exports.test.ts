import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { Statement } from '../../server/src/dashboard/reports/statement-view.ts';
import type { SettlementView } from '../../server/src/settlements/view.ts';
import { readCamt } from '../../server/src/wallets/camt.ts';
import { readCsv } from '../../server/test-support/csv.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { grantedSchedule, newSchedule } from './acts.ts';
import { type SignedIn, signIn } from './signed-in.ts';

// What a finance team takes away as a file, and who did what.

type Row = Record<string, string>;

let service: TestService;
let kim: SignedIn;

before(async () => {
  service = await startTestService({ start: '2026-03-20T09:00:00Z' });
  kim = await signIn(service, service.merchantId, 'finance', 'kim@fernhill.example');
  for (const description of ['=HYPERLINK("x")', 'Climbing club'])
    await grantedSchedule(service, 'alex', {
      description,
      frequency: { type: 'daily' },
      customer: { phone: '+447700900123', reference: 'C10400' },
      metadata: { order: 'FB-1' },
    });
  await service.advance('P10D');
});
after(() => service?.close());

async function read(path: string): Promise<{ status: number; text: string; name: string }> {
  const headers = { cookie: kim.cookie, 'sec-fetch-site': 'same-origin' };
  const answer = await request(`${service.baseUrl}/dashboard${path}`, { headers });
  const name = String(answer.headers['content-disposition'] ?? '');
  return { status: answer.statusCode, text: await answer.body.text(), name };
}

async function rowsOf(path: string): Promise<Row[]> {
  const { status, text } = await read(path);
  assert.equal(status, 200, text);
  const [heading = [], ...rows] = readCsv(text);
  return rows.map((row) => Object.fromEntries(row.map((cell, i) => [heading[i] ?? '', cell])));
}

test('a list is taken away whole, as it is filtered, with local times beside those in UTC', async () => {
  const all = await rowsOf('/api/v1/payments/csv');
  assert.equal(all.length, 20);
  const summer = all.find((row) => row.due_date?.startsWith('2026-03-30'));
  assert.equal(summer?.due_date?.slice(11, 16), '08:00');
  assert.equal(summer?.due_date_local, '2026-03-30 09:00');
  assert.deepEqual([summer?.amount, summer?.amount_pence], ['49.99', '4999']);
  assert.deepEqual(
    [summer?.bank, summer?.customer_reference, summer?.metadata],
    ['Northbank', 'C10400', '{"order":"FB-1"}'],
  );
  const day = 'from=2026-03-25T00:00:00Z&to=2026-03-25T23:59:59Z';
  assert.equal((await rowsOf(`/api/v1/payments/csv?${day}`)).length, 2);
  assert.deepEqual(await rowsOf('/api/v1/payments/csv?status=failed'), []);
  const { name } = await read('/api/v1/payments/csv');
  assert.equal(name, 'attachment; filename="payments-2026-03-30.csv"');
});

test('a cell is never a formula, and every list has its file', async () => {
  const schedules = await rowsOf('/api/v1/schedules/csv');
  const names = schedules.map((row) => row.description);
  assert.deepEqual(names, ['Climbing club', `'=HYPERLINK("x")`]);
  const settlements = await rowsOf('/api/v1/settlements/csv');
  const { body } = await service.api<{ total: number }>('GET', '/api/v1/settlements');
  assert.equal(settlements.length, body.total);
  assert.ok(settlements.every((row) => row.gross === row.amount));
  assert.ok(
    settlements.every((row) => /^S26\d{4}[A-Z0-9]{8}$/.test(row.statement_reference ?? '')),
  );
  const [paid] = await rowsOf('/api/v1/payments/csv?status=success');
  const amount = { value: 1250, currency: 'GBP' };
  const refund = { amount, reason: '=Sorry' };
  const made = await service.api('POST', `/api/v1/payments/${paid?.payment_id}/refunds`, refund);
  assert.equal(made.status, 200);
  const [line] = await rowsOf('/api/v1/refunds/csv?amount_from=1250');
  assert.deepEqual(
    [line?.refund_id, line?.payment_id, line?.amount, line?.reason],
    [(made.body as { id: string }).id, paid?.payment_id, '12.50', "'=Sorry"],
  );
  assert.deepEqual(await rowsOf('/api/v1/refunds/csv?amount_from=1251'), []);
  for (const path of ['/api/v1/customers/csv', '/api/v1/events/csv?kind=collection.success'])
    assert.ok((await rowsOf(path)).length > 0, path);
});

test('of a bank statement that is matched nothing is kept: neither in the request log nor under a key', async () => {
  const post = (path: string, body: object) =>
    request(`${service.baseUrl}/dashboard/api/${path}`, {
      method: 'POST',
      headers: {
        cookie: kim.cookie,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
        'idempotency-key': path,
      },
      body: JSON.stringify(body),
    });
  const statement = 'Date,Text,Amount\n2026-03-30,Shop on the corner,7.00';
  const answer = await post('settlements/match', { statement });
  assert.match(await answer.body.text(), /Shop on the corner/);
  await (await post('v1/settlements/set_0/retry', {})).body.dump(); // is logged, and after the other
  const logged = () =>
    service.db.transaction((tx) =>
      tx.rows<{ path: string }>(`SELECT path FROM request_log WHERE path LIKE '%/settlements/%'`),
    );
  while ((await logged()).length === 0) await sleep(20);
  assert.deepEqual(
    (await logged()).map(({ path }) => path),
    ['/dashboard/api/v1/settlements/set_0/retry'],
  );
  const keys = await service.db.transaction((tx) =>
    tx.rows(`SELECT FROM idempotency_keys WHERE key = 'settlements/match'`),
  );
  assert.deepEqual(keys, []);
});

test('a wrong filter is refused before anything is sent, and a file needs the right of its list', async () => {
  assert.equal((await read('/api/v1/payments/csv?status=lost')).status, 400);
  assert.equal((await read('/api/v1/payments/csv?from=yesterday')).status, 400);
  assert.equal((await read('/api/requests/csv')).status, 403);
  const nobody = await request(`${service.baseUrl}/dashboard/api/v1/payments/csv`);
  await nobody.body.dump();
  assert.equal(nobody.statusCode, 401);
});

test('whoever changed something is named, on the activity log and on the timeline', async () => {
  const { id } = await newSchedule(service, { description: 'Judo' });
  const answer = await request(`${service.baseUrl}/dashboard/api/v1/schedules/${id}`, {
    method: 'PUT',
    headers: {
      cookie: kim.cookie,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ status: 'paused' }),
  });
  assert.equal(answer.statusCode, 200, await answer.body.text());
  const lines = await rowsOf('/api/activity/csv?actor_type=member&subject=schedule');
  assert.deepEqual(
    lines.map((row) => [row.who, row.what, row.object_id]),
    [['Kim Fern', 'The schedule was paused', id]],
  );
  const made = await rowsOf('/api/activity/csv?actor_type=api_key&subject=schedule');
  assert.ok(
    made.some((row) => row.object_id === id && row.who === 'test'),
    JSON.stringify(made[0]),
  );
  const { text } = await read(`/api/schedules/${id}/timeline`);
  const { data } = JSON.parse(text) as { data: { to: string; actor: { name: string } | null }[] };
  assert.equal(data.find(({ to }) => to === 'paused')?.actor?.name, 'Kim Fern');
});

test('changes of settings and endpoints are in the activity log, without their values', async () => {
  await service.api('PUT', '/api/v1/merchant', { address: '3 High Street' });
  const url = 'http://localhost:9/hook';
  const made = await service.api<{ id: string }>('POST', '/api/v1/webhook_endpoints', { url });
  await service.api('PUT', `/api/v1/webhook_endpoints/${made.body.id}`, { status: 'disabled' });
  await service.api('POST', `/api/v1/webhook_endpoints/${made.body.id}/rotate`, {});
  const lines = await rowsOf('/api/activity/csv?actor_type=api_key');
  assert.deepEqual(
    lines.slice(0, 4).map((row) => [row.what, row.why]),
    [
      ['New webhook secret made', url],
      ['Webhook endpoint disabled', url],
      ['Webhook endpoint added', url],
      ['Business settings changed', 'address'],
    ],
  );
});

test('settlements are journals that accounting programs import, and the wallet is a statement as banks send it', async () => {
  await service.advance('2026-04-01T09:00:00Z');
  const { body } = await service.api<{ data: SettlementView[] }>(
    'GET',
    '/api/v1/settlements?limit=100',
  );
  const paid = body.data
    .filter(({ completed_at }) => completed_at?.startsWith('2026-03'))
    .map(({ statement_reference, amount }) => [statement_reference, amount.value])
    .sort();
  assert.ok(paid.length > 3);
  const inPence = (cell = ''): number => Number(cell.replace('.', ''));
  const journal = (query: string) =>
    rowsOf(`/api/reports/journal/csv?from=2026-03-01&to=2026-03-31&${query}`);
  const xero = await journal('layout=xero&account_bank=090');
  assert.equal(
    xero.reduce((sum, row) => sum + inPence(row['*Amount']), 0),
    0,
  );
  const bank = xero.filter((row) => row['*AccountCode'] === '090');
  assert.deepEqual(
    bank
      .map((row) => [row['*Narration']?.replace('Settlement ', ''), inPence(row['*Amount'])])
      .sort(),
    paid,
  );
  const sage = await journal('layout=sage');
  const quickbooks = await journal('layout=quickbooks');
  assert.deepEqual([sage.length, quickbooks.length], [xero.length, xero.length]);
  assert.equal((await read('/api/reports/journal/csv?account_bank=%3D1')).status, 400);

  const camt = await read('/api/reports/statement/camt?month=2026-03');
  assert.deepEqual(
    [camt.status, camt.name],
    [200, 'attachment; filename="statement-2026-03.xml"'],
    camt.text,
  );
  const [statement] = readCamt(camt.text);
  const shown: Statement = JSON.parse((await read('/api/reports/statement?month=2026-03')).text);
  assert.deepEqual(
    [statement?.openingPence, statement?.closingPence, statement?.unread],
    [shown.opening, shown.closing, []],
  );
  const settled = statement?.entries.filter(({ remittance }) => remittance?.startsWith('Settlem'));
  assert.deepEqual(
    settled?.map(({ endToEndId, amountPence }) => [endToEndId, amountPence]).sort(),
    paid,
  );
  const moved = shown.lines.reduce((sum, { count }) => sum + count, 0);
  assert.equal(statement?.entries.length, moved);
  const present = await read('/api/reports/statement/camt?month=2026-04');
  assert.equal(present.status, 400);
  assert.match(present.text, /month: must be over/);
});

test('what leaves the wallet is a number below zero in the CSV of its statement, and no text', async () => {
  const rows = await rowsOf('/api/reports/statement/csv?month=2026-03');
  const amounts = rows.flatMap(({ amount = '', balance = '' }) => [amount, balance]);
  assert.ok(
    amounts.every((cell) => /^-?\d+\.\d\d$/.test(cell)),
    amounts.join(' '),
  );
  assert.ok(amounts.some((cell) => cell.startsWith('-')));
  const counts = rows.map(({ count = '' }) => count);
  assert.ok(
    counts.every((cell) => /^\d*$/.test(cell)),
    counts.join(' '),
  );
});
