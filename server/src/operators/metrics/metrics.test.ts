import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPrometheusText, sampleOf } from '../../../test-support/prometheus-text.ts';
import { makeMetrics } from './metrics.ts';
import { METRICS, type Metric } from './table.ts';

const TABLE = Object.entries<Metric>(METRICS);

test('every metric is named by the conventions of Prometheus', () => {
  for (const [name, { kind, help, labels, buckets }] of TABLE) {
    assert.match(name, /^recollect_[a-z]+(_[a-z]+)*$/);
    assert.equal(name.endsWith('_total'), kind === 'counter', name);
    if (kind === 'histogram') assert.match(name, /_duration_seconds$/);
    assert.doesNotMatch(name, /_(ms|milliseconds|minutes|hours|days|pounds|count|sum|bucket)(_|$)/);
    assert.match(help, /^[A-Z].+[.]$/, name);
    assert.doesNotMatch(help, /[|\\\n]/, 'it stands in a table of the guide');
    assert.deepEqual(
      buckets ?? [],
      [...(buckets ?? [])].sort((a, b) => a - b),
      name,
    );
    for (const label of labels) assert.match(label, /^[a-z]+$/);
  }
});

test('no label holds an id of which there are ever more', () => {
  const allowed = new Set([
    ...[
      'version',
      'mode',
      'roles',
      'part',
      'stage',
      'bank',
      'step',
      'kind',
      'operation',
      'outcome',
    ],
    ...['state', 'law', 'certificate', 'area', 'status', 'event', 'level', 'pool', 'work', 'hold'],
    ...['noun', 'reason', 'condition'],
    'key', // of the ring; a retired one is absent
  ]);
  for (const [name, { labels }] of TABLE)
    assert.deepEqual(
      labels.filter((label) => !allowed.has(label)),
      [],
      name,
    );
});

test('each metric is shown with its help and type, before it has a value', async () => {
  const shown = readPrometheusText(await makeMetrics().expose());
  for (const [name, { kind, help }] of TABLE) {
    const family = shown.get(name);
    assert.deepEqual([family?.type, family?.help], [kind, help], name);
  }
});

test('the process is shown too: its memory, CPU and the delay of its event loop', async () => {
  const shown = readPrometheusText(await makeMetrics().expose());
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_heap_size_used_bytes',
  ])
    assert.ok((sampleOf(shown, name) ?? -1) >= 0, name);
  for (const [name, { type }] of shown)
    assert.equal(name.endsWith('_total'), type === 'counter', name);
});

test('a gauge that nobody has measured is absent, and so is one whose value was taken away', async () => {
  const metrics = makeMetrics();
  const shown = async (): Promise<number | null> =>
    sampleOf(readPrometheusText(await metrics.expose()), 'recollect_unallocated_items');
  assert.equal(await shown(), null);
  const name = 'recollect_unallocated_items';
  metrics.replace([name], [{ name, labels: {}, value: 3 }]);
  assert.equal(await shown(), 3);
  metrics.replace([name], []);
  assert.equal(await shown(), null);
});

test('counters add up and histograms sort into buckets, for each service apart', async () => {
  const [metrics, other] = [makeMetrics(), makeMetrics()];
  const labels = { bank: 'north"bank', operation: 'submit_payment' };
  metrics.count('recollect_bank_calls_total', { ...labels, outcome: 'ok' });
  metrics.count('recollect_bank_calls_total', { ...labels, outcome: 'ok' }, 2);
  metrics.observe('recollect_bank_call_duration_seconds', labels, 0.2);
  metrics.observe('recollect_bank_call_duration_seconds', labels, 7);
  const shown = readPrometheusText(await metrics.expose());
  assert.equal(sampleOf(shown, 'recollect_bank_calls_total', { outcome: 'ok' }), 3);
  const histogram = 'recollect_bank_call_duration_seconds';
  assert.equal(sampleOf(shown, `${histogram}_bucket`, { le: '0.1' }), 0);
  assert.equal(sampleOf(shown, `${histogram}_bucket`, { le: '0.25' }), 1);
  assert.equal(sampleOf(shown, `${histogram}_bucket`, { le: '+Inf' }), 2);
  assert.equal(sampleOf(shown, `${histogram}_sum`), 7.2);
  const others = readPrometheusText(await other.expose());
  assert.equal(sampleOf(others, 'recollect_bank_calls_total', { outcome: 'ok' }), null);
});
