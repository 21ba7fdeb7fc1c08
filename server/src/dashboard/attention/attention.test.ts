import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bankConsentOf, notifyOf } from '../../../test-support/books.ts';
import type { MerchantSide } from '../../../test-support/harness.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import { addCalls } from '../../banks/condition-store.ts';
import { endStop, insertStop } from '../../banks/stop-store.ts';
import type { List } from '../../platform/http/lists/page.ts';
import type { ScheduleItem } from '../schedules/list-view.ts';
import type { Attention } from './view.ts';

const gbp = (value: number) => ({ value, currency: 'GBP' });
const phone = (n: number) => ({ type: 'phone', value: `+4477009004${n}` });
const WEEKLY = { frequency: 'weekly' as const, start_date: '2026-03-03T09:00:00Z', max_retries: 0 };

let d: TestDashboard;
let other: MerchantSide;
before(async () => {
  d = await openDashboard('2026-03-02T09:30:00Z');
  other = await d.h.merchant();
});
after(() => d.close());

const attention = (merchantId?: string): Promise<Attention> =>
  d.get<Attention>('/api/attention', merchantId);

test('where all is well, nothing needs anybody', async () => {
  assert.deepEqual(await attention(other.merchantId), {
    currency: 'GBP',
    failing: [],
    consents: { count: 0, waiting: [] },
    to_confirm: [],
    banks: [],
    settlements: [],
    endpoints: [],
    in_question: [],
    disputes: [],
  });
});

test('a bank that is down or stopped is named to merchants with consents there, since when, and to no other', async () => {
  const { platform } = d.h;
  await d.h.agreed({ customer: phone(16), description: 'Boxing' });
  const since = d.h.clock.at;
  const failed = [0, 1, 2].map((seconds) => ({ at: since.add({ seconds }), answered: false }));
  const answered = [3, 4, 5, 6, 7].map((seconds) => ({
    at: since.add({ seconds }),
    answered: true,
  }));
  const call = (calls: typeof failed) =>
    platform.db.transaction((tx) =>
      addCalls(tx, [{ bankId: 'fakebank', operation: 'funds', calls }]),
    );
  assert.deepEqual((await attention()).banks, []);
  await call(failed);
  const [bank, ...more] = (await attention()).banks;
  assert.deepEqual(
    [bank?.name, bank?.condition, bank?.since, bank?.stopped, more],
    ['Bank fakebank', 'down', since.toString({ fractionalSecondDigits: 3 }), false, []],
  );
  assert.deepEqual((await attention(other.merchantId)).banks, []);
  await call(answered);
  assert.deepEqual((await attention()).banks, []);
  const stop = { bankId: 'fakebank', since, by: 'Robin Fern', reason: 'not for merchants' };
  await platform.db.transaction((tx) => insertStop(tx, stop));
  const { banks } = await attention();
  assert.equal(banks[0]?.stopped, true);
  assert.ok(!JSON.stringify(banks).includes('Robin'));
  const end = { at: since.add({ seconds: 9 }), by: 'Robin Fern', reason: 'over' };
  await platform.db.transaction((tx) => endStop(tx, 'fakebank', end));
});

test('a consent that the bank wants to be confirmed again is named until the customer has', async () => {
  const { id } = await d.h.agreed({ customer: phone(15), description: 'Aikido' });
  const bankConsent = await bankConsentOf(d.h, id);
  const book = d.h.bank.consents.get(bankConsent) ?? {};
  for (const [status, reason, names] of [
    ['SUSP', 'TKSP', ['Aikido']],
    ['AUTH', null, []],
  ] as const) {
    Object.assign(book, { status, reason });
    await notifyOf(d.h, 'consent', bankConsent);
    await d.h.runUntil(d.h.clock.at.add({ minutes: 1 }));
    const { to_confirm: toConfirm } = await attention();
    assert.deepEqual(
      toConfirm.map(({ schedule }) => schedule.description),
      names,
    );
  }
});

