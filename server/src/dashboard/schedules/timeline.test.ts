import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { MerchantSide } from '../../../test-support/harness.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import { createEndpoint, updateEndpoint } from '../../webhooks/service.ts';
import type { TimelineEntry, TimelineList } from './view.ts';

let d: TestDashboard;
let other: MerchantSide;
before(async () => {
  d = await openDashboard();
  other = await d.h.merchant();
});
after(() => d.close());

const timeline = (id: string, query = ''): Promise<TimelineList> =>
  d.get<TimelineList>(`/api/schedules/${id}/timeline?limit=100${query}`);
const titles = ({ data }: TimelineList): string[] => data.map((entry) => entry.title);

test('the life of a schedule is told from the latest to the first, with what was told to the merchant', async () => {
  const { id } = await d.h.agreed();
  await d.h.runUntil('2026-01-11T09:00:00Z');
  const told = await timeline(id);
  assert.equal(told.next_cursor, undefined);
  assert.deepEqual(titles(told), [
    'Webhook: payment collected',
    'The payment was collected',
    'The collection began',
    'A payment fell due',
    'Webhook: schedule set up',
    'The schedule became active',
    'The consent was granted',
    'The customer approved at their bank',
    'The customer went to their bank',
    'The customer was asked for consent',
    'The schedule was created and is waiting for the customer’s consent',
  ]);
  const [latest, change] = told.data;
  assert.equal(latest?.kind, 'event');
  assert.equal(latest?.object, 'payment');
  assert.equal(latest?.event?.kind, 'collection.success');
  assert.equal(latest?.event?.delivery, 'no_endpoint');
  assert.deepEqual(
    [change?.kind, change?.object, change?.from, change?.to, change?.reason, change?.event],
    ['state_change', 'payment', 'processing', 'success', 'the money is in your wallet', null],
  );
  assert.equal(change?.object_id, latest?.object_id);
});

test('pages of any size tell the same story, each thing once', async () => {
  const { id } = await d.h.agreed({ start_date: d.h.clock.at.add({ hours: 1 }).toString() });
  await d.h.runUntil(d.h.clock.at.add({ hours: 24 * 35 }));
  const whole = await timeline(id);
  for (const limit of [1, 3, 7]) {
    const entries: TimelineEntry[] = [];
    let after: string | undefined = 'start';
    for (let page = 0; page < 100 && after !== undefined; page++) {
      const query: string = `&after=${after}`;
      const answer: TimelineList = await d.get(
        `/api/schedules/${id}/timeline?limit=${limit}${query}`,
      );
      entries.push(...answer.data);
      after = answer.next_cursor;
    }
    assert.deepEqual(entries, whole.data);
  }
});

test('a failure says why in words, and the retry that follows', async () => {
  const start = d.h.clock.at.add({ hours: 1 });
  const { id } = await d.h.agreed({ start_date: start.toString() });
  d.h.bank.mood.funds = false;
  await d.h.runUntil(start.add({ hours: 1 }));
  const [event, change] = (await timeline(id)).data;
  assert.equal(event?.title, 'Webhook: payment failed');
  assert.equal(change?.title, 'The payment is waiting for a retry');
  assert.equal(change?.reason, 'there was not enough money in the customer’s account');
  d.h.bank.cheerUp();
  await d.h.runUntil(start.add({ hours: 48 }));
  assert.ok(titles(await timeline(id)).includes('The payment was collected'));
});

test('a change of the terms is told with what was asked for and what becomes of it', async () => {
  const { id } = await d.h.agreed({ amount: { value: 4_999, currency: 'GBP' } });
  await d.h.update(id, { amount: { value: 3_999, currency: 'GBP' } });
  await d.h.update(id, { amount: { value: 5_999, currency: 'GBP' } });
  const { data } = await d.get<TimelineList>(`/api/schedules/${id}/timeline`);
  const told = data
    .filter(({ to }) => to === 'terms_changed')
    .map(({ title, reason }) => [title, reason]);
  assert.equal(told.length, 2);
  assert.match(String(told[0]?.[1]), /^£59\.99 every month on the 10th; a new consent is needed: /);
  assert.deepEqual(told[1], [
    'The terms were changed',
    '£39.99 every month on the 10th; the consent allows it',
  ]);
});

test('an event says how its delivery stands', async () => {
  const { id } = await d.h.create();
  const { platform, clock, merchantId, db } = d.h;
  const asked = <T>(
    work: (asked: Parameters<typeof createEndpoint>[1]) => Promise<T>,
  ): Promise<T> => db.transaction((tx) => work({ tx, now: clock.at, merchantId }));
  const made = await asked((a) =>
    createEndpoint(platform, a, {
      url: 'http://127.0.0.1:9/',
      eventKinds: ['schedule.cancelled', 'schedule.paused'],
    }),
  );
  const endpointId = made.endpoint.endpointId;
  await d.h.update(id, { status: 'paused' });
  const delivery = async (): Promise<(string | undefined)[]> =>
    (await timeline(id)).data
      .filter((entry) => entry.kind === 'event')
      .map((entry) => entry.event?.delivery);
  assert.deepEqual(await delivery(), ['pending'], 'not handed over yet');
  await d.h.runUntil(clock.at);
  assert.deepEqual(await delivery(), ['pending'], 'nobody answered yet');
  await asked((a) => updateEndpoint(platform, a, endpointId, { status: 'disabled' }));
  assert.deepEqual(await delivery(), ['held']);
  await db.transaction((tx) =>
    tx.run(`UPDATE deliveries SET status = 'delivered' WHERE endpoint_id = $1`, [endpointId]),
  );
  assert.deepEqual(await delivery(), ['delivered']);
});

test('another merchant’s schedule has no timeline, and a broken cursor is refused', async () => {
  const { id } = await d.h.create();
  const path = `/api/schedules/${id}/timeline`;
  assert.equal((await d.refused('GET', path, undefined, other.merchantId)).status, 404);
  const broken = await d.refused('GET', `${path}?after=abc`);
  assert.equal(broken.status, 400);
  assert.match(broken.body.message, /^after: /);
  for (const event of [-3_000_000_000, 3_000_000_000]) {
    const { next_cursor = '' } = await d.get<TimelineList>(`${path}?limit=1`);
    const [list] = JSON.parse(Buffer.from(next_cursor, 'base64url').toString()) as [string];
    const beyond = JSON.stringify([list, Number.MAX_SAFE_INTEGER, event]);
    await d.get(`${path}?after=${Buffer.from(beyond).toString('base64url')}`);
  }
  assert.equal((await d.refused('GET', '/api/schedules/sch_x/timeline')).status, 404);
});
