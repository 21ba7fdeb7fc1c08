import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '../../../sdk/src/webhooks/verify-webhook.ts';
import {
  newMerchant,
  startTestService,
  type TestService,
} from '../../../server/test-support/service.ts';
import { newSchedule } from '../acts.ts';
import { type Acts, monthly, stop, toTheFirst } from './act.ts';

/** Collects once for a merchant that is paid out to an account with this number, and lets so much time pass. */
async function settledTo(service: TestService, accountNumber: string, by: string) {
  const { apiKey } = await newMerchant(service.running, {
    settlementAccount: { sortCode: '089999', accountNumber, name: 'Fernhill Gym Ltd' },
  });
  const api: TestService['api'] = (method, path, body) =>
    service.api(method, path, body, { authorization: `Bearer ${apiKey}` });
  const list = async (path: string) => (await api<{ data: Listed[] }>('GET', path)).body.data;
  const { id } = await newSchedule({ ...service, api });
  await api('POST', `/sandbox/schedules/${id}/consent`, { decision: 'grant' });
  await toTheFirst(service);
  await api('PUT', `/api/v1/schedules/${id}`, { status: 'cancelled' });
  await service.advance(by);
  return {
    settlements: async () => (await list('/api/v1/settlements')).map(({ status }) => status),
    wallet: async () => (await list('/api/v1/wallets'))[0]?.balance?.value,
    /** The codes of the events that tell of failures. */
    failures: async () => {
      const events = await list('/api/v1/events?kind=settlement.failed');
      const bodies = events.map(async (event) => {
        const { body } = await api<{ body: string }>('GET', `/api/v1/events/${event.id}`);
        return Object(JSON.parse(body.body)).data.error.code;
      });
      return Promise.all(bodies);
    },
  };
}
interface Listed {
  id: string;
  status?: string;
  balance?: { value: number };
}

/** An endpoint beside the merchant's own, for one kind of event. */
async function endpointAt(service: TestService, url: string): Promise<string> {
  const { body } = await service.api<{ id: string }>('POST', '/api/v1/webhook_endpoints', {
    url,
    event_kinds: ['schedule.paused'],
  });
  return body.id;
}

interface EventBody {
  deliveries: { endpoint_id: string; status: string; attempts: { at: string }[] }[];
}

/** Causes an event that only such endpoints and the merchant's own get, and returns its id. */
async function pauseOne(service: TestService): Promise<string> {
  const { id } = await monthly(service, 'alex');
  await service.api('PUT', `/api/v1/schedules/${id}`, { status: 'paused' });
  const { body } = await service.api<{ data: { id: string }[] }>(
    'GET',
    `/api/v1/events?schedule_id=${id}&kind=schedule.paused`,
  );
  return body.data[0]?.id ?? assert.fail('no event');
}

/** Returns the minutes from the first attempt to each later one, of the delivery to an endpoint. */
async function minutesOf(
  service: TestService,
  eventId: string,
  endpointId: string,
): Promise<number[]> {
  const { body } = await service.api<EventBody>('GET', `/api/v1/events/${eventId}`);
  const delivery = body.deliveries.find((one) => one.endpoint_id === endpointId);
  const times = (delivery?.attempts ?? []).map(({ at }) => Date.parse(at));
  return times.slice(1).map((time) => Math.round((time - (times[0] ?? 0)) / 60_000));
}

const LADDER = [1, 6, 21, 51, 111];

const refused = async (
  service: TestService,
  [method, path, body, headers]: Parameters<TestService['api']>,
  status: number,
  code: string,
) => {
  const answer = await service.api<{ error: { code: string; details?: object } }>(
    method,
    path,
    body,
    headers,
  );
  assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
  return answer;
};

