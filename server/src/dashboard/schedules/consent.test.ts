import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { MerchantSide } from '../../../test-support/harness.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import type { List } from '../../platform/http/lists/page.ts';
import type { ScheduleItem } from './list-view.ts';
import type { ScheduleConsent, TimelineList } from './view.ts';

let d: TestDashboard;
let sharing: MerchantSide;
before(async () => {
  d = await openDashboard('2026-01-05T09:30:00Z');
  sharing = await d.h.merchant({ reuseConsent: true });
});
after(() => d.close());

const consentOf = (id: string, merchantId?: string): Promise<ScheduleConsent> =>
  d.get<ScheduleConsent>(`/api/schedules/${id}/consent`, merchantId);

test('before the customer decides there is a link, the one that the API shows, and until when', async () => {
  const schedule = await d.h.create();
  const shown = await consentOf(schedule.id);
  assert.equal(shown.link?.url, schedule.consent_url);
  assert.equal(shown.link?.expires_at, '2026-01-12T09:30:00.000Z');
  assert.equal(shown.agreement, null);
  assert.deepEqual(
    shown.history.map(({ status, bank, granted_at }) => [status, bank, granted_at]),
    [['pending', null, null]],
  );
});

test('a customer without an address that this service can use is said not to be reachable', async () => {
  const isReachable = async (email: string | null): Promise<boolean> => {
    const value = email === null ? '+447700900801' : '+447700900802';
    const { id } = await d.h.create({ customer: { type: 'phone', value, email } });
    return (await consentOf(id)).is_reachable;
  };
  assert.deepEqual(
    [await isReachable(null), await isReachable('alex@home.example')],
    [false, true],
  );
});

test('what was agreed is shown with its limits, and how far each is used in its present period', async () => {
  const { id } = await d.h.agreed();
  const bank = { id: d.h.bank.bankId, name: `Bank ${d.h.bank.bankId}` };
  const fresh = await consentOf(id);
  assert.equal(fresh.link, null);
  assert.deepEqual(fresh.agreement?.bank, bank);
  assert.ok(fresh.agreement?.bank_consent_id);
  assert.deepEqual(fresh.agreement?.schedules, [id]);
  assert.equal(fresh.agreement?.valid_to, null);
  const [payment, month] = fresh.agreement?.limits ?? [];
  assert.deepEqual(payment, {
    period: 'payment',
    amount: 4999,
    alignment: null,
    used: null,
    planned: null,
    left: null,
    from: null,
    to: null,
  });
  assert.deepEqual(month, {
    period: 'month',
    amount: 4999,
    alignment: 'consent',
    used: 0,
    planned: 4999,
    left: 4999,
    from: '2026-01-05T00:00:00.000Z',
    to: '2026-02-04T23:59:59.999Z',
  });
  await d.h.runUntil('2026-01-10T12:00:00Z');
  const used = (await consentOf(id)).agreement?.limits[1];
  assert.deepEqual([used?.used, used?.planned, used?.left], [4999, 0, 0]);
  await d.h.runUntil('2026-02-10T08:00:00Z');
  const next = (await consentOf(id)).agreement?.limits[1];
  assert.deepEqual([next?.used, next?.left, next?.from], [0, 4999, '2026-02-05T00:00:00.000Z']);
});

test('while a raise waits there are both, the link and what still holds; then the old one is history', async () => {
  const { id } = await d.h.agreed({ start_date: d.h.clock.at.add({ hours: 240 }).toString() });
  const raised = await d.h.update(id, { amount: { value: 9999, currency: 'GBP' } });
  const both = await consentOf(id);
  assert.equal(both.link?.url, raised.consent_url);
  assert.equal(both.agreement?.limits[0]?.amount, 4999);
  assert.equal(both.live?.amount.value, 4999, 'what is collected meanwhile');
  const [waiting] = (await d.get<List<ScheduleItem>>(`/api/v1/schedules?q=${id}`)).data;
  assert.deepEqual(
    [waiting?.shown.terms.amount.value, waiting?.shown.asked?.amount.value],
    [4999, 9999],
  );
  await d.h.decide(raised.consent_url);
  const after = await consentOf(id);
  assert.deepEqual([after.link, after.live], [null, null]);
  const [agreed] = (await d.get<List<ScheduleItem>>(`/api/v1/schedules?q=${id}`)).data;
  assert.deepEqual([agreed?.shown.terms.amount.value, agreed?.shown.asked], [9999, null]);
  assert.equal(after.agreement?.limits[0]?.amount, 9999);
  assert.deepEqual(
    after.history.map((consent) => consent.status),
    ['granted', 'replaced'],
  );
  assert.ok(after.history[1]?.ended_at);
  await d.h.update(id, { status: 'cancelled' });
  const over = await consentOf(id);
  assert.deepEqual([over.link, over.agreement], [null, null]);
  assert.deepEqual(
    over.history.map((consent) => consent.status),
    ['revoked', 'replaced'],
  );
});

