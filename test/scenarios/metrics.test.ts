import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { LAWS } from '../../server/src/laws/invariants/laws.ts';
import type { Report } from '../../server/src/operators/health/report.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import {
  type Family,
  readPrometheusText,
  sampleOf,
} from '../../server/test-support/prometheus-text.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { grantedSchedule, newSchedule, paymentOf } from './acts.ts';

/** What was read of the books is shown again for so long. */
const KEPT_MS = 5_100;
const BANK = 'northbank';

let service: TestService;
let shown: Map<string, Family>;
const ids: Record<string, string> = {};

/**
 * The 1st of February, half past nine: the bank of una has dropped the connection, cleo's account is closed, the bank harbour is
 * away, less money has come from alex than was asked for, and the merchant's endpoint answers 500.
 */
before(async () => {
  service = await startTestService();
  for (const name of ['alex', 'una', 'cleo']) ids[name] = (await grantedSchedule(service, name)).id;
  for (const start of ['2026-02-01T09:00:00Z', '2026-02-01T09:10:00Z'])
    await grantedScheduleAt('harbour', { start_date: start });
  const put = async (path: string, body: object): Promise<void> => {
    const { status, body: answer } = await service.api('PUT', path, body);
    assert.equal(status, 200, JSON.stringify(answer));
  };
  await put('/sandbox/banks/harbour', { behaviours: ['unavailable'] });
  await put('/sandbox/issuer', { modes: ['short_pay_ins'] });
  await service.advance('P1D'); // the webhooks of the consents are acknowledged
  service.receiver.always = 500;
  await service.advance('2026-02-01T09:30:00Z');
  await lawsLookedAt();
  shown = await scrape();
});
after(() => service?.close());

async function grantedScheduleAt(bankId: string, fields: object): Promise<void> {
  const schedule = await newSchedule(service, fields);
  assert.equal((await service.grant(schedule.id, 'alex', bankId)).schedule_status, 'active');
}

/** Waits until the laws were checked after the clock was moved: the service does that on its own. */
async function lawsLookedAt(): Promise<void> {
  const since = service.now().subtract({ minutes: 5 });
  const isOld = 'SELECT FROM law_findings WHERE checked_at < $1 LIMIT 1';
  const isChecked = 'SELECT FROM law_findings WHERE checked_at >= $1 LIMIT 1';
  for (let tries = 0; tries < 600; tries++) {
    const [old, checked] = await service.db.read((tx) =>
      Promise.all([tx.run(isOld, [since]), tx.run(isChecked, [since])]),
    );
    if (old === 0 && checked > 0) return;
    await sleep(100);
  }
  assert.fail('the laws were not checked');
}

/** Returns the metrics; on a slow machine the books may take longer than the first scrapes wait. */
async function scrape(): Promise<Map<string, Family>> {
  for (let tries = 1; ; tries++) {
    const { statusCode, body } = await request(`${service.running.operatorUrl}/metrics`);
    assert.equal(statusCode, 200);
    const read = readPrometheusText(await body.text());
    const parts = read.get('recollect_scrape_error')?.samples ?? [];
    if (tries === 10 || parts.every((part) => part.value === 0)) return read;
  }
}

const value = (name: string, labels: Record<string, string> = {}): number | null =>
  sampleOf(shown, `recollect_${name}`, labels);

/** Asserts that a sample is there, and at least so much. */
function atLeast(least: number, name: string, labels: Record<string, string> = {}): void {
  const found = value(name, labels);
  assert.ok(found !== null && found >= least, `${name}: ${found}`);
}

test('Everything could be read', () => {
  const parts = shown.get('recollect_scrape_error')?.samples ?? [];
  assert.equal(parts.length, 11);
  assert.ok(parts.every((part) => part.value === 0));
});

test('An order without an answer is an unknown outcome, with its age', async () => {
  assert.equal((await paymentOf(service, ids.una ?? '')).status, 'processing');
  assert.equal(value('payments_outcome_unknown', { bank: BANK }), 1);
  const age = value('payments_outcome_unknown_oldest_age_seconds', { bank: BANK }) ?? 0;
  assert.ok(age > 1_700 && age < 1_860, String(age));
  const call = { bank: BANK, operation: 'submit_payment' };
  atLeast(2, 'bank_calls_total', { ...call, outcome: 'no_answer' });
});

test('A bank that is away, one that refuses and one that pays each have their calls counted and timed', () => {
  const call = { operation: 'submit_payment' };
  assert.equal(value('bank_calls_total', { ...call, bank: BANK, outcome: 'ok' }), 1);
  assert.equal(value('bank_calls_total', { ...call, bank: BANK, outcome: 'refused' }), 1);
  const harbour = shown.get('recollect_bank_calls_total')?.samples ?? [];
  const away = harbour.filter(
    ({ labels, value: calls }) =>
      labels.bank === 'harbour' && labels.outcome === 'no_answer' && calls > 0,
  );
  assert.ok(away.length > 0);
  atLeast(4, 'bank_call_duration_seconds_count', { ...call, bank: BANK });
});

