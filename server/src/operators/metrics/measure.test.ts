import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPrometheusText, sampleOf } from '../../../test-support/prometheus-text.ts';
import {
  AuthorisationInvalid,
  type Bank,
  BankDefect,
  BankRefused,
  BankUnavailable,
  TokenRefused,
} from '../../banks/bank.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import { makeLog } from '../../platform/log/log.ts';
import { noteNetworkCall } from '../../platform/network/network-call.ts';
import { type Issuer, IssuerRefused, IssuerUnavailable } from '../../wallets/issuer.ts';
import type { Answer } from '../../webhooks/sender.ts';
import {
  measureBank,
  measureIssuer,
  measureLog,
  measureRequest,
  measureSender,
  measureStage,
} from './measure.ts';
import { type Metrics, makeMetrics } from './metrics.ts';

/** Returns the value of a sample, of which there is at most one. */
async function shown(
  metrics: Metrics,
  name: string,
  labels: Record<string, string>,
): Promise<number | null> {
  return sampleOf(readPrometheusText(await metrics.expose()), name, labels);
}

const CREDITED = { outcome: 'credited', bankPaymentId: 'p', bankStatus: 'ACCC' };
const FAILED = { outcome: 'failed', bankPaymentId: 'p', bankStatus: 'RJCT' };
const REFUSAL = { code: 'blocked', bankCode: 'AC06', message: '', retryability: 'final' };

test('each call to a bank is counted by its outcome, and returns and throws what it did', async () => {
  const metrics = makeMetrics();
  const outcomes: [answer: unknown, outcome: string][] = [
    [CREDITED, 'ok'],
    [FAILED, 'refused'],
    [new BankRefused(REFUSAL as never), 'refused'],
    [new BankUnavailable('no answer'), 'no_answer'],
    [new BankUnavailable('refused the connection', { notSent: true }), 'not_sent'],
    [new TokenRefused('no token for us', 'invalid_client'), 'not_let_in'],
    [new BankDefect('wrong', 'config'), 'defect'],
    [new TypeError('ours'), 'defect'],
  ];
  let next: unknown;
  const port = {
    bankId: 'fernbank',
    async submitPayment() {
      noteNetworkCall();
      if (next instanceof Error) throw next;
      return next;
    },
    async verifyNotification() {
      return 'not a call';
    },
  };
  const bank = measureBank(port as unknown as Bank, metrics);
  for (const [answer] of outcomes) {
    next = answer;
    const ended = await Promise.allSettled([bank.submitPayment({} as never, {} as never)]);
    const { value, reason } = { value: undefined, reason: undefined, ...ended[0] };
    assert.equal(value ?? reason, answer);
  }
  assert.equal(await bank.verifyNotification({} as never), 'not a call');
  assert.equal(bank.bankId, 'fernbank');
  const count = (outcome: string): Promise<number | null> =>
    shown(metrics, 'recollect_bank_calls_total', {
      bank: 'fernbank',
      operation: 'submit_payment',
      outcome,
    });
  assert.deepEqual(
    await Promise.all(
      ['ok', 'refused', 'no_answer', 'not_sent', 'not_let_in', 'defect'].map(count),
    ),
    [1, 2, 1, 1, 1, 2],
  );
  const name = 'recollect_bank_call_duration_seconds_count';
  assert.equal(await shown(metrics, name, { bank: 'fernbank' }), outcomes.length);
});

test('what a connector answers without the bank is no call; what did not reach the bank is one', async () => {
  const metrics = makeMetrics();
  const noted: string[] = [];
  const stored = { accessToken: 'stored' };
  const renewed = { accessToken: 'renewed' };
  const port = {
    bankId: 'fernbank',
    async refresh(grant: unknown) {
      if (grant === stored) return grant;
      await Promise.resolve();
      noteNetworkCall();
      return renewed;
    },
    async completeAuthorisation() {
      throw new AuthorisationInvalid('of another browser');
    },
    async confirmFunds() {
      throw new BankUnavailable('no connection free', { notSent: true });
    },
  };
  const bank = measureBank(port as unknown as Bank, metrics, (outcome) => noted.push(outcome));
  assert.equal(await bank.refresh(stored as never), stored);
  await assert.rejects(bank.completeAuthorisation({} as never));
  assert.deepEqual(noted, []);
  assert.equal(await shown(metrics, 'recollect_bank_calls_total', { outcome: 'ok' }), null);
  await assert.rejects(bank.confirmFunds({} as never, '', 1));
  assert.equal(await bank.refresh({} as never), renewed);
  assert.deepEqual(noted, ['not_sent', 'ok']);
});

/** An issuer whose lists have two items, and which forgets how it keeps them if it is not called as itself. */
class Lists {
  readonly #items = [1, 2];
  fails: Error | null = null;

