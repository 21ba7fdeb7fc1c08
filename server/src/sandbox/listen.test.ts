import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Recollect, verifyWebhook } from '@recollect/sdk';
import { type Receiver, startReceiver } from '../../test-support/receiver.ts';
import { startTestService, type TestService } from '../../test-support/service.ts';
import { until } from '../../test-support/until.ts';
import { trigger } from '../app/cli/sandbox/trigger.ts';
import { type Forwarded, forwardUrl, kindsOf, listen } from './listen.ts';

let service: TestService;
let client: Recollect;
let mine: Receiver;

before(async () => {
  service = await startTestService({ env: { ROLES: 'api,portal,engine' } });
  client = new Recollect({ apiKey: service.apiKey, baseUrl: service.baseUrl });
  mine = await startReceiver();
});
after(async () => {
  await mine.close();
  await service.close();
});

test('what is triggered is forwarded with signatures that verify, and the endpoint goes when it ends', async () => {
  const reports: Forwarded[] = [];
  const listening = await listen({
    client,
    forwardTo: mine.url,
    kinds: ['schedule.setup_failed', 'collection.failed'],
    report: (forwarded) => reports.push(forwarded),
  });
  const failed = await trigger(client, 'collection.failed');
  await until('it is forwarded', () => reports.length > 0);
  assert.deepEqual(
    [reports[0]?.event, reports[0]?.eventId, reports[0]?.status],
    ['collection.failed', failed.eventId, 200],
  );
  const [{ raw, headers } = assert.fail('nothing arrived')] = mine.received;
  const webhook = await verifyWebhook({ payload: raw, headers, secret: listening.secret });
  assert.equal(webhook.id, failed.eventId);
  mine.answers.push(500);
  await trigger(client, 'schedule.setup_failed');
  await until('the refusal is reported', () => reports.length > 1);
  assert.equal(reports[1]?.status, 500);
  const { total: before = 0 } = await client.webhookEndpoints.list();
  await listening.close();
  assert.equal((await client.webhookEndpoints.list()).total, before - 1);
});

test('a URL where nobody listens is reported, and the webhook is tried again', async () => {
  const reports: Forwarded[] = [];
  const listening = await listen({
    client,
    forwardTo: 'http://127.0.0.1:1/',
    kinds: ['schedule.setup_success'],
    report: (forwarded) => reports.push(forwarded),
  });
  const { eventId } = await trigger(client, 'schedule.setup_success');
  await until('it is reported', () => reports.length > 0);
  assert.equal(reports[0]?.status, null);
  assert.match(reports[0]?.problem ?? '', /ECONNREFUSED/);
  const own = async () =>
    (await client.events.get(eventId ?? '')).deliveries.find(
      ({ endpoint_url: url }) => !url.startsWith(service.receiver.url),
    );
  // It is reported before the service has the answer and records it.
  await until('the attempt is recorded', async () => ((await own())?.attempts.length ?? 0) > 0);
  const delivery = await own();
  assert.deepEqual([delivery?.status, delivery?.attempts[0]?.response_status], ['pending', 502]);
  await listening.close();
});

test('a list of events is read, and unknown ones are named', () => {
  assert.deepEqual(kindsOf('collection.success, consent.revoked'), {
    kinds: ['collection.success', 'consent.revoked'],
  });
  assert.deepEqual(kindsOf('collection.success,moon.rises'), { unknown: ['moon.rises'] });
});

test('an address without a scheme is http, and a port alone is one of this machine', () => {
  for (const [typed, url] of [
    ['localhost:4242', 'http://localhost:4242'],
    ['localhost:4242/webhooks?a=1&b=2', 'http://localhost:4242/webhooks?a=1&b=2'],
    ['127.0.0.1:4242', 'http://127.0.0.1:4242'],
    ['[::1]:4242/x', 'http://[::1]:4242/x'],
    ['my-app.test/hooks', 'http://my-app.test/hooks'],
    ['4242', 'http://localhost:4242'],
    [':4242/webhooks', 'http://localhost:4242/webhooks'],
    ['https://example.com/', 'https://example.com/'],
  ] as const)
    assert.equal(forwardUrl(typed), url, typed);
  for (const typed of [
    '',
    'ftp://x',
    'mailto:a@b',
    'localhost:99999',
    'file:///x',
    'http:/x',
    'a b:1',
  ])
    assert.equal(forwardUrl(typed), null, typed);
});
