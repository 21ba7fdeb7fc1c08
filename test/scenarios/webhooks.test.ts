import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { validate } from '@scalar/openapi-parser';
import { request } from 'undici';
import type { Happening } from '../../server/src/sandbox/happening.ts';
import { EVENT_KINDS, TEST_EVENT_KIND } from '../../server/src/webhooks/endpoint.ts';
import { isGenuine } from '../../server/test-support/receiver.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { grantedSchedule, newSchedule, webhooksOf } from './acts.ts';

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service?.close());

type Attempt = Extract<Happening, { kind: 'delivery_attempt' }>;
const attemptsIn = (happened: readonly Happening[]): Attempt[] =>
  happened.filter((one) => one.kind === 'delivery_attempt');

const statuses = (attempts: readonly Attempt[]): (number | null)[] =>
  attempts.map((one) => one.response_status);

/** Minutes between attempts. */
const waits = (attempts: readonly Attempt[]): number[] =>
  attempts.slice(1).map((one, i) => {
    const before = Temporal.Instant.from(attempts[i]?.at ?? one.at);
    return Temporal.Instant.from(one.at).since(before).total('minutes');
  });

test('A receiver that fails is tried again after 1, 5, 15, 30 and 60 minutes, then no more', async () => {
  service.receiver.always = 503;
  const schedule = await grantedSchedule(service, 'alex');
  const { happened } = await service.advance('PT6H');
  const attempts = attemptsIn(happened);
  assert.deepEqual(waits(attempts), [1, 5, 15, 30, 60]);
  assert.deepEqual(
    attempts.map((one) => one.response_status),
    Array(6).fill(503),
  );
  assert.match(attempts[0]?.error ?? '', /503/);
  service.receiver.always = null;
  await service.advance('P1D');
  assert.equal(webhooksOf(service, schedule.id).length, 6);
});

test('Every attempt is signed afresh under one event id', () => {
  const { received } = service.receiver;
  assert.ok(received.every((one) => isGenuine(one, service.webhookSecret)));
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1);
  const times = received.map(({ headers }) => String(headers['x-sandbox-time']));
  assert.equal(new Set(times).size, 6);
});

test('Only 200 acknowledges; a receiver that recovers gets each event with its next try', async () => {
  service.receiver.received.length = 0;
  service.receiver.answers.push(204, 302);
  const schedule = await newSchedule(service);
  await service.deny(schedule.id);
  const { happened } = await service.advance('P1D');
  const byEvent = Map.groupBy(attemptsIn(happened), (one) => one.event_id);
  const [failed = [], cancelled = []] = byEvent.values();
  assert.deepEqual(statuses(failed), [204, 200]);
  assert.match(failed[0]?.error ?? '', /only 200 acknowledges/);
  assert.deepEqual(statuses(cancelled), [302, 200]);
  assert.deepEqual([waits(failed), waits(cancelled)], [[1], [1]]);
});

test('What did not arrive is one question, and can be sent again', async () => {
  const path = '/api/v1/events?delivery=undelivered';
  const before = await service.api<{ data: { id: string }[]; total: number }>('GET', path);
  assert.equal(before.body.total, 1);
  const again = await service.api('POST', `/api/v1/events/${before.body.data[0]?.id}/resend`, {});
  assert.equal(again.status, 200, JSON.stringify(again.body));
  await service.advance('PT1M');
  assert.equal((await service.api<{ total: number }>('GET', path)).body.total, 0);
});

test('The API’s own documentation shows every webhook with its headers, and that it wants no API key', async () => {
  const text = await (await request(`${service.baseUrl}/openapi.json`)).body.text();
  assert.deepEqual((await validate(text)).errors ?? [], []);
  const { webhooks } = JSON.parse(text) as {
    webhooks: Record<string, { post: { parameters: { name: string }[]; security: object[] } }>;
  };
  assert.deepEqual(Object.keys(webhooks).toSorted(), [...EVENT_KINDS, TEST_EVENT_KIND].toSorted());
  const sent = Object.keys(service.receiver.received.at(-1)?.headers ?? {});
  for (const { post } of Object.values(webhooks)) {
    const names = post.parameters.map(({ name }) => name.toLowerCase());
    assert.deepEqual(
      names.filter((name) => !sent.includes(name)),
      [],
    );
    assert.deepEqual(post.security, []);
  }
});