test('Work that is done is counted by stage, and none of it is overdue', () => {
  atLeast(4, 'stage_items_total', { stage: 'payments.open' });
  atLeast(1, 'stage_run_duration_seconds_count', { stage: 'payments.submit' });
  const failures = shown.get('recollect_stage_failures_total')?.samples ?? [];
  assert.ok(failures.length > 25 && failures.every((sample) => sample.value === 0));
  for (const sample of shown.get('recollect_stage_oldest_due_age_seconds')?.samples ?? [])
    assert.ok(sample.value < 60, `${sample.labels.stage}: ${sample.value}`);
});

test('Webhooks that the endpoint refuses are counted, and their deliveries wait', () => {
  const sent = service.receiver.received.filter(({ answered }) => answered === 500).length;
  assert.ok(sent > 0);
  assert.equal(value('webhook_requests_total', { outcome: 'refused' }), sent);
  atLeast(1, 'webhook_requests_total', { outcome: 'acknowledged' });
  atLeast(1, 'webhook_deliveries_waiting', { state: 'retry' });
});

test('Money that belongs to nothing is counted in items and pence', () => {
  assert.equal(value('unallocated_items'), 1);
  assert.ok((value('unallocated_pence') ?? 0) > 0 && (value('unallocated_pence') ?? 0) < 4_999);
  atLeast(1_500, 'unallocated_oldest_age_seconds');
});

test('Every law is kept, and was looked at just now', () => {
  const states = shown.get('recollect_invariant')?.samples ?? [];
  assert.equal(states.length, 3 * (LAWS.length + 1), 'ours, and the comparison with the issuer');
  for (const { labels, value: is } of states)
    assert.equal(is, labels.state === 'kept' ? 1 : 0, `${labels.law} ${labels.state}`);
  const at = { law: 'money-has-a-place' };
  const seconds = service.now().epochMilliseconds / 1000;
  const looked = value('invariant_last_check_timestamp_seconds', at) ?? 0;
  assert.ok(seconds - looked < 360, String(seconds - looked));
});

test('The reconciliation, certificates, connections, requests and warnings are shown', () => {
  atLeast(0, 'reconciliation_open_items');
  atLeast(1_700_000_000, 'reconciliation_last_report_timestamp_seconds');
  assert.equal(value('reconciliation_last_report_complete'), 1);
  for (const certificate of ['tls.cert', 'tls.ca'])
    atLeast(86_400, 'certificate_remaining_seconds', { bank: BANK, certificate });
  for (const pool of ['api', 'engine']) {
    assert.equal(value('database_connections_max', { pool }), 5);
    assert.equal(value('database_connections_waiting', { pool }), 0);
  }
  atLeast(5, 'http_request_duration_seconds_count', { area: 'api', status: '2xx' });
  atLeast(1, 'log_events_total', { event: 'payment.outcome_unknown', level: 'warn' });
});

test('Nothing in the metrics names a merchant, a customer, a schedule or a payment', async () => {
  const { body } = await request(`${service.running.operatorUrl}/metrics`);
  const text = await body.text();
  assert.doesNotMatch(text, /\b(mer|cus|sch|pay|set|wal|whe|una|key)_[0-9A-Za-z]{10}/);
  for (const secret of [service.apiKey, service.webhookSecret, service.merchantId, 'Fernhill'])
    assert.ok(!text.includes(secret));
});

test('The merchants’ port has no metrics', async () => {
  const { statusCode } = await request(`${service.baseUrl}/metrics`);
  assert.equal(statusCode, 404);
});

test('A broken law is shown once it was looked at, and a payment that has come is no longer unknown', async () => {
  await asOwner(service.db, (tx) =>
    tx.run("UPDATE accounts SET balance_pence = balance_pence + 1 WHERE kind = 'merchant_wallet'"),
  );
  await service.advance('2026-02-01T17:00:00Z');
  await lawsLookedAt();
  await sleep(KEPT_MS);
  shown = await scrape();
  const law = 'balances-equal-transfers';
  assert.equal(value('invariant', { law, state: 'broken' }), 1);
  assert.equal(value('invariant', { law, state: 'kept' }), 0);
  atLeast(1, 'log_events_total', { event: 'law.broken' });
  assert.equal(value('payments_outcome_unknown', { bank: BANK }), 0);
  assert.equal(value('payments_outcome_unknown_oldest_age_seconds', { bank: BANK }), 0);
});

test('The health of the process shows how each bank answers and what waits there, and asks nobody outside', async () => {
  const { statusCode, body } = await request(`${service.running.operatorUrl}/health`);
  const report = (await body.json()) as Report;
  assert.equal(statusCode, 200);
  assert.equal(report.database.status, 'answers');
  assert.equal(report.engine.status, 'not_here'); // the test's process runs no engine of its own
  assert.deepEqual(report.engine.behind, []);
  const harbour = report.banks.find(({ bank }) => bank === 'harbour');
  assert.equal(harbour?.condition, 'down');
  assert.ok((harbour.waiting?.payments ?? 0) >= 1, 'whether or not the first order found out');
  assert.ok(report.problems.some(({ part }) => part === 'bank harbour'));
  assert.equal(report.issuer.status, 'answers');
});