/** What happens to a merchant's own money, receiver and calls. */
export const MERCHANTS: Acts = {
  'A settlement fails': {
    '`99999999`': async (service) => {
      const { settlements, failures, wallet } = await settledTo(service, '99999999', 'P5D');
      const [tries, codes] = [await settlements(), await failures()];
      assert.deepEqual([...new Set(tries), ...new Set(codes)], ['failed', 'invalid_account']);
      assert.equal(await wallet(), 4999);
    },
    '`66666666`': async (service) => {
      const { settlements, failures } = await settledTo(service, '66666666', 'P5D');
      assert.deepEqual(
        [await settlements(), await failures()],
        [['success', 'failed'], ['account_closed']],
      );
    },
    '`77777777`': async (service) => {
      const { settlements, failures } = await settledTo(service, '77777777', 'P5D');
      assert.deepEqual([await settlements(), await failures()], [['success'], []]);
    },
    '`88888888`': async (service) => {
      const { settlements, failures } = await settledTo(service, '88888888', 'P5D');
      assert.deepEqual([await settlements(), await failures()], [['success'], []]);
    },
    '`55555555`': async (service) => {
      const { settlements, failures } = await settledTo(service, '55555555', 'P8D');
      assert.deepEqual([await settlements(), await failures()], [['failed'], ['payout_returned']]);
    },
  },
  'Your receiver fails': {
    'answer 500, or 204': async (service) => {
      for (const status of [500, 204]) {
        service.receiver.always = status;
        const eventId = await pauseOne(service);
        await service.advance('PT2H');
        service.receiver.always = null;
        assert.deepEqual(await minutesOf(service, eventId, service.endpointId), LADDER);
      }
    },
    'answer nothing for 10 seconds': async (service) => {
      const silent = createServer(() => undefined);
      await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
      const { port } = silent.address() as AddressInfo;
      const endpointId = await endpointAt(service, `http://127.0.0.1:${port}/`);
      const eventId = await pauseOne(service);
      await service.advance('PT2H');
      silent.closeAllConnections();
      silent.close();
      assert.deepEqual(await minutesOf(service, eventId, endpointId), LADDER);
      await service.api('DELETE', `/api/v1/webhook_endpoints/${endpointId}`);
    },
    'stop it for a day': async (service) => {
      service.receiver.always = 503;
      const from = service.now().toString();
      const eventId = await pauseOne(service);
      await service.advance('P1D');
      service.receiver.always = null;
      const { body } = await service.api<{ data: { id: string }[] }>(
        'GET',
        '/api/v1/events?delivery=undelivered&limit=100',
      );
      assert.ok(body.data.some(({ id }) => id === eventId));
      const before = service.receiver.received.length;
      const replayed = await service.api('POST', '/api/v1/events/replay', {
        endpoint_id: service.endpointId,
        from,
        to: service.now().toString(),
      });
      assert.equal(replayed.status, 200, JSON.stringify(replayed.body));
      await service.advance('PT1M');
      assert.ok(service.receiver.received.length > before);
    },
    'change one byte of a body before you verify it': async (service) => {
      const { raw, headers } = service.receiver.received.at(-1) ?? assert.fail('no webhook');
      const verify = (body: string) =>
        verifyWebhook({ payload: body, headers, secret: service.webhookSecret });
      await verify(raw);
      await assert.rejects(async () => verify(raw.replace('{', '{ ')));
    },
  },
  'Your calls fail': {
    'send an amount of 0': async (service) => {
      const { body } = await refused(
        service,
        ['POST', '/api/v1/schedules', { amount: { value: 0, currency: 'GBP' } }],
        400,
        'invalid_request',
      );
      assert.ok(Object.hasOwn(body.error.details ?? {}, 'amount.value'));
    },
    'send no key': (service) =>
      refused(
        service,
        ['GET', '/api/v1/schedules', undefined, { authorization: '' }],
        401,
        'unauthorized',
      ),
    'read an id of another merchant': async (service) => {
      const { id } = await newSchedule(service);
      const { apiKey } = await newMerchant(service.running);
      const headers = { authorization: `Bearer ${apiKey}` };
      await refused(
        service,
        ['GET', `/api/v1/schedules/${id}`, undefined, headers],
        404,
        'not_found',
      );
    },
    'repeat an `Idempotency-Key` with another body': async (service) => {
      const headers = { 'idempotency-key': 'the-same' };
      const send = (event_kinds: string[]): Parameters<TestService['api']> => [
        'POST',
        '/api/v1/webhook_endpoints',
        { url: service.receiver.url, event_kinds },
        headers,
      ];
      assert.equal((await service.api(...send(['schedule.resumed']))).status, 200);
      await refused(service, send(['schedule.cancelled']), 409, 'idempotency_conflict');
    },
    'resume a schedule that waits for consent': async (service) => {
      const { id } = await newSchedule(service);
      const path = `/api/v1/schedules/${id}`;
      await refused(service, ['PUT', path, { status: 'active' }], 409, 'consent_required');
    },
    'update a cancelled schedule': async (service) => {
      const schedule = await newSchedule(service);
      await stop(service, schedule);
      const path = `/api/v1/schedules/${schedule.id}`;
      await refused(service, ['PUT', path, { description: 'Other' }], 409, 'schedule_cancelled');
    },
    'call more than 1,000 times in a minute': async () => {
      const limited = await startTestService({ env: { RATE_LIMIT_PER_MINUTE: '1000' } });
      try {
        for (let calls = 1; calls <= 1000; calls += 50)
          await Promise.all(
            Array.from({ length: 50 }, () => limited.api('GET', '/api/v1/merchant')),
          );
        const { status, headers } = await limited.api('GET', '/api/v1/merchant');
        assert.equal(status, 429);
        assert.ok(Number(headers['retry-after']) > 0);
      } finally {
        await limited.close();
      }
    },
  },
};
