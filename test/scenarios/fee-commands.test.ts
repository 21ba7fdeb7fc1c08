import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { request } from 'undici';
import type { Statement } from '../../server/src/dashboard/reports/statement-view.ts';
import { readCsv } from '../../server/test-support/csv.ts';
import { type Operator, operatorOf } from '../../server/test-support/operator.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { assertBooksInOrder, grantedSchedule, paymentOf } from './acts.ts';
import { signIn } from './signed-in.ts';

// The operator sets fees on the command line; the merchant sees one number everywhere, and the issuer's books agree.

interface Settlement {
  id: string;
  gross: { value: number };
  fees: { value: number };
  amount: { value: number };
}

let service: TestService;
let operator: Operator;

before(async () => {
  service = await startTestService({ start: '2026-03-02T12:00:00Z' });
  operator = await operatorOf(service);
});
after(() => service?.close());

const fees = async (...args: string[]): Promise<object[]> =>
  (await operator.gets('merchant', 'fees', service.merchantId, ...args)).fees;

test('the operator sets fees from a day on, and the merchant sees them', async () => {
  await fees('--fixed-pence', '20', '--basis-points', '100');
  const all = await fees('--fixed-pence', '50', '--from', '2026-06-01');
  const { body } = await service.api<{ fees: object | null; next_fees: object | null }>(
    'GET',
    '/api/v1/merchant',
  );
  const first = { fixed_pence: 20, basis_points: 100, from: '2026-03-03T00:00:00.000Z' };
  assert.deepEqual([body.fees, body.next_fees], [null, first]);
  const second = { fixed_pence: 50, basis_points: 0, from: '2026-05-31T23:00:00.000Z' };
  assert.deepEqual(all, [first, second]);
  const row = await service.db.read((tx) =>
    tx.row<{ actor: string; reason: string }>(
      `SELECT actor, reason FROM state_changes WHERE to_state = 'fees_set' ORDER BY change_id LIMIT 1`,
    ),
  );
  assert.deepEqual(row, {
    actor: 'operator:Robin Fern',
    reason: '20 pence and 100 basis points from 2026-03-03T00:00:00.000Z',
  });
});

test('wrong terms and a day that has begun are refused by the name of their option', async () => {
  const refused = (...args: string[]): Promise<string> =>
    operator.refused('merchant', 'fees', service.merchantId, ...args);
  assert.match(await refused('--basis-points', '10001'), /^recollect: --basis-points: /);
  assert.match(await refused('--fixed-pence', '1.50'), /^recollect: --fixed-pence: /);
  const today = await refused('--fixed-pence', '1', '--from', '2026-03-02');
  assert.match(today, /--from: must be a day that begins in an hour or later/);
  assert.match(await refused('--fixed-pence', '1', '--from', 'soon'), /--from: must be a day/);
  assert.match(
    await operator.refused('merchant', 'fees', 'mer_1', '--fixed-pence', '1'),
    /merchant/,
  );
});

test('payment, settlement, CSV and the issuer have the same fee', async () => {
  await service.advance('2026-03-03T12:00:00Z');
  const { id } = await grantedSchedule(service, 'alex', { frequency: { type: 'monthly', day: 4 } });
  await service.advance('2026-03-05T12:00:00Z');
  const payment = await paymentOf(service, id);
  assert.deepEqual(payment.fee, { value: 70, currency: 'GBP' });
  const { body } = await service.api<{ data: Settlement[] }>('GET', '/api/v1/settlements');
  const [settlement] = body.data;
  assert.deepEqual(
    [settlement?.gross.value, settlement?.fees.value, settlement?.amount.value],
    [4999, 70, 4929],
  );
  const kim = await signIn(service, service.merchantId, 'finance', 'kim@fernhill.example');
  const read = async (path: string): Promise<string> => {
    const headers = { cookie: kim.cookie, 'sec-fetch-site': 'same-origin' };
    const answer = await request(`${service.baseUrl}/dashboard/api/${path}`, { headers });
    return answer.body.text();
  };
  const cells = async (path: string): Promise<Record<string, string>> => {
    const [heading = [], row = []] = readCsv(await read(`${path}/csv`));
    return Object.fromEntries(heading.map((name, i) => [name, row[i] ?? '']));
  };
  const { amount, fee, net } = await cells(`settlements/${settlement?.id}`);
  assert.deepEqual([amount, fee, net], ['49.99', '0.70', '49.29']);
  assert.equal((await cells('v1/payments')).fee, '0.70');
  const statement: Statement = JSON.parse(await read('reports/statement?month=2026-03'));
  assert.deepEqual(
    statement.summary.filter(({ value }) => value !== 0),
    [
      { kind: 'payments', value: 4999, count: 1 },
      { kind: 'fees', value: -70, count: 1 },
      { kind: 'settlements', value: -4929, count: 1 },
    ],
  );
  const report = await operator.gets('reconcile', 'run', '2026-03-05');
  assert.deepEqual([report.open_differences, report.unknown], [0, null]);
  await assertBooksInOrder(service);
});
