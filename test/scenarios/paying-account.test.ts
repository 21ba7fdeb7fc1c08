import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../server/test-support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

interface Shown {
  id: string;
  status: string;
  customer: { id: string };
  paying_account: { sort_code: string; account_number: string } | null;
}

const create = (account: { account_number: string; sort_code: string }) =>
  service.api<Shown>('POST', '/api/v1/schedules', {
    amount: { value: 1500, currency: 'GBP' },
    frequency: { type: 'monthly', day: 12 },
    customer: { type: 'bank_account', ...account },
    description: 'Membership',
  });

test('who is named by an account pays from it, and the account is shown by the end of its number', async () => {
  const accounts = (await service.bankBooks()).accounts as unknown as {
    bank: string;
    login: string;
    account_number: string;
    sort_code: string;
  }[];
  const own = accounts.find(({ bank, login }) => bank === 'northbank' && login === 'alex');
  assert.ok(own !== undefined);
  const { account_number, sort_code } = own;
  const made = await create({ account_number, sort_code });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  assert.equal(made.body.paying_account, null);
  const masked = { sort_code: '**-**-**', account_number: `****${account_number.slice(-4)}` };
  await service.grant(made.body.id);
  const granted = await service.api<Shown>('GET', `/api/v1/schedules/${made.body.id}`);
  assert.deepEqual([granted.body.status, granted.body.paying_account], ['active', masked]);
  const customer = await service.api<Shown & { bank: { id: string; name: string } }>(
    'GET',
    `/api/v1/customers/${made.body.customer.id}`,
  );
  assert.deepEqual(customer.body.paying_account, masked);
  assert.deepEqual(customer.body.bank, { id: 'northbank', name: 'Northbank' });
  await service.advance('P9D');
  const paid = await service.api<{ data: Shown[] }>(
    'GET',
    `/api/v1/schedules/${made.body.id}/payments`,
  );
  assert.deepEqual(
    paid.body.data.map(({ status, paying_account }) => [status, paying_account]),
    [['success', masked]],
  );
});

test('the bank lets nobody agree with another account', async () => {
  const made = await create({ account_number: '10000099', sort_code: '991001' });
  const played = await service.api('POST', `/sandbox/schedules/${made.body.id}/consent`, {
    decision: 'grant',
    account: 'alex',
    bank_id: 'northbank',
  });
  assert.equal(played.status, 400);
  assert.deepEqual(Object.keys(Object(played.body.error).details), ['account']);
  const after = await service.api<Shown>('GET', `/api/v1/schedules/${made.body.id}`);
  assert.equal(after.body.status, 'pending_consent');
});
