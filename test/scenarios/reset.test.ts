import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../../server/src/merchants/keys/key-service.ts';
import { whileAdvancing } from '../../server/src/sandbox/advance-lock.ts';
import { BOOKS, SHIFTED } from '../../server/src/sandbox/reset-store.ts';
import {
  type Answer,
  newMerchant,
  startTestService,
  type TestService,
} from '../../server/test-support/service.ts';
import { assertBooksInOrder, grantedSchedule, newSchedule, paymentsOf } from './acts.ts';

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service.close());

interface Clock {
  now: string;
  advancing: boolean;
}

const reset = (): Promise<Answer<Clock>> => service.api<Clock>('POST', '/sandbox/reset');

/** Returns the number of rows of each table. */
async function rowsByTable(): Promise<Record<string, number>> {
  const tables = await service.db.read((tx) =>
    tx.rows<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    ),
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const row = await service.db.read((tx) =>
      tx.row<{ n: number }>(`SELECT count(*) AS n FROM ${name}`),
    );
    counts[name] = row?.n ?? 0;
  }
  return counts;
}

/** Tables that a reset leaves unchanged; every other table of the service is emptied. */
const STAYS = [
  'api_keys',
  'credentials',
  'deployment',
  'deployment_keys',
  'invitations',
  'members',
  'merchant_fees',
  'merchant_looks',
  'merchants',
  'migrations',
  'passkeys',
  'sandbox_clock',
  'sessions',
  'two_factors',
  'used_codes',
  'user_links',
  'users',
  'verifications',
  'webhook_endpoints',
];
/** The planned wallet's account, and the merchant's accounts besides the wallets. */
const ACCOUNTS = 6;
/** For each merchant, one planned wallet and its accounts. */
const RECREATED: Record<string, number> = { wallets: 1, accounts: ACCOUNTS };

/** Returns the ids in the request log. */
async function requests(): Promise<Set<string>> {
  const rows = await service.db.read((tx) =>
    tx.rows<{ requestId: string }>('SELECT request_id FROM request_log'),
  );
  return new Set(rows.map((row) => row.requestId));
}

/** Runs forty days of a schedule that works and one that fails: collected, settled, webhooks sent. */
async function liveOn(): Promise<void> {
  const start_date = service.now().round('second').add({ hours: 2 }).toString();
  const monthly = { start_date, frequency: 'monthly', max_retries: 0 };
  const paid = await grantedSchedule(service, 'alex', monthly);
  const poor = await grantedSchedule(service, 'nina', monthly);
  await newSchedule(service, monthly);
  await service.advance('P40D');
  assert.equal((await paymentsOf(service, paid.id)).at(-1)?.status, 'success');
  assert.equal((await paymentsOf(service, poor.id)).at(-1)?.status, 'failed');
  const settlements = await service.api<{ data: { status: string }[] }>(
    'GET',
    '/api/v1/settlements',
  );
  assert.equal(settlements.body.data[0]?.status, 'success');
  assert.ok(service.receiver.received.some(({ event }) => event === 'settlement.success'));
  await assertBooksInOrder(service);
}

test('After a reset nothing of the old life is left, and a whole new one works', async () => {
  await liveOn();
  const stood = await rowsByTable();
  const asked = await requests();
  const oldBank = await service.bankBooks();
  assert.ok(oldBank.payments.length > 0 && service.now().epochMilliseconds > 0);

  const answer = await reset();
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.advancing, false);
  const offset = service.now().epochMilliseconds - Temporal.Now.instant().epochMilliseconds;
  assert.ok(Math.abs(offset) < 2_000, `the clock is ${offset} ms away from real time`);

  // Requests just before the reset are logged a tenth of a second later, like the reset itself.
  const {
    law_findings: _lookedAtAnew,
    law_marks: _markedAnew,
    law_rounds: _begunAnew,
    reconciliations: _reportedAnew,
    reconciliation_agenda: _dueAnew,
    safeguarding_agenda: _keptAnew,
    safeguarding_runs: _madeAnew,
    request_log: _late,
    ...counts
  } = await rowsByTable();
  assert.ok(asked.size > 0 && (await requests()).isDisjointFrom(asked));
  for (const [table, count] of Object.entries(counts))
    assert.equal(count, STAYS.includes(table) ? stood[table] : (RECREATED[table] ?? 0), table);
  assert.deepEqual((await service.bankBooks()).payments, []);
  assert.deepEqual((await service.issuerBooks()).wallets, []);

  service.receiver.received.length = 0;
  await service.advance('PT1H'); // the wallet is opened again
  await liveOn();
});

