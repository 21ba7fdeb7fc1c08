import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reconcile } from '../../server/src/laws/reconciliation/reconciliation.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { assertBooksInOrder, debitsOf, grantedSchedule, paymentOf } from './acts.ts';

// The whole service with the real sandbox issuer, in each mode in which issuers are known to behave.

interface SettlementBody {
  status: string;
  amount: { value: number };
  error: { code: string } | null;
}

async function inMode(mode: string, live: (service: TestService) => Promise<void>): Promise<void> {
  const service = await startTestService({ env: { SANDBOX_ISSUER_MODES: mode } });
  try {
    await live(service);
    await assertBooksInOrder(service);
  } finally {
    await service.close();
  }
}

const settlementsOf = async (service: TestService): Promise<SettlementBody[]> =>
  (await service.api<{ data: SettlementBody[] }>('GET', '/api/v1/settlements')).body.data;

/** Returns the open items of a day's report. */
async function openItems(service: TestService, date: string): Promise<string[]> {
  const { platform, service: parts } = service.running;
  const { issuer } = parts.authorisation;
  const { open, unknown } = await reconcile(platform, issuer, Temporal.PlainDate.from(date));
  assert.equal(unknown, null);
  return open.map((one) => one.what);
}

const MONTHLY = { frequency: { type: 'monthly', day: 7 } };

for (const mode of ['no_end_to_end_id', 'new_event_ids', 'pending_transfers', 'expiring_keys'])
  test(`a collection and its settlement end as they should with an issuer in the mode ${mode}`, async () => {
    await inMode(mode, async (service) => {
      const schedule = await grantedSchedule(service, 'alex', MONTHLY);
      await service.advance('2026-01-08T12:00:00Z');
      const payment = await paymentOf(service, schedule.id);
      assert.equal(payment.status, 'success');
      assert.equal(await debitsOf(service, payment.id), 1);
      const settlements = await settlementsOf(service);
      assert.deepEqual(
        settlements.map((one) => [one.status, one.amount.value]),
        [['success', 4999]],
      );
      assert.deepEqual(await openItems(service, '2026-01-07'), []);
      assert.deepEqual(await openItems(service, '2026-01-08'), []);
    });
  });

test('a pay-in that is a penny short stands on the unallocated list, and nothing is settled', async () => {
  await inMode('short_pay_ins', async (service) => {
    const schedule = await grantedSchedule(service, 'alex', MONTHLY);
    await service.advance('2026-01-08T12:00:00Z');
    assert.equal((await paymentOf(service, schedule.id)).status, 'processing');
    const item = await service.db.read((tx) =>
      tx.row<{ pence: number }>(
        `SELECT amount_pence AS pence FROM unallocated_items WHERE status = 'open'`,
      ),
    );
    assert.equal(item?.pence, 4998);
    assert.deepEqual(await settlementsOf(service), []);
    assert.deepEqual(await openItems(service, '2026-01-07'), []);
  });
});

test('a pay-out that comes back two days later fails its settlement', async () => {
  await inMode('returned_payouts', async (service) => {
    const schedule = await grantedSchedule(service, 'alex', MONTHLY);
    await service.advance('2026-01-08T12:00:00Z');
    assert.deepEqual(
      (await settlementsOf(service)).map((one) => one.status),
      ['success'],
    );
    await service.advance('2026-01-12T12:00:00Z');
    const [failed] = await settlementsOf(service);
    assert.deepEqual([failed?.status, failed?.error?.code], ['failed', 'payout_returned']);
    assert.equal((await paymentOf(service, schedule.id)).status, 'success');
    assert.deepEqual(await openItems(service, '2026-01-10'), []);
  });
});

test('a pay-in that is recalled two days later is shown on its payment and owed', async () => {
  await inMode('recalled_pay_ins', async (service) => {
    const schedule = await grantedSchedule(service, 'alex', MONTHLY);
    await service.advance('2026-01-12T12:00:00Z');
    const payment = await paymentOf(service, schedule.id);
    assert.equal(payment.status, 'success');
    assert.deepEqual(payment.returned?.amount, { value: 4999, currency: 'GBP' });
    assert.deepEqual(await openItems(service, '2026-01-09'), []);
  });
});