  async *listStatement(): AsyncGenerator<number> {
    for (const item of this.#items) yield item;
    if (this.fails !== null) throw this.fails;
  }

  async readWallet(): Promise<number> {
    noteNetworkCall();
    if (this.fails !== null) throw this.fails;
    return this.#items.length;
  }
}

test('each call to the issuer is counted by its outcome, and a list is one call', async () => {
  const metrics = makeMetrics();
  const lists = new Lists();
  const issuer = measureIssuer(lists as unknown as Issuer, metrics);
  const day = Temporal.PlainDate.from('2026-03-02');
  assert.deepEqual(await Array.fromAsync(issuer.listStatement(day)), [1, 2]);
  for await (const _first of issuer.listStatement(day)) break;
  assert.equal(await issuer.readWallet(''), 2);
  lists.fails = new IssuerUnavailable('no answer');
  await assert.rejects(Array.fromAsync(issuer.listStatement(day)), lists.fails);
  lists.fails = new IssuerRefused('unknown_wallet', '');
  await assert.rejects(issuer.readWallet(''), lists.fails);
  const count = (operation: string, outcome: string): Promise<number | null> =>
    shown(metrics, 'recollect_issuer_calls_total', { operation, outcome });
  assert.equal(await count('list_statement', 'ok'), 2);
  assert.equal(await count('list_statement', 'no_answer'), 1);
  assert.equal(await count('read_wallet', 'ok'), 1);
  assert.equal(await count('read_wallet', 'refused'), 1);
});

test('a stage counts what it claims and its failures, and is shown before it has worked', async () => {
  const metrics = makeMetrics();
  const results: (number | Error)[] = [3, 0, new Error('the database'), 2];
  const stage: Stage = {
    name: 'payments.submit',
    batch: 5,
    nextDue: async () => null,
    async run() {
      const result = results.shift();
      if (typeof result === 'number') return result;
      throw result;
    },
  };
  const labels = { stage: 'payments.submit' };
  const measured = measureStage(stage, metrics);
  assert.equal(await shown(metrics, 'recollect_stage_items_total', labels), 0);
  const now = Temporal.Instant.from('2026-03-02T10:00:00Z');
  assert.equal(await measured.run(now, 5), 3);
  assert.equal(await measured.run(now, 5), 0);
  await assert.rejects(measured.run(now, 5), /the database/);
  assert.equal(await measured.run(now, 5), 2);
  assert.equal(await shown(metrics, 'recollect_stage_items_total', labels), 5);
  assert.equal(await shown(metrics, 'recollect_stage_failures_total', labels), 1);
  const runs = 'recollect_stage_run_duration_seconds_count';
  assert.equal(await shown(metrics, runs, labels), 2, 'those that found work');
});

test('webhooks are counted as acknowledged, refused or without an answer', async () => {
  const metrics = makeMetrics();
  const answers: Answer[] = [
    { status: 200, body: '', error: null, durationMs: 20 },
    { status: 500, body: '', error: 'answered 500', durationMs: 30 },
    { status: null, body: null, error: 'no answer', durationMs: 10_000 },
  ];
  const sender = measureSender(
    { send: async () => answers.shift() as Answer, close: async () => undefined },
    metrics,
  );
  const outgoing = { url: 'https://fernhill.example/hooks', headers: {}, body: '{}' };
  for (const status of [200, 500, null]) assert.equal((await sender.send(outgoing)).status, status);
  for (const outcome of ['acknowledged', 'refused', 'no_answer'])
    assert.equal(await shown(metrics, 'recollect_webhook_requests_total', { outcome }), 1);
  const sum = await shown(metrics, 'recollect_webhook_request_duration_seconds_sum', {});
  assert.equal(sum, 10.05);
});

test('warnings and errors of the log are counted by their event, and written as before', async () => {
  const metrics = makeMetrics();
  const lines: string[] = [];
  const log = measureLog(makeLog('info', { write: (line) => void lines.push(line) }), metrics);
  log.report('payment.outcome_overdue', { payment_id: 'pay_1' });
  log.report('payment.outcome_overdue', { payment_id: 'pay_2' });
  log.info('said');
  const labels = { event: 'payment.outcome_overdue', level: 'error' };
  assert.equal(await shown(metrics, 'recollect_log_events_total', labels), 2);
  assert.equal(lines.length, 3);
});

test('requests are timed by the first part of their route and the class of their status', async () => {
  const metrics = makeMetrics();
  measureRequest(metrics, '/api/v1/schedules/:id', 200, 12);
  measureRequest(metrics, '/api/v1/schedules', 422, 8);
  measureRequest(metrics, '/', 200, 1);
  measureRequest(metrics, null, 404, 1);
  const count = (area: string, status: string): Promise<number | null> =>
    shown(metrics, 'recollect_http_request_duration_seconds_count', { area, status });
  assert.equal(await count('api', '2xx'), 1);
  assert.equal(await count('api', '4xx'), 1);
  assert.equal(await count('other', '2xx'), 1);
  assert.equal(await count('other', '4xx'), 1);
});

test('a failure that has not happened yet is counted as 0, so that the first one is an increase', async () => {
  const metrics = makeMetrics();
  measureLog(makeLog('silent'), metrics);
  measureSender({ send: () => assert.fail(), close: async () => undefined }, metrics);
  const called = async <T>(answer: T): Promise<T> => {
    noteNetworkCall();
    return answer;
  };
  const bank = { bankId: 'fernbank', readPayment: () => called(CREDITED) };
  const issuer = { readWallet: () => called({}) };
  await measureBank(bank as unknown as Bank, metrics).readPayment('p');
  await measureIssuer(issuer as unknown as Issuer, metrics).readWallet('w');
  const events = { event: 'law.broken', level: 'error' };
  assert.equal(await shown(metrics, 'recollect_log_events_total', events), 0);
  const webhooks = { outcome: 'no_answer' };
  assert.equal(await shown(metrics, 'recollect_webhook_requests_total', webhooks), 0);
  for (const outcome of ['refused', 'no_answer', 'not_sent', 'defect'])
    assert.equal(await shown(metrics, 'recollect_bank_calls_total', { outcome }), 0, outcome);
  for (const outcome of ['refused', 'no_answer', 'defect'])
    assert.equal(await shown(metrics, 'recollect_issuer_calls_total', { outcome }), 0, outcome);
});
