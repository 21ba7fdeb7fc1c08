import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { openDispute, refundDispute, showDispute } from '../../server/src/disputes/service.ts';
import type { DisputeView } from '../../server/src/disputes/view.ts';
import {
  asked,
  assertLaws,
  dueInAnHour,
  eventsOf,
  onlyPaymentOf,
  refund,
  refundsOf,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

// A payment of 49.99 gave 20.00 back before it was disputed for 15.00, and that refund comes back.

let h: Harness;
let paymentId: string;
let earlier: string;

beforeEach(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  paymentId = (await onlyPaymentOf(h, await dueInAnHour(h, { frequency: 'yearly' }))).id;
  earlier = await giveBack(2000);
});
afterEach(async () => {
  await soon();
  await assertLaws(h);
  await h.close();
});

const gbp = (value: number) => ({ value, currency: 'GBP' });
const soon = () => h.runUntil(h.clock.at.add({ minutes: 5 }));

/** Gives money of the payment back beside any dispute, until it is paid. Returns the refund's id. */
async function giveBack(pence: number): Promise<string> {
  const { id } = await refund(h, paymentId, { amount: gbp(pence) });
  await soon();
  return id;
}

async function comesBack(refundId: string): Promise<void> {
  h.issuer.comeBack(refundId);
  await soon();
}

type Deps = Parameters<typeof refundDispute>[0];
type Act = (deps: Deps, call: ReturnType<typeof asked>) => Promise<DisputeView>;

const act = (work: Act): Promise<DisputeView> =>
  h.db.forMerchant(h.merchantId, (tx) =>
    work({ platform: h.platform, refunds: h.service.refunds }, asked(h, tx)),
  );
const dispute = () =>
  act((deps, call) =>
    openDispute(deps, call, paymentId, {
      reason: 'unauthorised',
      raisedBy: 'customer',
      amount: gbp(1500),
    }),
  );
const read = (id: string) => act(({ platform }, call) => showDispute(platform, call, id));
const standing = ({ status, left, returned }: DisputeView) =>
  `${status}, left ${left.value}, returned ${returned.value}`;

test('a dispute whose own refund was paid stays refunded when an earlier refund comes back', async () => {
  const { id } = await dispute();
  await act((deps, call) => refundDispute(deps, call, id, {}));
  await soon();
  await comesBack(earlier);
  assert.equal(standing(await read(id)), 'refunded, left 0, returned 1500');
  const kinds = (await eventsOf(h)).map(({ kind }) => kind);
  assert.ok(!kinds.includes('dispute.reopened'));
});

test('what a dispute asks for is the same whether an earlier refund came back before or after a later one', async () => {
  const { id } = await dispute();
  await giveBack(1000);
  await comesBack(earlier);
  assert.equal(standing(await read(id)), 'open, left 500, returned 0');
  const ended = await act((deps, call) => refundDispute(deps, call, id, {}));
  assert.equal(standing(ended), 'refunded, left 0, returned 1500');
});

test('an earlier refund that came back first counts for nothing', async () => {
  const { id } = await dispute();
  await comesBack(earlier);
  await giveBack(1000);
  assert.equal(standing(await read(id)), 'open, left 500, returned 0');
});

test('a later refund that comes back is owed again, whatever was given back before', async () => {
  const { id } = await dispute();
  const later = await giveBack(1500);
  assert.equal(standing(await read(id)), 'open, left 0, returned 0');
  await comesBack(later);
  assert.equal(standing(await read(id)), 'open, left 1500, returned 0');
  await act((deps, call) => refundDispute(deps, call, id, {}));
  await soon();
  const own = (await refundsOf(h)).at(-1)?.id ?? '';
  await comesBack(earlier);
  await comesBack(own);
  assert.equal(standing(await read(id)), 'open, left 1500, returned 0');
});

test('a dispute of a refund that waits counts its money, and no other', async () => {
  await h.runUntil('2026-01-06T12:00:00Z'); // the rest was paid out
  const { id } = await dispute();
  const waiting = await act((deps, call) => refundDispute(deps, call, id, {}));
  assert.equal(waiting.status, 'open');
  await comesBack(earlier); // and brings what the refund waits for
  await h.runUntil(h.clock.at.add({ hours: 2 }));
  assert.equal(standing(await read(id)), 'refunded, left 0, returned 1500');
});
