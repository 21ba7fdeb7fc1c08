import assert from 'node:assert/strict';
import { Browser } from '../../../server/src/sandbox/browser.ts';
import type { Received } from '../../../server/test-support/receiver.ts';
import { startTestService, type TestService } from '../../../server/test-support/service.ts';
import {
  debitsOf,
  newSchedule,
  paymentOf,
  paymentsOf,
  readSchedule,
  type ScheduleBody,
  webhooksOf,
} from '../acts.ts';
import { type Acts, monthly, stop, toTheFirst } from './act.ts';

/** The code of the only event of this kind about a schedule. */
function codeOf(service: TestService, { id }: ScheduleBody, kind: string): unknown {
  const [event, ...others] = webhooksOf(service, id).filter(({ event: one }) => one === kind);
  assert.ok(event !== undefined && others.length === 0, `one ${kind}`);
  return Object(event.data.error).code;
}

async function setUpFailed(
  service: TestService,
  schedule: ScheduleBody,
  code: string,
): Promise<void> {
  await service.advance('PT1M');
  assert.equal(codeOf(service, schedule, 'schedule.setup_failed'), code);
  assert.equal((await readSchedule(service, schedule.id)).status, 'cancelled');
}

const decide = (service: TestService, id: string, body: object) =>
  service.api('POST', `/sandbox/schedules/${id}/consent`, { decision: 'grant', ...body });

const failuresOf = (service: TestService, { id }: ScheduleBody): Received[] =>
  webhooksOf(service, id).filter(({ event }) => event === 'collection.failed');

/** Its outcome is unknown a minute after it was due, and known two days later: once paid, and never called failed. */
async function unknownAtFirst(
  service: TestService,
  login: string,
  afterAMinute = 'processing',
): Promise<void> {
  const schedule = await monthly(service, login);
  await toTheFirst(service);
  const { id, status } = await paymentOf(service, schedule.id);
  assert.equal(status, afterAMinute);
  await service.advance('P2D');
  assert.equal((await paymentOf(service, schedule.id)).status, 'success');
  assert.equal(await debitsOf(service, id), 1);
  assert.deepEqual(failuresOf(service, schedule), []);
  await stop(service, schedule);
}

async function fresh(): Promise<TestService & AsyncDisposable> {
  const service = await startTestService();
  return { ...service, [Symbol.asyncDispose]: service.close };
}

