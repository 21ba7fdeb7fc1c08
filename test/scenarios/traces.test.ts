import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { traceIdOf } from '../../server/src/operators/traces/trace-id.ts';
import {
  type Collector,
  type OtlpSpan,
  startCollector,
} from '../../server/test-support/otlp-collector.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { grantedSchedule, paymentOf } from './acts.ts';

const SDK = {
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
};

let collector: Collector;
let service: TestService;
let paymentId = '';

/** The bank of una drops the connection of the order: its outcome is found out hours later. */
before(async () => {
  collector = await startCollector();
  const variables = { ...SDK, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  Object.assign(process.env, variables);
  service = await startTestService({ env: variables });
  const { id } = await grantedSchedule(service, 'una');
  await service.advance('2026-02-01T20:00:00Z');
  const payment = await paymentOf(service, id);
  assert.equal(payment.status, 'success');
  paymentId = payment.id;
  await service.close(); // sends what is left
});
after(async () => {
  for (const name of [...Object.keys(SDK), 'OTEL_EXPORTER_OTLP_ENDPOINT']) delete process.env[name];
  await collector?.close();
});

const attributes = ({ attributes: all }: OtlpSpan): Record<string, unknown> =>
  Object.fromEntries(all.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

test('one trace, derived from the payment’s id, follows a collection from the order and the pay-in to the webhook', () => {
  const spans = collector.spans.filter(({ traceId }) => traceId === traceIdOf(paymentId));
  const names = [...new Set(spans.sort(byStart).map(({ name }) => name))];
  const order = [
    'northbank submit_payment',
    'issuer parse_notification',
    'issuer transfer',
    'webhook collection.success',
  ];
  assert.deepEqual(
    names.filter((name) => order.includes(name)),
    order,
    names.join(', '),
  );
  assert.ok(spans.every((span) => attributes(span)['recollect.payment_id'] === paymentId));
});

const byStart = (a: OtlpSpan, b: OtlpSpan): number =>
  Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano));

test('a call is linked to the run of the stage that made it, and an order without an answer is an error', () => {
  const orders = collector.spans.filter(({ name }) => name === 'northbank submit_payment');
  const unanswered = orders.find(({ status }) => status.code === 2);
  assert.equal(unanswered?.status.message, 'BankUnavailable');
  const [run] = unanswered?.links ?? [];
  const stage = collector.spans.find(({ spanId }) => spanId === run?.spanId);
  assert.match(String(stage?.name), /^stage payments\.(open|submit)$/);
});

test('requests are spans too, by the pattern of their route', () => {
  const request = collector.spans.find(({ name }) => name === '/api/v1/schedules');
  assert.equal(request && attributes(request)['http.response.status_code'], 200);
});

test('a warning of the log comes with its event and the trace of its payment', () => {
  const line = collector.lines.find(({ eventName }) => eventName === 'payment.outcome_unknown');
  assert.deepEqual([line?.severityText, line?.traceId], ['WARN', traceIdOf(paymentId)]);
});

test('nothing that is sent names a person, an account or a secret', () => {
  const text = collector.text();
  for (const secret of [service.apiKey, service.webhookSecret, '+447700', 'Fernhill', '66374958'])
    assert.ok(!text.includes(secret), secret);
  assert.match(text, /"recollect"/);
  assert.match(text, /deployment\.environment\.name/);
});