test('Keys, endpoints and their order are as old as they were', async () => {
  const ages = async (): Promise<number[]> => {
    const rows = await service.db.read((tx) =>
      tx.rows<{ at: Temporal.Instant }>(
        'SELECT created_at AS at FROM api_keys UNION ALL SELECT created_at FROM webhook_endpoints ORDER BY 1',
      ),
    );
    return rows.map(({ at }) => Math.round(at.until(service.now()).total('minutes')));
  };
  const { platform } = service.running;
  await platform.db.transaction((tx) =>
    createKey(
      platform,
      { tx, now: service.now(), merchantId: service.merchantId },
      'till',
      'made for a test',
    ),
  );
  await service.advance('P10D');
  const old = await ages();
  assert.equal((await reset()).status, 200);
  const now = await ages();
  for (const [i, age] of old.entries())
    assert.ok(Math.abs(age - (now[i] ?? 0)) <= 1, `${age} ${now[i]}`);
});

/** Moments that a reset leaves where they are: by the machine's clock, or set apart from the others. */
const NOT_SHIFTED = [
  ...[
    'credentials',
    'deployment',
    'deployment_keys',
    'engine_heartbeats',
    'identities',
    'invitations',
  ],
  ...[
    'let_ins',
    'migrations',
    'operator_identities',
    'operator_keys',
    'operator_sessions',
    'operators',
  ],
  ...[
    'passkeys',
    'reconciliation_agenda',
    'safeguarding_agenda',
    'sandbox_clock',
    'sessions',
    'two_factors',
    'used_codes',
  ],
  ...['user_links', 'users', 'verifications', 'write_check'],
];

test('Every moment of what stays is shifted with the clock, or known to be of another clock', async () => {
  const columns = await service.db.read((tx) =>
    tx.rows<{ name: string; columns: string[] }>(
      `SELECT table_name AS name, array_agg(column_name::text) AS columns FROM information_schema.columns
       JOIN pg_tables ON tablename = table_name AND schemaname = table_schema
       WHERE table_schema = 'public' AND data_type = 'timestamp with time zone' GROUP BY table_name`,
    ),
  );
  const stays = columns.filter(({ name }) => !BOOKS.includes(name) && !NOT_SHIFTED.includes(name));
  const sorted = (of: [string, readonly string[]][]) =>
    Object.fromEntries(of.map(([name, some]) => [name, [...some].sort()]));
  assert.deepEqual(
    sorted(stays.map(({ name, columns: some }) => [name, some])),
    sorted(Object.entries(SHIFTED)),
  );
});

test('Every merchant starts again', async () => {
  await newMerchant(service.running, { name: 'Fernhill Pool' });
  assert.equal((await reset()).status, 200);
  const { wallets, accounts, merchants } = await rowsByTable();
  assert.deepEqual([merchants, wallets, accounts], [2, 2, 2 * ACCOUNTS]);
  await service.advance('PT1H');
  assert.equal((await service.issuerBooks()).wallets.length, 2);
});

test('A reset waits for nobody who moves the clock: it is refused', async () => {
  await whileAdvancing(service.running.platform.db, async () => {
    const answer = await service.api<{ error: { code: string } }>('POST', '/sandbox/reset');
    assert.deepEqual([answer.status, answer.body.error.code], [409, 'clock_busy']);
  });
});

test('Nobody resets a sandbox without a key, or with fields that it does not take', async () => {
  const headers = { authorization: 'Bearer rk_test_nobody' };
  assert.equal((await service.api('POST', '/sandbox/reset', undefined, headers)).status, 401);
  assert.equal((await service.api('POST', '/sandbox/reset', { now: '2026-01-01' })).status, 400);
});

test('Where the engine runs, it goes on with the new life on its own', async () => {
  const busy = await startTestService({ env: { ROLES: 'api,portal,engine' } });
  try {
    assert.equal((await busy.api('POST', '/sandbox/reset')).status, 200);
    for (let tries = 0; (await busy.issuerBooks()).wallets[0]?.status !== 'open'; tries++) {
      assert.ok(tries < 1_200, 'the wallet is opened again');
      await sleep(100);
    }
  } finally {
    await busy.close();
  }
});
