import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDb } from '../../server/src/platform/db/db.ts';
import {
  type Alertmanager,
  HAS_ALERTMANAGER,
  type Labels,
  startAlertmanager,
} from '../../server/test-support/alertmanager.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { HAS_PROMETHEUS, startPrometheus } from '../../server/test-support/prometheus.ts';
import { startTestService } from '../../server/test-support/service.ts';

const RULES = fileURLToPath(new URL('../../deploy/monitoring/alerts.yaml', import.meta.url));
const SEVERITIES = severities();

/** Causes, the first alert of each, with what follows from it. */
const CAUSES: readonly { cause: Labels; follows: readonly Labels[] }[] = [
  {
    cause: { alertname: 'RecollectDatabaseUnavailable' },
    follows: [
      { alertname: 'RecollectStageFailing', stage: 'payments.open' },
      { alertname: 'RecollectErrorsLogged', event: 'engine.database_lost' },
      { alertname: 'RecollectErrorsLogged', event: 'http.request_failed' },
      { alertname: 'RecollectBooksUnreadable', part: 'payments' },
      { alertname: 'RecollectRequestsFailing' },
      { alertname: 'RecollectPaymentsNotSent', bank: 'northbank' },
    ],
  },
  {
    cause: { alertname: 'RecollectBankUnavailable', bank: 'northbank' },
    follows: [
      { alertname: 'RecollectBankSlow', bank: 'northbank' },
      { alertname: 'RecollectPaymentsNotSent', bank: 'northbank' },
      { alertname: 'RecollectOutcomeUnknown', bank: 'northbank' },
    ],
  },
  {
    cause: { alertname: 'RecollectIssuerUnavailable' },
    follows: [
      { alertname: 'RecollectPayOutUnknown', kind: 'settlement' },
      { alertname: 'RecollectInvariantUnknown', law: 'issuer' },
      { alertname: 'RecollectReconciliationIncomplete' },
      { alertname: 'RecollectOutcomeOverdue', reason: 'not_transferred' },
    ],
  },
  {
    cause: { alertname: 'RecollectClockWrong' },
    follows: [
      { alertname: 'RecollectStageBehind', stage: 'payments.open' },
      { alertname: 'RecollectErrorsLogged', event: 'engine.clock_skewed' },
      { alertname: 'RecollectPaymentsNotSent', bank: 'northbank' },
    ],
  },
  {
    cause: { alertname: 'RecollectDown', instance: 'engine:4004' },
    follows: [
      { alertname: 'RecollectNoEngine' },
      { alertname: 'RecollectStageBehind', stage: 'payments.open' },
      { alertname: 'RecollectWebhooksWaiting' },
    ],
  },
];

if (HAS_ALERTMANAGER && HAS_PROMETHEUS) runWithAlertmanager();
else
  test('inhibitions are checked by name only: apt-get install prometheus prometheus-alertmanager', () => {
    assert.ok(!(HAS_ALERTMANAGER && HAS_PROMETHEUS));
  });

function runWithAlertmanager(): void {
  for (const { cause, follows } of CAUSES)
    test(`${cause.alertname} is one notification, whatever follows from it`, async (t) => {
      const manager = await started(t, 2);
      const names = [cause, ...follows].map(({ alertname = '' }) => alertname);
      await manager.send([...follows, cause].map(withSeverity));
      const quiet = await manager.settled(names);
      assert.deepEqual(quiet, [...new Set(names.slice(1))].sort());
      assert.deepEqual(manager.notified, [`pager: ${cause.alertname}`]);
    });

  test('a bank that is down makes nothing quiet at another bank', async (t) => {
    const manager = await started(t, 2);
    const alertname = 'RecollectBankUnavailable';
    const late = { alertname: 'RecollectPaymentsNotSent', bank: 'harbour' };
    await manager.send([late, { alertname, bank: 'northbank' }].map(withSeverity));
    assert.deepEqual(await manager.settled([alertname, late.alertname]), []);
    assert.equal(manager.notified.length, 2);
  });

  test('a database that goes away is one notification', async (t) => {
    const [manager, service] = await Promise.all([started(t, 5), startTestService()]);
    t.after(() => service.close());
    const prometheus = await startPrometheus(
      [service.running.operatorUrl],
      await impatientRules(t),
      manager.host,
    );
    t.after(() => prometheus.close());
    // This process leaves the engine to the test.
    await manager.settled(['RecollectNoEngine']);
    const before = manager.notified.length;
    const restore = await closeToAll(service.running.platform.config.databaseUrl ?? '');
    const follow = [
      'RecollectBooksUnreadable',
      'RecollectErrorsLogged',
      'RecollectRequestsFailing',
    ];
    let isOver = false;
    // A counter that comes up between two scrapes and stays has no rate.
    const calls = (async () => {
      for (; !isOver; await sleep(200))
        assert.ok((await service.api('GET', '/api/v1/schedules')).status >= 500);
    })();
    try {
      const quiet = await manager.settled(['RecollectDatabaseUnavailable', ...follow]);
      for (const name of follow) assert.ok(quiet.includes(name), name);
    } finally {
      isOver = true;
      await calls.finally(restore);
    }
    assert.deepEqual(manager.notified.slice(before), ['pager: RecollectDatabaseUnavailable']);
  });
}

async function started(t: TestContext, waitSeconds: number): Promise<Alertmanager> {
  const manager = await startAlertmanager(waitSeconds);
  t.after(() => manager.close());
  return manager;
}

/** The severity of each alert, from its rule. */
function severities(): ReadonlyMap<string, string> {
  const rules = readFileSync(RULES, 'utf8').matchAll(/- alert: (\S+)$[\s\S]*?severity: (\S+)$/gm);
  return new Map([...rules].map(([, name = '', severity = '']) => [name, severity]));
}

function withSeverity(labels: Labels): Labels {
  const severity = SEVERITIES.get(labels.alertname ?? '');
  assert.ok(severity !== undefined, `there is no alert ${labels.alertname}`);
  return { ...labels, severity };
}

/** Writes the rules as they ship, except that nothing has to last before it alerts. */
async function impatientRules(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-rules-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'alerts.yaml');
  writeFileSync(path, readFileSync(RULES, 'utf8').replaceAll(/^(\s+for): .*$/gm, '$1: 1s'));
  return path;
}

/** Disconnects everybody from a database, and lets nobody in. Returns a function that ends that. */
async function closeToAll(url: string): Promise<() => Promise<void>> {
  const name = new URL(url).pathname.slice(1);
  const run = async (...statements: string[]): Promise<void> => {
    const db = openDb(new URL('/postgres', url).href, 1);
    await asOwner(db, async (tx) => {
      for (const sql of statements) await tx.run(sql);
    });
    await db.close();
  };
  await run(
    `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
  return () => run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
}
