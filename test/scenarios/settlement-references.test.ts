import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { showSettlements } from '../../server/src/settlements/service.ts';
import {
  asked,
  assertLaws,
  dueInAnHour,
  eventsOf,
  settleByHand,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { asOwner } from '../../server/test-support/owner.ts';

let h: Harness;

beforeEach(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  await dueInAnHour(h, { frequency: 'yearly' });
});
afterEach(async () => {
  await assertLaws(h);
  await h.close();
});

/** What left for the merchant's bank: the reference of each pay-out, in their order. */
const left = (): string[] =>
  [...h.issuer.wallets.values()]
    .flatMap(({ movements }) => movements)
    .filter(({ kind }) => kind === 'payout')
    .map(({ reference }) => reference);

/** Makes the settlements those of an earlier version, which kept no reference. */
const forgetReferences = () =>
  asOwner(h.db, (tx) => tx.run('UPDATE settlements SET statement_reference = NULL'));

/** The pay-out of a settlement comes back, and the next attempt carries the settlement's own reference, as it then shows. */
async function paidAgain(id: string, nth: number, key = `${id}-1`): Promise<void> {
  h.issuer.comeBack(key);
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  await settleByHand(h, id);
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  const settlement = (await settlementsOf(h)).find((one) => one.id === id);
  assert.equal(settlement?.status, 'success');
  const own = `S26010${5 + nth}`;
  assert.equal(left().at(-1)?.slice(0, own.length), own);
  assert.equal(settlement.statement_reference, left().at(-1));
}

async function failedSettlement() {
  h.issuer.payOutError = 'invalid_account';
  await h.runUntil('2026-01-06T12:00:00Z');
  h.issuer.payOutError = null;
  const [failed] = await settlementsOf(h);
  assert.ok(failed);
  return failed;
}

test('every attempt at a settlement carries the reference that it shows', async () => {
  const failed = await failedSettlement();
  assert.match(failed.statement_reference, /^S260106[A-Z0-9]{8}$/);
  await settleByHand(h, failed.id);
  await h.runUntil('2026-01-06T13:00:00Z');
  h.issuer.comeBack(`${failed.id}-2`);
  await h.runUntil('2026-01-06T14:00:00Z');
  await settleByHand(h, failed.id);
  await h.runUntil('2026-01-06T15:00:00Z');
  const [settlement] = await settlementsOf(h);
  assert.deepEqual([settlement?.status, settlement?.attempts], ['success', 3]);
  assert.equal(settlement?.statement_reference, failed.statement_reference);
  assert.deepEqual(left(), Array(3).fill(failed.statement_reference));
  const sent = (await eventsOf(h)).filter(({ kind }) => kind.startsWith('settlement.'));
  const told = sent.map(
    ({ data }) => (data as { statement_reference: string }).statement_reference,
  );
  assert.deepEqual(told, Array(4).fill(failed.statement_reference));
});

test('a settlement of an earlier version shows what left, and its next attempt carries the same', async () => {
  const { id } = await failedSettlement();
  await forgetReferences();
  assert.equal((await settlementsOf(h))[0]?.statement_reference, id.slice(-18));
  await settleByHand(h, id);
  await h.runUntil('2026-01-06T13:00:00Z');
  const [settlement] = await settlementsOf(h);
  assert.equal(settlement?.status, 'success');
  assert.deepEqual([left().at(-1), settlement.statement_reference], Array(2).fill(id.slice(-18)));
});

test('what an earlier version ordered beside this one is found, shown as it left, and not paid twice', async () => {
  const payOut = h.issuer.payOut.bind(h.issuer);
  let calls = 0;
  h.issuer.payOut = async (order) => {
    if (calls++ === 0) await payOut({ ...order, reference: order.idempotencyKey.slice(-20, -2) });
    throw new Error('no answer');
  };
  await h.runUntil('2026-01-07T05:00:00Z'); // 23 hours: from now on the key may be forgotten
  const [open] = await settlementsOf(h);
  assert.equal(open?.status, 'processing');
  const key = `${open.id}-1`;
  const order = h.issuer.orders.get(key);
  assert.ok(order);
  h.issuer.orders.delete(key);
  h.issuer.payOut = payOut;
  await h.runUntil('2026-01-07T12:00:00Z');
  const [settlement] = await settlementsOf(h);
  assert.equal(settlement?.status, 'success');
  assert.deepEqual([settlement.statement_reference], left());
  h.issuer.orders.set(key, order);
  await paidAgain(settlement.id, 1);
});

test('a settlement that a forgotten pay-out has paid shows the reference of that pay-out', async () => {
  const failed = await failedSettlement();
  const restore = await h.backUp();
  await settleByHand(h, failed.id);
  await h.runUntil(h.clock.at.add({ seconds: 30 }));
  await restore();
  await h.runUntil('2026-01-08T12:00:00Z');
  const [, second] = await settlementsOf(h);
  assert.equal(second?.status, 'success');
  assert.equal(second.statement_reference, failed.statement_reference);
  await paidAgain(second.id, 2, `${failed.id}-2`);
});

test('the list finds a settlement by its reference in any case, by its end, and in a line of a statement', async () => {
  await h.runUntil('2026-01-06T12:00:00Z');
  const [settlement] = await settlementsOf(h);
  const reference = settlement?.statement_reference ?? '';
  const find = async (letters: string): Promise<number> => {
    const page = { limit: 10, offset: 0 };
    const filter = { reference: letters };
    const found = await h.db.read((tx) =>
      showSettlements(h.service.settlements, asked(h, tx), filter, page),
    );
    return found.data.length;
  };
  for (const line of [reference, reference.slice(-6), `FPFERNHILL${reference}0601`])
    assert.equal(await find(line), 1, line);
  assert.equal(await find('S260107'), 0);
  assert.equal(await find(''), 0, 'a text without letters and digits');
  await forgetReferences();
  assert.equal(
    await find(settlement?.id.slice(-18).toUpperCase() ?? ''),
    1,
    'of an earlier version',
  );
});
