import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { listPayments } from '../../payments/books/list-store.ts';
import type { Scope } from '../../platform/http/calls/access.ts';
import { firstPage } from '../../platform/http/lists/page.ts';
import { readMatch } from '../../schedules/books/match.ts';

let h: Harness;
before(async () => {
  h = await openHarness();
  const customer = { type: 'phone', value: '+447700900661', name: 'Robin Fern' };
  await h.agreed({ customer, description: 'Gym gold' });
  await h.runUntil('2026-01-12T09:00:00Z');
});
after(() => h.close());

/** Returns how many payments a key with these scopes finds. */
function found(q: string, scopes: readonly Scope[], role: string | null = null): Promise<number> {
  const { merchantId } = h;
  const key = { scopes, maker: role === null ? null : { userId: 'usr_1', role } };
  return h.db.forMerchant(merchantId, async (tx) => {
    const match = await readMatch(h.platform, { tx, merchantId, key }, q);
    return (await listPayments(tx, merchantId, { match }, firstPage(10))).data.length;
  });
}

test('a key finds payments by a customer or by words only with the scopes that show them', async () => {
  const [payment] = await h.db.read((tx) =>
    tx.rows<{ paymentId: string }>('SELECT payment_id FROM payments WHERE merchant_id = $1', [
      h.merchantId,
    ]),
  );
  for (const q of [payment?.paymentId ?? '', '49.99'])
    assert.equal(await found(q, ['payments']), 1, q);
  for (const q of ['Robin', '07700 900661', '0661'])
    assert.deepEqual(
      [
        await found(q, ['payments', 'schedules']),
        await found(q, ['payments', 'customers']),
        await found(q, ['payments', 'customers'], 'read_only'),
      ],
      [0, 1, 0],
      q,
    );
  assert.equal(await found('gym', ['payments', 'customers']), 0);
  assert.equal(await found('gym', ['payments', 'schedules']), 1);
});
