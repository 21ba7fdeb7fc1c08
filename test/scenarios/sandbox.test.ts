import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { whileAdvancing } from '../../server/src/sandbox/advance-lock.ts';
import {
  newMerchant,
  startTestService,
  type TestService,
} from '../../server/test-support/service.ts';
import { grantedSchedule, newSchedule, paymentOf } from './acts.ts';

// What only a sandbox offers: the clock, its customers and their accounts, over HTTP.

interface Refusal {
  error: { code: string; message: string; details?: Record<string, string> };
}
interface AccountBody {
  account: string;
  account_number: string;
  balance: number;
  behaviour: string;
  summary: string;
}

let service: TestService;

before(async () => {
  service = await startTestService({ start: '2026-03-20T09:00:00Z' });
});
after(() => service?.close());

const advance = (body: unknown) => service.api<Refusal>('POST', '/sandbox/clock/advance', body);

test('Strangers are turned away, and other methods too', async () => {
  const headers = { authorization: 'Bearer rk_test_nobody' };
  const stranger = await service.api<Refusal>('GET', '/sandbox/clock', undefined, headers);
  assert.deepEqual([stranger.status, stranger.body.error.code], [401, 'unauthorized']);
  assert.equal((await service.api('DELETE', '/sandbox/clock')).status, 405);
  assert.match(String(stranger.headers['x-request-id']), /^req_/);
});

