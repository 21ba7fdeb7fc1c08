import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listWaiting } from '../../server/src/settlements/return-store.ts';
import { resumePolling } from '../../server/src/settlements/service.ts';
import { settlementMoment } from '../../server/src/settlements/settlement-day.ts';
import { IssuerRefused, type Movement } from '../../server/src/wallets/issuer.ts';
import { assertLaws, eventsOf, settlementsOf } from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { justDue } from './acts.ts';

const { h } = oneForEach();

/**
 * Sets up a settlement of 4,999 pence that is about to be paid out, for whose key the issuer has a pay-out of 4,998 pence: the
 * database that ordered it was lost.
 */
async function reopened(): Promise<{ payAt: Temporal.Instant; paid: Movement }> {
  await justDue(h);
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  const { payAt } = settlementMoment(h.clock.at);
  await h.runUntil(payAt.subtract({ seconds: 1 }));
  const restore = await h.backUp();
  const payOut = h.issuer.payOut.bind(h.issuer);
  h.issuer.payOut = (order) => payOut({ ...order, amountPence: order.amountPence - 1 });
  await h.runUntil(payAt);
  h.issuer.payOut = payOut;
  await restore();
  const [paid] = payOuts();
  assert.equal(paid?.amountPence, 4998);
  return { payAt, paid };
}

const payOuts = (): Movement[] =>
  [...h.issuer.wallets.values()].flatMap(({ movements }) =>
    movements.filter((movement) => movement.kind === 'payout'),
  );

/** Asserts that it is neither paid nor failed, no event was sent, and it is listed with both amounts. */
async function assertWaits(): Promise<string> {
  const [settlement] = await settlementsOf(h);
  assert.equal(settlement?.status, 'processing');
  assert.equal(settlement.error?.code, 'amount_differs');
  assert.deepEqual(
    (await eventsOf(h)).map((event) => event.kind).filter((kind) => kind.startsWith('settlement.')),
    [],
  );
  const waiting = await h.db.read(listWaiting);
  assert.deepEqual(
    waiting.map((row) => [row.settlementId, row.amountPence]),
    [[settlement.id, 4999]],
  );
  const says = /^The issuer has a pay-out of 4998 pence .* settlement of 4999 pence: /;
  assert.match(waiting[0]?.errorMessage ?? '', says);
  assert.equal(payOuts().length, 1, 'the issuer paid out once');
  return settlement.id;
}

test('a settlement whose key the issuer knows with another amount waits for a person', async () => {
  const { payAt } = await reopened();
  await h.runUntil(payAt.add({ hours: 50 }), h.another());
  await assertWaits();
});

test('the same where the pay-out is still under way', async () => {
  h.issuer.slowPayOuts = true;
  const { payAt, paid } = await reopened();
  const later = h.another();
  await h.runUntil(payAt.add({ minutes: 1 }), later);
  h.issuer.endPayOut(paid.idempotencyKey ?? '', null);
  await h.runUntil(payAt.add({ hours: 50 }), later);
  await assertWaits();
});

test('the same where the issuer refuses the key of another order', async () => {
  const { payAt } = await reopened();
  h.issuer.payOut = async () => {
    throw new IssuerRefused('idempotency_conflict', 'another order has this key');
  };
  await h.runUntil(payAt.add({ hours: 50 }), h.another());
  await assertWaits();
});

test('the same where the issuer has forgotten the key: no second pay-out follows the first', async () => {
  const { payAt, paid } = await reopened();
  h.issuer.down = true;
  const later = h.another();
  await h.runUntil(payAt.add({ hours: 30 }), later);
  h.issuer.down = false;
  h.issuer.orders.delete(paid.idempotencyKey ?? '');
  await h.runUntil(payAt.add({ hours: 50 }), later);
  await assertWaits();
});

test('when the issuer has taken its pay-out back, an operator has it asked again, and the money goes out whole', async () => {
  const { payAt, paid } = await reopened();
  const later = h.another();
  await h.runUntil(payAt.add({ hours: 1 }), later);
  const id = await assertWaits();
  const ask = (settlementId: string): Promise<boolean> =>
    h.db.transaction((tx) => resumePolling(tx, h.clock.at, settlementId, 'cancelled, ref 4711'));
  assert.ok(await ask(id));
  await h.runUntil(h.clock.at.add({ hours: 1 }), later);
  await assertWaits();
  paid.status = 'failed';
  const from = h.issuer.wallets.get(paid.fromIssuerWalletId ?? '');
  assert.ok(from);
  from.wallet.balancePence += paid.amountPence;
  assert.ok(await ask(id));
  assert.equal(await ask(id), false, 'it does not wait any more');
  assert.equal(await ask('set_x'), false);
  await h.runUntil(h.clock.at.add({ hours: 24 * 4 }), later);
  assert.deepEqual(
    (await settlementsOf(h)).map(({ status, amount }) => [status, amount.value]).sort(),
    [
      ['failed', 4999],
      ['success', 4999],
    ],
  );
  await assertLaws(h);
});
