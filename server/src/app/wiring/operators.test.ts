import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import { readPrometheusText, sampleOf } from '../../../test-support/prometheus-text.ts';
import { RecentCalls } from '../../operators/health/recent-calls.ts';
import type { Report } from '../../operators/health/report.ts';
import { makeMetrics } from '../../operators/metrics/metrics.ts';
import { type Config, examineConfig, readConfig } from '../../platform/config/config.ts';
import { openDb } from '../../platform/db/db.ts';
import type { Engine } from '../../platform/engine/engine.ts';
import { WorkQueue } from '../../platform/http/admission/work-queue.ts';
import { makeLog } from '../../platform/log/log.ts';
import type { Platform } from '../../platform/platform.ts';
import { makeIds } from '../../platform/values/ids.ts';
import { issueCertificates } from '../../sandbox/certificate-authority.ts';
import { certificatesOf } from '../banks-file/certificates.ts';
import { CleanupStack } from '../deployment/cleanup-stack.ts';
import { openOperatorsPort } from './operators.ts';

/** Opens the port of a process without a database; returns its address, and the events that the log reported. */
async function open(
  t: TestContext,
  config: Partial<Config>,
): Promise<{ url: string; reported: string[]; requests: [string, number][] }> {
  const reported: string[] = [];
  const requests: [string, number][] = [];
  const log = makeLog('info', {
    write: (line) => {
      const said = JSON.parse(line) as {
        event?: string;
        msg: string;
        route: string;
        status: number;
      };
      if (said.event !== undefined) reported.push(said.event);
      if (said.msg === 'request') requests.push([said.route, said.status]);
    },
  });
  const db = openDb('postgres://nobody@127.0.0.1:1/nothing', 1);
  const platform = {
    config: { ...readConfig({}), ...config },
    db,
    log,
    ids: makeIds(),
    clock: { now: () => Temporal.Instant.from('2026-03-02T10:00:00Z') },
  } as unknown as Platform;
  const undo = new CleanupStack();
  t.after(async () => {
    await undo.run(log);
    await db.close();
  });
  const engine = { pulse: () => ({ isRunning: true, lookedAt: performance.now() }) } as Engine;
  const shown = {
    platform,
    service: { stages: [], engine },
    metrics: makeMetrics(),
    calls: new RecentCalls(),
    direct: () => [],
    banks: new Map(),
    pools: { api: db, engine: db },
    queue: new WorkQueue(8),
    routes: [],
  };
  return { url: (await openOperatorsPort(shown, undo)).operatorUrl, reported, requests };
}

/** Takes a port of this machine until the test ends, unless somebody else has it already. */
async function take(t: TestContext, port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  const [error] = await Promise.race([once(server, 'listening'), once(server, 'error')]).catch(
    (thrown: unknown) => [thrown],
  );
  if (error !== undefined) return port;
  t.after(() => server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

const get = async (url: string, method: 'GET' | 'POST' | 'DELETE' = 'GET') => {
  const { statusCode, headers, body } = await request(url, { method });
  return { statusCode, headers, text: await body.text() };
};

test('the operators’ port shows the metrics and the health, and nothing else', async (t) => {
  const { url } = await open(t, { operatorPort: 0 });
  const { statusCode, headers, text } = await get(`${url}/metrics`);
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(sampleOf(readPrometheusText(text), 'recollect_build_info'), 1);
  for (const path of ['/healthz', '/api/v1/schedules', '/dashboard', '/openapi.json'])
    assert.equal((await get(url + path)).statusCode, 404, path);
  for (const method of ['POST', 'DELETE'] as const)
    assert.equal((await get(`${url}/metrics`, method)).statusCode, 405, method);
});

test('a process that cannot reach its database says so at /health, with 503 and without waiting long', async (t) => {
  const { url } = await open(t, { operatorPort: 0 });
  const began = performance.now();
  const all = await Promise.all(Array.from({ length: 20 }, () => get(`${url}/health`)));
  assert.ok(performance.now() - began < 8_000);
  for (const { statusCode, headers } of all) {
    assert.equal(statusCode, 503);
    assert.equal(headers['cache-control'], 'no-store');
  }
  const { status, problems, database } = JSON.parse(all[0]?.text ?? '') as Report;
  assert.equal(status, 'failing');
  assert.deepEqual(
    problems.map(({ part, runbook }) => [part, runbook]),
    [['database', 'RecollectDatabaseUnavailable']],
  );
  assert.deepEqual(database, { status: 'no_answer', milliseconds: null });
});

test('a probe that is answered well is no line of the log, and one that fails is', async (t) => {
  const { url, requests } = await open(t, { operatorPort: 0 });
  await get(`${url}/metrics`);
  await get(`${url}/health`);
  assert.deepEqual(requests, [['/health', 503]]);
});

test('nobody reaches the operators’ port at another address of the machine', async (t) => {
  const { url } = await open(t, { operatorPort: 0 });
  const { hostname, port } = new URL(url);
  assert.equal(hostname, '127.0.0.1');
  for (const other of ['127.0.0.2', '[::1]'])
    await assert.rejects(request(`http://${other}:${port}/metrics`), other);
});

test('where the default port is taken, a process listens on a free one and says which', async (t) => {
  const taken = await take(t, 4004);
  const { url, reported } = await open(t, {});
  assert.notEqual(new URL(url).port, String(taken));
  assert.equal((await get(`${url}/metrics`)).statusCode, 200);
  assert.deepEqual(reported, ['operators.port_taken']);
});

test('a port that the operator chose is said to be in use where it is', async (t) => {
  const operatorPort = await take(t, 0);
  await assert.rejects(open(t, { operatorPort }), {
    name: 'ConfigError',
    message: `port ${operatorPort} is in use: stop what runs there, or set OPERATOR_PORT`,
  });
});

test('an operators’ port that others may reach is warned of in live mode', () => {
  const warned = (host: string): boolean =>
    examineConfig({ MODE: 'live', OPERATOR_HOST: host }).findings.some(
      ({ setting, level }) => setting === 'OPERATOR_HOST' && level === 'warning',
    );
  assert.deepEqual([warned('0.0.0.0'), warned('10.0.0.11')], [true, true]);
  assert.deepEqual([warned('127.0.0.1'), warned('::1')], [false, false]);
});

test('of our certificates the first end counts, of the authorities the last', async () => {
  const now = Temporal.Instant.from('2026-03-02T10:00:00Z');
  const [older, newer] = await Promise.all(
    [now.subtract({ hours: 240 }), now].map(async (at) => (await issueCertificates(at)).client),
  );
  const ends = (tls: { ca?: string; cert?: string }): [string, number][] =>
    certificatesOf({ bankId: 'fernbank', tls: { ca: '', cert: '', key: '', ...tls } }).map(
      ({ certificate, validTo }) => [certificate, validTo.epochMilliseconds],
    );
  const both = `${newer?.certificate}${older?.certificate}`;
  const [[, first = 0] = [], [, last = 0] = []] = ends({ cert: both, ca: both });
  assert.equal(last - first, 240 * 3_600_000);
  assert.deepEqual(ends({ cert: both }), [['tls.cert', first]]);
  assert.deepEqual(ends({ ca: both }), [['tls.ca', last]]);
  assert.deepEqual(ends({ cert: 'none', ca: '' }), []);
});
