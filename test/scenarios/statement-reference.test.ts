import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { grantedSchedule, newSchedule } from './acts.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

interface Shown {
  id: string;
  status: string;
  reference: string;
  error?: { details: Record<string, string> };
}

const put = (id: string, body: object) =>
  service.api<Shown>('PUT', `/api/v1/schedules/${id}`, body);

/** Returns the references with which money came from the bank. */
async function references(): Promise<unknown[]> {
  const { movements } = await service.issuerBooks();
  return movements.map((movement) => (movement as { reference?: string }).reference);
}

test('what the merchant asks for stands on the statement of the customer', async () => {
  const made = await grantedSchedule(service, 'alex', { reference: 'Fernhill 0042' });
  assert.equal((await put(made.id, { max_retries: 1 })).body.reference, 'Fernhill 0042');
  await service.advance('P32D');
  assert.ok((await references()).includes('Fernhill 0042'));
});

test('a reference that a bank would not pass on is refused by its field', async () => {
  for (const reference of ['GYM42', 'x'.repeat(19), 'Gym £42 a month']) {
    const { status, body } = await service.api<Shown>('POST', '/api/v1/schedules', {
      amount: { value: 4999, currency: 'GBP' },
      frequency: 'monthly',
      customer: { phone: '+447700900123' },
      description: 'Gym',
      reference,
    });
    assert.equal(status, 400, reference);
    assert.deepEqual(Object.keys(body.error?.details ?? {}), ['reference']);
  }
});

test('it changes until the customer has agreed, and not afterwards', async () => {
  const { id } = await newSchedule(service, { reference: 'First reference' });
  assert.equal((await put(id, { reference: 'Second one' })).body.reference, 'Second one');
  assert.match((await put(id, { reference: null })).body.reference, /^FERNHILL \w{6}$/);
  await put(id, { reference: 'Third one' });
  await service.grant(id);
  const late = await put(id, { reference: 'Fourth one' });
  assert.equal(late.status, 400);
  assert.deepEqual(Object.keys(late.body.error?.details ?? {}), ['reference']);
  assert.equal((await put(id, { reference: 'Third one' })).status, 200, 'what it has is no change');
});

test('null leaves the reference of an agreed schedule, whatever merchant and customer are called since', async () => {
  const { id } = await grantedSchedule(service, 'alex', { reference: null });
  const { reference } = (await service.api<Shown>('GET', `/api/v1/schedules/${id}`)).body;
  const { body } = await service.api<Shown>('PUT', '/api/v1/merchant', { statement_name: 'OTHER' });
  assert.equal(body.error, undefined);
  const changed = await put(id, { reference: null, description: 'Gym and pool' });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.equal(changed.body.reference, reference);
  await service.api('PUT', '/api/v1/merchant', { statement_name: null });
});

test('a schedule that shares a consent carries its reference, or asks for a consent of its own', async () => {
  await service.api('PUT', '/api/v1/merchant', { reuse_consent: true });
  const wide = { amount: { value: 30_000, currency: 'GBP' }, reference: 'Shared 0001' };
  const customer = { phone: '+447700900888' };
  const first = await newSchedule(service, {
    ...wide,
    customer,
    frequency: 'yearly',
    limits: { per_period: { value: 90_000, currency: 'GBP' } },
  });
  await service.grant(first.id);
  const same = { amount: { value: 1000, currency: 'GBP' }, frequency: 'yearly', customer };
  const joined = (await newSchedule(service, same)) as unknown as Shown;
  assert.deepEqual([joined.status, joined.reference], ['active', 'Shared 0001']);
  const apart = (await newSchedule(service, {
    ...same,
    reference: 'Another 2',
  })) as unknown as Shown;
  assert.deepEqual([apart.status, apart.reference], ['pending_consent', 'Another 2']);
});

test('a default reference is readable, tells schedules of a customer apart, and stays whatever is renamed', async () => {
  const customer = { phone: '+447700900777', reference: 'C10400' };
  const made = (await newSchedule(service, { customer })) as unknown as Shown;
  assert.equal(made.reference, 'FERNHILL C10400');
  const more = await Promise.all(
    Array.from(
      { length: 7 },
      async () => (await newSchedule(service, { customer })) as unknown as Shown,
    ),
  );
  const all = new Set([made, ...more].map(({ reference }) => reference));
  assert.equal(all.size, 8);
  for (const reference of all) assert.match(reference, /^FERNHILL /);

  const renamed = await service.api<{ statement_name: string }>('PUT', '/api/v1/merchant', {
    statement_name: 'fern',
  });
  assert.equal(renamed.body.statement_name, 'FERN');
  const next = (await newSchedule(service, { customer })) as unknown as Shown;
  assert.equal(next.reference, 'FERN C10400');
  await service.grant(made.id);
  await service.advance('P32D');
  assert.ok((await references()).includes('FERNHILL C10400'));
  const found = await service.api<{ data: Shown[] }>(
    'GET',
    '/api/v1/schedules?q=fernhill%20c10400',
  );
  assert.ok(found.body.data.some(({ id }) => id === made.id));
  const wrong = await service.api<Shown>('PUT', '/api/v1/merchant', {
    statement_name: 'Fern Hill',
  });
  assert.deepEqual(
    [wrong.status, Object.keys(wrong.body.error?.details ?? {})],
    [400, ['statement_name']],
  );
  const back = await service.api<{ statement_name: string }>('PUT', '/api/v1/merchant', {
    statement_name: null,
  });
  assert.equal(back.body.statement_name, 'FERNHILL');
});
