import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { readPrometheusText, sampleOf } from '../../server/test-support/prometheus-text.ts';
import {
  type Answer,
  startTestService,
  type TestService,
} from '../../server/test-support/service.ts';
import { grantedSchedule, type ScheduleBody } from './acts.ts';

// Four connections: two for requests, on which eight are worked on at once, and two for collections.

const CARRIED = 8;
const SCHEDULES = 6;
const PATIENCE_MS = 120_000;

let service: TestService;
let schedules: ScheduleBody[];

before(async () => {
  service = await startTestService({
    env: { ROLES: 'api,portal,engine', DATABASE_CONNECTIONS: '4' },
  });
  schedules = [];
  const money = (value: number) => ({ value, currency: 'GBP' });
  for (let i = 0; i < SCHEDULES; i++)
    schedules.push(
      await grantedSchedule(service, 'alex', {
        limits: { per_payment: money(4999), per_period: money(49_990) },
      }),
    );
  await service.advance('2026-02-02T12:00:00Z'); // the period of the limits has begun
});
after(() => service?.close());

/** Asks for a list again and again, whatever the answer is, until `isOver`. */
async function keepListing(isOver: () => boolean, answers: Answer[]): Promise<void> {
  while (!isOver()) answers.push(await service.api('GET', '/api/v1/payments?limit=100'));
}

async function successes(): Promise<number> {
  const row = await service.db.read((tx) =>
    tx.row<{ count: number }>(
      `SELECT count(*)::int AS count FROM payments WHERE status = 'success'`,
    ),
  );
  return row?.count ?? 0;
}

const metrics = async () => {
  const { body } = await request(`${service.running.operatorUrl}/metrics`);
  return readPrometheusText(await body.text());
};

test('Under ten times the load, lists are refused early while changes are made and collections go on', async () => {
  const before = await successes();
  let isOver = false;
  const lists: Answer[] = [];
  const readers = Array.from({ length: CARRIED * 10 }, () => keepListing(() => isOver, lists));
  const payment = { amount: { value: 100, currency: 'GBP' } };
  const changes = await Promise.all(
    schedules.map(({ id }) => service.api('POST', `/api/v1/schedules/${id}/payments`, payment)),
  );
  const deadline = performance.now() + PATIENCE_MS;
  while ((await successes()) - before < SCHEDULES && performance.now() < deadline) await sleep(50);
  const collected = (await successes()) - before;
  const shown = await metrics();
  isOver = true;
  await Promise.all(readers);

  assert.equal(collected, SCHEDULES, 'every payment is collected while the load lasts');
  assert.deepEqual(new Set(changes.map(({ status }) => status)), new Set([200]));
  const refused = lists.filter(({ status }) => status !== 200);
  assert.ok(
    refused.length > 0 && refused.length < lists.length,
    `${refused.length} of ${lists.length}`,
  );
  for (const { status, headers, body } of refused) {
    assert.deepEqual([status, Object(body.error).code], [503, 'service_unavailable']);
    assert.ok(Number(headers['retry-after']) >= 1);
  }
  const count = (work: string) => sampleOf(shown, 'recollect_http_refused_total', { work }) ?? 0;
  assert.ok(count('reads') > 0);
  assert.deepEqual([count('changes'), count('collections')], [0, 0]);
  const waiting = sampleOf(shown, 'recollect_http_work', { work: 'reads', state: 'waiting' });
  assert.ok(waiting !== null && waiting <= CARRIED * 3, `${waiting} wait`);
});