/** Returns the schedules of the list of those that fail, page by page. */
async function listed(query = ''): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | undefined = 'start'; after !== undefined; ) {
    const page: List<{ id: string }> = await d.get(
      `/api/v1/schedules?status=failing&limit=1${query}&after=${after}`,
    );
    ids.push(...page.data.map(({ id }) => id));
    after = page.next_cursor;
  }
  return ids;
}

test('active schedules whose latest collection failed are grouped by reason, until one succeeds', async () => {
  const poor = await d.h.agreed({ ...WEEKLY, customer: phone(20), amount: gbp(700) });
  const poorer = await d.h.agreed({ ...WEEKLY, customer: phone(21), amount: gbp(300) });
  d.h.bank.mood.funds = false;
  await d.h.runUntil('2026-03-03T12:00:00Z');
  const [group, ...others] = (await attention()).failing;
  assert.deepEqual(others, []);
  assert.deepEqual([group?.reason, group?.count, group?.value], ['insufficient_funds', 2, 1000]);
  assert.match(group?.message ?? '', /not enough money/);
  assert.deepEqual((await listed()).sort(), [poor.id, poorer.id].sort());
  assert.equal((await listed('&error_code=insufficient_funds')).length, 2);
  assert.deepEqual(await listed('&error_code=technical'), []);
  await d.h.update(poor.id, { status: 'cancelled' });
  const [left] = (await attention()).failing;
  assert.deepEqual(
    left?.schedules.map(({ schedule, amount }) => [schedule.id, amount.value]),
    [[poorer.id, 300]],
    'a cancelled schedule needs nobody',
  );
  assert.deepEqual(await listed('&sort=description'), [poorer.id]);
  d.h.bank.cheerUp();
  await d.h.runUntil('2026-03-10T12:00:00Z');
  assert.deepEqual((await attention()).failing, []);
  assert.deepEqual(await listed(), []);
});

test('a schedule goes on failing while a later collection is retried, in the list and on its page', async () => {
  const { id } = await d.h.agreed({ ...WEEKLY, customer: phone(22), max_retries: 1 });
  const isFailing = async () => {
    const list = await d.get<List<ScheduleItem>>('/api/v1/schedules?limit=50');
    const page: { is_failing: boolean } = await d.get(`/api/schedules/${id}/consent`);
    return [list.data.find((item) => item.id === id)?.shown.is_failing, page.is_failing];
  };
  assert.deepEqual(await isFailing(), [false, false]);
  d.h.bank.mood.funds = false;
  await d.h.runUntil('2026-03-17T12:00:00Z');
  assert.deepEqual(await isFailing(), [false, false], 'the first payment is to be retried');
  await d.h.runUntil('2026-03-24T12:00:00Z');
  assert.deepEqual(
    await isFailing(),
    [true, true],
    'the second is to be retried, the first is lost',
  );
  d.h.bank.cheerUp();
  await d.h.runUntil('2026-03-31T12:00:00Z');
  assert.deepEqual(await isFailing(), [false, false]);
});

test('a consent that has waited for a day is named with how long, until the customer decides', async () => {
  const since = d.h.clock.at;
  const first = await d.h.create({ customer: phone(10), description: 'Judo' });
  d.h.clock.at = d.h.clock.at.add({ hours: 1 });
  await d.h.create({ customer: phone(11), description: 'Karate' });
  d.h.clock.at = d.h.clock.at.add({ hours: 22, minutes: 59 });
  assert.equal((await attention()).consents.count, 0, 'customers have a day to answer');
  d.h.clock.at = d.h.clock.at.add({ minutes: 1 });
  assert.equal((await attention()).consents.count, 1);
  d.h.clock.at = d.h.clock.at.add({ hours: 1 });
  const { consents } = await attention();
  assert.equal(consents.count, 2);
  const [longest] = consents.waiting;
  assert.deepEqual(longest?.schedule, { id: first.id, description: 'Judo' });
  assert.deepEqual(longest?.customer.label, '+44 7700 900410');
  assert.equal(longest?.since, since.toString({ fractionalSecondDigits: 3 }));
  await d.h.decide(first.consent_url);
  assert.equal((await attention()).consents.count, 1);
});
