import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { BE_OWNER } from '../../../test-support/owner.ts';
import type { Noun, Subject } from '../findings/nouns.ts';
import { checkInvariants } from './invariant-run.ts';
import { checkNextShare } from './rounds.ts';

/** What docs/rules/wallets-and-money.md promises. */
const OLD_WITHIN_HOURS = 30 * 24;
const YOUNG_WITHIN_HOURS = 24;
/** Hours between two looks of a test: a round still ends within a day. */
const STEP = 3;

let h: Harness;

before(async () => {
  h = await openHarness('2026-01-05T10:00:00Z');
  for (const n of [1, 2, 3])
    await h.agreed({ frequency: 'daily', customer: { type: 'phone', value: `+44770090012${n}` } });
  await h.runUntil('2026-02-20T12:00:00Z'); // each collected every day for more than 35 days
  await look();
});
after(() => h.close());

async function look(): Promise<string[]> {
  const findings = await checkInvariants(h.platform, { atLeast: 0 });
  for (const { error } of findings) assert.ifError(error);
  return findings.filter((one) => one.broken.length > 0).map((one) => one.law);
}

const byHand = (sql: string): Promise<void> =>
  h.db.transaction(async (tx) => {
    await tx.run(BE_OWNER);
    assert.equal(await tx.run(sql), 1, sql);
  });

/** Looks until this law is found broken; returns after how many hours. */
async function hoursUntil(law: string, most: number): Promise<number> {
  for (let hours = 0; hours <= most; hours += STEP) {
    if ((await look()).includes(law)) return hours;
    h.clock.at = h.clock.at.add({ hours: STEP });
  }
  return Number.POSITIVE_INFINITY;
}

const OLDEST = `(SELECT min(payment_id) FROM payments WHERE status = 'success')`;
const NEWEST = `(SELECT max(payment_id) FROM payments WHERE status = 'success')`;
const FAULTS = [
  ['recent', NEWEST, YOUNG_WITHIN_HOURS],
  ['old', OLDEST, OLD_WITHIN_HOURS],
] as const;

for (const [age, payment, within] of FAULTS)
  test(`an attempt changed by hand of a ${age} payment is found within ${within} hours`, async () => {
    const to = (status: string): string =>
      `UPDATE attempts SET status = '${status}' WHERE payment_id = ${payment}`;
    await byHand(to('failed'));
    const hours = await hoursUntil('one-success-per-payment', within);
    await byHand(to('success'));
    assert.ok(hours <= within, `not found within ${within} hours`);
    assert.deepEqual(await look(), [], 'and is over when the row is in order');
  });

/** Returns how often each row of a table is read by the looks of these hours. */
async function readIn(noun: Noun, hours: number): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  const count = async (page: readonly Subject[]): Promise<boolean> => {
    for (const { id } of page) times.set(id, (times.get(id) ?? 0) + 1);
    return true;
  };
  for (let hour = 0; hour < hours; hour++) {
    await checkNextShare(h.db, noun, h.clock.at, count, 0);
    h.clock.at = h.clock.at.add({ hours: 1 });
  }
  return times;
}

const idsOf = async (noun: 'payment' | 'event' | 'seal'): Promise<string[]> => {
  const from = {
    payment: 'SELECT payment_id AS id FROM payments',
    event: 'SELECT event_id AS id FROM events',
    seal: 'SELECT from_id AS id FROM transfer_seals',
  };
  return (await h.db.read((tx) => tx.rows<{ id: string }>(from[noun]))).map(({ id }) => id);
};

for (const noun of ['payment', 'event', 'seal'] as const)
  test(`every old ${noun} is read within thirty days, and in a day few of them`, async () => {
    h.clock.at = h.clock.at.add({ hours: 40 * 24 }); // nothing is young any more
    const ids = await idsOf(noun);
    await readIn(noun, 48); // a round after days without a look reads everything
    const ofADay = await readIn(noun, 24);
    assert.ok([...ofADay.values()].every((times) => times <= 2));
    if (noun !== 'seal') assert.ok(ofADay.size < ids.length / 5, `${ofADay.size} of ${ids.length}`);
    const ofAMonth = await readIn(noun, OLD_WITHIN_HOURS);
    assert.deepEqual([...ofAMonth.keys()].sort(), ids.sort());
  });

test('an old payment that is still to be settled is read every day', async () => {
  const payment = await h.db.read((tx) => tx.row<{ id: string }>(`SELECT ${OLDEST} AS id`));
  await byHand(
    `INSERT INTO to_settle (merchant_id, payment_id, amount_pence, settle_at)
     SELECT merchant_id, payment_id, amount_pence, completed_at FROM payments WHERE payment_id = '${payment?.id}'`,
  );
  assert.ok((await hoursUntil('collected-is-settled', YOUNG_WITHIN_HOURS)) <= YOUNG_WITHIN_HOURS);
});