/** What customers and their banks do. */
export const CUSTOMERS: Acts = {
  'The customer does not agree': {
    'deny: `sandbox consent <schedule> --decision deny`': async (service) => {
      const schedule = await newSchedule(service);
      await service.deny(schedule.id);
      await setUpFailed(service, schedule, 'consent_denied');
    },
    'let the link expire: `sandbox advance P8D`': async (service) => {
      const schedule = await newSchedule(service);
      await service.advance('P8D');
      await setUpFailed(service, schedule, 'consent_expired');
    },
    'log in as `dora`': async (service) => {
      const schedule = await newSchedule(service);
      await decide(service, schedule.id, { account: 'dora' });
      await setUpFailed(service, schedule, 'consent_rejected');
    },
    'name the customer by `bank_account`, set `ignores_debtor_account` at the bank, and agree with another account':
      async (service) => {
        const named = { sort_code: '99-10-01', account_number: '10000011' };
        const schedule = await newSchedule(service, {
          customer: { type: 'bank_account', name: 'Alex Morgan', ...named },
        });
        const other = { account: 'sam', bank_id: 'northbank' };
        const bank = (behaviours: string[]) =>
          service.api('PUT', '/sandbox/banks/northbank', { behaviours });
        const early = await decide(service, schedule.id, other);
        assert.deepEqual(
          [early.status, Object.keys(Object(early.body.error).details)],
          [400, ['account']],
          'otherwise the bank offers the named account alone, and the answer says so',
        );
        await bank(['ignores_debtor_account']);
        await decide(service, schedule.id, other);
        await bank([]);
        await setUpFailed(service, schedule, 'consent_account_mismatch');
      },
  },
  'A collection fails': {
    '`nina`': async (service) => {
      const schedule = await monthly(service, 'nina');
      await toTheFirst(service);
      await service.advance('P10D');
      const failures = failuresOf(service, schedule).map(({ data }) => data);
      assert.ok(failures.length > 1);
      for (const { error } of failures) assert.equal(Object(error).code, 'insufficient_funds');
      assert.deepEqual(
        failures.map(({ next_retry_at }) => next_retry_at === null),
        failures.map((_, n) => n === failures.length - 1),
      );
      await stop(service, schedule);
    },
    '`sam`': async () => {
      await using service = await fresh(); // once he has been paid he has money
      const schedule = await monthly(service, 'sam');
      await toTheFirst(service);
      assert.equal(Object(failuresOf(service, schedule)[0]?.data.error).code, 'insufficient_funds');
      await service.advance('P2D');
      const success = webhooksOf(service, schedule.id).find(
        ({ event }) => event === 'collection.success',
      );
      assert.equal(success?.data.payment_id, failuresOf(service, schedule)[0]?.data.payment_id);
    },
    '`cleo`': async (service) => {
      const schedule = await monthly(service, 'cleo');
      await toTheFirst(service);
      assert.equal(codeOf(service, schedule, 'collection.failed'), 'account_closed');
      assert.equal((await paymentOf(service, schedule.id)).no_retry_reason, 'final');
      await stop(service, schedule);
    },
    '`vera`': async (service) => {
      const schedule = await monthly(service, 'vera');
      await toTheFirst(service);
      assert.equal((await paymentOf(service, schedule.id)).status, 'processing');
      await service.advance('PT2H');
      assert.equal(codeOf(service, schedule, 'collection.failed'), 'blocked');
      await stop(service, schedule);
    },
    '`tina`': async (service) => {
      const schedule = await monthly(service, 'tina');
      await toTheFirst(service);
      assert.equal(codeOf(service, schedule, 'collection.failed'), 'technical');
      await service.advance('P2D');
      assert.equal((await paymentOf(service, schedule.id)).status, 'success');
      await stop(service, schedule);
    },
  },
  'The outcome is not known': {
    '`sid`': (service) => unknownAtFirst(service, 'sid'),
    '`una`': (service) => unknownAtFirst(service, 'una'),
    '`uma`': (service) => unknownAtFirst(service, 'uma', 'success'),
    '`otto`': (service) => unknownAtFirst(service, 'otto'),
  },
  'The customer withdraws': {
    'log in as `rex`, collect once, and `sandbox advance P2D`': async (service) => {
      const schedule = await monthly(service, 'rex');
      await toTheFirst(service);
      await service.advance('P2D');
      const ended = webhooksOf(service, schedule.id).map(({ event }) => event);
      assert.deepEqual(ended.slice(-2), ['consent.revoked', 'schedule.cancelled']);
    },
    "open the customer's page and withdraw": async (service) => {
      const schedule = await monthly(service, 'alex');
      const { body } = await service.api<{ portal_url: string }>(
        'GET',
        `/api/v1/schedules/${schedule.id}`,
      );
      const browser = new Browser([service.baseUrl]);
      await browser.send(await browser.open(`${body.portal_url}/withdraw`), '/withdraw', {});
      await service.advance('PT1S');
      const ended = webhooksOf(service, schedule.id).map(({ event }) => event);
      assert.deepEqual(ended.slice(-2), ['consent.revoked', 'schedule.cancelled']);
    },
    'log in as `rita`, and collect twice': async (service) => {
      const schedule = await monthly(service, 'rita');
      await toTheFirst(service);
      await toTheFirst(service);
      const { body } = await service.api('GET', `/api/v1/schedules/${schedule.id}`);
      assert.equal(Object(body.consent_notice).kind, 'reauthentication_needed');
      const kinds = webhooksOf(service, schedule.id).map(({ event }) => event);
      assert.ok(kinds.includes('consent.reauthentication_needed'));
      assert.equal((await decide(service, schedule.id, { account: 'rita' })).status, 200);
      await service.advance('P1D');
      const payments = await paymentsOf(service, schedule.id);
      assert.deepEqual(
        payments.map(({ status }) => status),
        ['success', 'success'],
      );
      await stop(service, schedule);
    },
  },
};