test('schedules that share a consent all show it, with what each of them used', async () => {
  const { merchantId } = sharing;
  const start_date = d.h.clock.at.add({ hours: 24 }).toString();
  const first = await sharing.agreed({ start_date, end_date: null });
  await sharing.update(first.id, { amount: { value: 1000, currency: 'GBP' } });
  const second = await sharing.create({ start_date, amount: { value: 2000, currency: 'GBP' } });
  assert.equal(second.status, 'active', 'covered by the first one’s consent');
  await d.h.runUntil(d.h.clock.at.add({ hours: 25 }));
  const [one, two] = [
    await consentOf(first.id, merchantId),
    await consentOf(second.id, merchantId),
  ];
  assert.deepEqual(two.agreement, one.agreement);
  assert.deepEqual(two.agreement?.schedules, [first.id, second.id].sort());
  assert.equal(two.agreement?.limits[1]?.used, 3000);
  assert.equal(two.history[0]?.status, 'granted');
});

test('where reused consents do not help, the timeline says why', async () => {
  const { merchantId } = sharing;
  const customer = { type: 'phone', value: '+447700900777' } as const;
  const whyOf = async (id: string) => {
    const { data } = await d.get<TimelineList>(`/api/schedules/${id}/timeline`, merchantId);
    return data.find(({ to }) => to === 'pending_consent')?.reason;
  };
  const first = await sharing.create({ customer });
  assert.match((await whyOf(first.id)) ?? '', /this customer has granted you no consent yet$/);
  await d.h.decide(first.consent_url);
  const more = await sharing.create({ customer, amount: { value: 900_000, currency: 'GBP' } });
  assert.equal(more.status, 'pending_consent');
  assert.match(
    (await whyOf(more.id)) ?? '',
    /a new consent is needed: the consent of this customer does not cover it, because /,
  );
});

test('a link that ran out is no link, and another merchant’s consent does not exist', async () => {
  const { id } = await d.h.create();
  const path = `/api/schedules/${id}/consent`;
  assert.equal((await d.refused('GET', path, undefined, sharing.merchantId)).status, 404);
  d.h.clock.at = d.h.clock.at.add({ hours: 24 * 31 });
  const late = await consentOf(id);
  assert.equal(late.link, null);
  assert.equal(late.history[0]?.status, 'pending', 'nobody has noted it yet');
});

test('a yearly schedule names its month in the list, on its page and on its timeline', async () => {
  const yearly = 'every year on 15 March';
  const { id } = await d.h.agreed({
    frequency: { type: 'yearly', day: 15 },
    start_date: '2027-03-15T09:00:00Z',
  });
  await d.h.update(id, { amount: { value: 3_999, currency: 'GBP' } });
  const { data } = await d.get<TimelineList>(`/api/schedules/${id}/timeline`);
  const change = data.find(({ to }) => to === 'terms_changed');
  assert.match(change?.reason ?? '', /^£39\.99 every year on 15 March; /);
  const list = await d.get<List<ScheduleItem>>(`/api/v1/schedules?q=${id}`);
  assert.deepEqual(
    list.data.map(({ shown }) => shown.terms.frequency_text),
    [yearly],
  );
  const page = await consentOf(id);
  assert.deepEqual([page.frequency_text, page.consented_frequency_text], [yearly, yearly]);
});
