import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PaymentView } from '../../server/src/payments/api/view.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import {
  assertBooksInOrder,
  debitsOf,
  grantedSchedule,
  kindsOf,
  newSchedule,
  paymentsOf,
  webhooksOf,
} from './acts.ts';

// The whole service with real partners behind HTTP. The clock continues from test to test.

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.close());

const gbp = (value: number) => ({ value, currency: 'GBP' });
interface Refused {
  error: { code: string; message: string; details?: Record<string, string> };
}

const collect = <T = PaymentView>(id: string, body: object, key?: string) =>
  service.api<T>(
    'POST',
    `/api/v1/schedules/${id}/payments`,
    body,
    key === undefined ? {} : { 'Idempotency-Key': key },
  );

test('A merchant collects once beside the occurrences: one payment per key, one debit, one webhook', async () => {
  const { id } = await grantedSchedule(service, 'alex', {
    frequency: { type: 'monthly', day: 7 },
  });
  await service.api('PUT', `/api/v1/schedules/${id}`, { amount: gbp(3000) });
  await service.advance('2026-01-08T12:00:00Z');
  const body = { amount: gbp(1999), description: 'Router' };
  const first = await collect(id, body, 'router-1');
  assert.equal(first.status, 200);
  assert.equal(first.body.kind, 'ad_hoc');
  assert.equal(first.body.description, 'Router');
  assert.deepEqual((await collect(id, body, 'router-1')).body, first.body);
  await service.advance('2026-01-08T13:00:00Z');
  const payments = await paymentsOf(service, id);
  assert.deepEqual(
    payments.map((payment) => [payment.kind, payment.amount.value, payment.status]).sort(),
    [
      ['ad_hoc', 1999, 'success'],
      ['scheduled', 3000, 'success'],
    ],
  );
  assert.equal(await debitsOf(service, first.body.id), 1);
  const told = webhooksOf(service, id).filter(({ data }) => data.payment_id === first.body.id);
  assert.deepEqual(kindsOf(told), ['collection.success']);

  const over = await collect<Refused>(id, { amount: gbp(1) });
  assert.equal(over.status, 409);
  assert.equal(over.body.error.code, 'limit_exceeded');
  assert.deepEqual(over.body.error.details, {
    available: '0',
    available_from: '2026-02-05T00:00:00.000Z',
  });
  await assertBooksInOrder(service);
});

test('What cannot be collected once is refused, and the answer names the field or the reason', async () => {
  const waiting = await newSchedule(service);
  const refused = async (body: object): Promise<Refused['error']> => {
    const answer = await collect<Refused>(waiting.id, body);
    assert.ok(answer.status === 400 || answer.status === 409);
    return answer.body.error;
  };
  const amount = gbp(100);
  assert.equal((await refused({ amount })).code, 'consent_required');
  const wrong: [object, string][] = [
    [{}, 'amount'],
    [{ amount: gbp(0) }, 'amount.value'],
    [{ amount: { value: 1, currency: 'EUR' } }, 'amount.currency'],
    [{ amount, due_date: '2026-01-01T00:00:00Z' }, 'due_date'],
    [{ amount, due_date: '2028-01-01T00:00:00Z' }, 'due_date'],
    [{ amount, due_date: 'tomorrow' }, 'due_date'],
    [{ amount, description: ' ' }, 'description'],
    [{ amount, kind: 'scheduled' }, 'kind'],
  ];
  for (const [body, field] of wrong) {
    const { code, details } = await refused(body);
    assert.equal(code, 'invalid_request');
    assert.deepEqual(Object.keys(details ?? {}), [field], JSON.stringify(body));
  }
});