test('A body that cannot be taken is refused with the field that is wrong', async () => {
  const wrong: [unknown, string][] = [
    [{}, 'by'],
    [{ by: 'P1D', to: '2026-04-01T00:00:00Z' }, 'by'],
    [{ by: 'a month' }, 'by'],
    [{ by: '-P1D' }, 'by'],
    [{ by: 'P5Y1D' }, 'by'],
    [{ by: 'P999999999Y' }, 'by'],
    [{ to: '2026-04-01T09:00:00' }, 'to'],
    [{ to: '2026-03-01T09:00:00Z' }, 'to'],
    [{ to: '2040-03-01T09:00:00Z' }, 'to'],
    [{ by: 'P1D', at: 'once' }, 'at'],
    [{ by: 5 }, 'by'],
  ];
  for (const [body, field] of wrong) {
    const answer = await advance(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.deepEqual(Object.keys(answer.body.error.details ?? {}), [field], JSON.stringify(body));
  }
  const form = await request(`${service.baseUrl}/sandbox/clock/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'text/plain' },
    body: 'by=P1D',
  });
  await form.body.dump();
  assert.equal(form.statusCode, 415);
});

test('A month keeps the time of day when the clocks change', async () => {
  const before = service.now().toZonedDateTimeISO('Europe/London');
  const { to } = await service.advance('P1M');
  const now = Temporal.Instant.from(to).toZonedDateTimeISO('Europe/London');
  assert.equal(now.hour, before.hour);
  assert.notEqual(now.offset, before.offset);
});

test('A long move is stopped where it is, says so, and the next one goes on from there', async () => {
  await grantedSchedule(service, 'alex', { frequency: { type: 'daily' } });
  const from = service.now();
  const moving = service.api<{ to: string; stopped: boolean }>('POST', '/sandbox/clock/advance', {
    by: 'P4Y',
  });
  for (let waits = 0; service.now().since(from).total('hours') < 24; waits++) {
    assert.ok(waits < 6_000, 'the clock moves');
    await sleep(10);
  }
  assert.equal((await service.api('POST', '/sandbox/clock/stop')).status, 200);
  const { body } = await moving;
  const days = Temporal.Instant.from(body.to).since(from).total('hours') / 24;
  assert.ok(body.stopped && days < 365, `stopped after ${days} days`);
  const on = await service.api<{ stopped: boolean }>('POST', '/sandbox/clock/advance', {
    by: 'P1D',
  });
  assert.equal(on.body.stopped, false);
});

test('Only one moves the clock at a time', async () => {
  const { db } = service.running.platform;
  await whileAdvancing(db, async () => {
    const refused = await advance({ by: 'P7D' });
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'clock_busy']);
    assert.deepEqual((await service.api('GET', '/sandbox/clock')).status, 200);
  });
  assert.deepEqual((await service.api('GET', '/sandbox/clock')).body.advancing, false);
});

test('Each of two who move the clock at one moment moves it from where it then is, or is told to wait', async () => {
  const before = service.now();
  const both = await Promise.all([advance({ by: 'P7D' }), advance({ by: 'P7D' })]);
  const statuses = both.map(({ status }) => status).toSorted();
  assert.ok(['200,409', '200,200'].includes(statuses.join()), statuses.join());
  const weeks = statuses.filter((status) => status === 200).length;
  const moved = service.now().since(before).total({ unit: 'days' });
  assert.equal(Math.round(moved / 7), weeks);
});

test('A merchant hears of its own schedules only', async () => {
  const other = await newMerchant(service.running);
  const headers = { authorization: `Bearer ${other.apiKey}` };
  const schedule = await grantedSchedule(service, 'alex', { frequency: { type: 'daily' } });
  const path = `/sandbox/schedules/${schedule.id}/consent`;
  const decided = await service.api('POST', path, { decision: 'deny', account: 'alex' }, headers);
  assert.equal(decided.status, 404);
  const moved = await service.api<{ happened: unknown[] }>(
    'POST',
    '/sandbox/clock/advance',
    { by: 'P1D' },
    headers,
  );
  assert.deepEqual(moved.body.happened, []);
  assert.equal((await paymentOf(service, schedule.id)).status, 'success');
});

test('The documented customers are listed with what they do, and their accounts can be changed', async () => {
  const listed = await service.api<{ banks: { bank_id: string; accounts: AccountBody[] }[] }>(
    'GET',
    '/sandbox/accounts',
  );
  assert.deepEqual(
    listed.body.banks.map((bank) => bank.bank_id),
    [
      'northbank',
      'millrace',
      'harbour',
      'saltmarsh',
      'pennyfield',
      'tollgate',
      'fogdale',
      'hollowell',
      'larkfield',
      'greystone',
      'whitecliff',
      'ravenhall',
    ],
  );
  const nina = listed.body.banks[0]?.accounts.find(({ account }) => account === 'nina');
  assert.equal(nina?.balance, 0);

  const path = '/sandbox/accounts/northbank';
  const rich = await service.api<AccountBody>('PUT', `${path}/nina`, {
    balance: 70_000,
    behaviour: 'slow',
  });
  assert.deepEqual([rich.body.balance, rich.body.behaviour], [70_000, 'slow']);
  assert.match(rich.body.summary, /four hours/);
  const back = await service.api<AccountBody>('PUT', `${path}/${nina?.account_number}`, {
    behaviour: 'normal',
  });
  assert.deepEqual([back.body.balance, back.body.behaviour], [70_000, 'normal']);

  const refused = await service.api<Refusal>('PUT', `${path}/nina`, { behaviour: 'moody' });
  assert.deepEqual(
    [refused.status, Object.keys(refused.body.error.details ?? {})],
    [400, ['behaviour']],
  );
  const negative = await service.api<Refusal>('PUT', `${path}/nina`, { balance: -1 });
  assert.deepEqual(Object.keys(negative.body.error.details ?? {}), ['balance']);
  assert.equal((await service.api('PUT', `${path}/nobody`, { balance: 1 })).status, 404);
});

test('A whole bank is given behaviours and faults, and they are taken back', async () => {
  const path = '/sandbox/banks/northbank';
  const call = 'GET /domestic-vrp-consents/:id';
  const changed = await service.api<{ behaviours: string[]; next_calls: object[] }>('PUT', path, {
    behaviours: ['stops_at_acsc'],
    next_calls: [{ call, fault: 502, times: 2 }],
  });
  assert.equal(changed.status, 200);
  assert.deepEqual(changed.body.behaviours, ['stops_at_acsc']);
  assert.deepEqual(changed.body.next_calls, [{ call, fault: 502, times: 2 }]);
  const { body } = await service.api<{ banks: { behaviours: string[] }[] }>(
    'GET',
    '/sandbox/accounts',
  );
  assert.deepEqual(body.banks[0]?.behaviours, ['stops_at_acsc']);
  for (const [wrong, field] of [
    [{ behaviours: ['moody'] }, 'behaviours'],
    [{ next_calls: [{ call: 'GET /elsewhere', fault: 400 }] }, 'next_calls'],
  ] as const) {
    const refused = await service.api<Refusal>('PUT', path, wrong);
    assert.equal(refused.status, 400);
    assert.deepEqual(Object.keys(refused.body.error.details ?? {}), [field]);
  }
  assert.equal((await service.api('PUT', '/sandbox/banks/nowhere', {})).status, 404);
  const back = await service.api<{ behaviours: string[]; next_calls: object[] }>('PUT', path, {
    behaviours: [],
    next_calls: [],
  });
  assert.deepEqual([back.body.behaviours, back.body.next_calls], [[], []]);
});

test('A customer whose account was filled pays', async () => {
  const schedule = await grantedSchedule(service, 'nina', { frequency: { type: 'daily' } });
  await service.advance('P1D');
  assert.equal((await paymentOf(service, schedule.id)).status, 'success');
});

test('The second account of a customer can be named by its number', async () => {
  const schedule = await newSchedule(service);
  assert.equal((await service.grant(schedule.id, '10000012')).schedule_status, 'active');
});

test('A slow bank and one that is often out can be agreed with anyway', async () => {
  const slow = await newSchedule(service);
  assert.equal((await service.grant(slow.id, 'alex', 'millrace')).schedule_status, 'active');
  const often = await newSchedule(service);
  assert.equal((await service.grant(often.id, 'alex', 'harbour')).schedule_status, 'active');
});

test('A decision about nothing says why not', async () => {
  const schedule = await newSchedule(service);
  const path = `/sandbox/schedules/${schedule.id}/consent`;
  const nobody = await service.api<Refusal>('POST', path, { decision: 'grant', account: 'nobody' });
  assert.equal(nobody.status, 404);
  const unsure = await service.api<Refusal>('POST', path, { decision: 'maybe' });
  assert.deepEqual(Object.keys(unsure.body.error.details ?? {}), ['decision']);
  const nowhere = await service.api<Refusal>('POST', path, { decision: 'grant', bank_id: 'moon' });
  assert.deepEqual([nowhere.status, nowhere.body.error.message], [404, 'No such bank.']);
  assert.equal((await service.api('POST', '/sandbox/schedules/sch_none/consent', {})).status, 400);
});

test('A decision is made once, by alex unless another customer is named', async () => {
  const schedule = await newSchedule(service);
  const path = `/sandbox/schedules/${schedule.id}/consent`;
  const denied = await service.api('POST', path, { decision: 'deny' });
  assert.deepEqual([denied.status, denied.body.consent_status], [200, 'denied']);
  const again = await service.api<Refusal>('POST', path, { decision: 'grant' });
  assert.deepEqual([again.status, again.body.error.code], [409, 'consent_decided']);
});

test('A bank is made unavailable on demand, and collects when it is back', async () => {
  const bank = (behaviours: string[]) =>
    service.api('PUT', '/sandbox/banks/harbour', { behaviours });
  const schedule = await newSchedule(service, { frequency: { type: 'daily' } });
  assert.equal((await service.grant(schedule.id, 'alex', 'harbour')).schedule_status, 'active');
  assert.equal((await bank(['unavailable'])).status, 200);
  await service.advance('P1D');
  const payments = () =>
    service.api<{ data: { status: string }[] }>('GET', `/api/v1/schedules/${schedule.id}/payments`);
  const first = async () => (await payments()).body.data.at(-1)?.status;
  assert.ok(['pending', 'processing'].includes((await first()) ?? ''));
  await bank([]);
  await service.advance('P1D');
  assert.equal(await first(), 'success');
});

test('The sandbox stands in the API’s own documentation', async () => {
  const reply = await request(`${service.baseUrl}/openapi.json`);
  const { paths } = (await reply.body.json()) as { paths: Record<string, Record<string, unknown>> };
  const ours = Object.keys(paths).filter((path) => path.startsWith('/sandbox/'));
  assert.deepEqual(ours.toSorted(), [
    '/sandbox/accounts',
    '/sandbox/accounts/{bank_id}/{account}',
    '/sandbox/banks/{bank_id}',
    '/sandbox/clock',
    '/sandbox/clock/advance',
    '/sandbox/clock/stop',
    '/sandbox/issuer',
    '/sandbox/reset',
    '/sandbox/schedules/{id}/consent',
  ]);
});
