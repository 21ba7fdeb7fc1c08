import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Grant, TokenRefused } from '../../server/src/banks/bank.ts';
import {
  type ConditionRecorder,
  recordConditions,
} from '../../server/src/banks/condition-recorder.ts';
import { readConditions } from '../../server/src/banks/condition-store.ts';
import {
  type OpenBankingBank,
  openBankingBank,
} from '../../server/src/banks/open-banking/connector.ts';
import { conditionNote, measureBank } from '../../server/src/operators/metrics/measure.ts';
import { makeMetrics } from '../../server/src/operators/metrics/metrics.ts';
import { type Db, openDb } from '../../server/src/platform/db/db.ts';
import { realClock, realNow } from '../../server/src/platform/time/clock.ts';
import { type TestDatabase, testDatabase } from '../../server/test-support/database.ts';
import { readPrometheusText, sampleOf } from '../../server/test-support/prometheus-text.ts';
import { type StubBank, startStubBank } from '../../server/test-support/stub-bank.ts';

let stub: StubBank;
let bank: OpenBankingBank;
let database: TestDatabase;
let db: Db;
let keeper: ConditionRecorder;

before(async () => {
  [stub, database] = await Promise.all([startStubBank(), testDatabase()]);
  db = openDb(database.url, 2);
  bank = await openBankingBank({ ...stub.config, timeoutMs: 500 });
  keeper = recordConditions(
    { db, clock: realClock, log: { report: () => undefined } },
    async () => undefined,
  );
});
after(async () => {
  await keeper.close();
  await Promise.all([bank.close(), stub.close(), db.close()]);
  await database.drop();
});

test('a bank that answers nothing while our tokens are valid is down after three calls, and their use is no call', async () => {
  const metrics = makeMetrics();
  const measured = measureBank(bank, metrics, conditionNote(keeper, stub.config.bankId));
  const grant: Grant = {
    accessToken: 'customer-token',
    refreshToken: 'refresh',
    expiresAt: realNow().add({ hours: 1 }),
    boundTo: new X509Certificate(stub.config.tls.cert).fingerprint256,
  };
  for (let count = 0; count < 3; count++) {
    stub.replies.push({ status: 200, hang: true });
    assert.equal(await measured.refresh(grant), grant);
    await assert.rejects(measured.confirmFunds(grant, 'vrp-1', 100), { name: 'BankUnavailable' });
    assert.equal(await measured.refresh(grant), grant);
  }
  await keeper.store();
  const standing = (await db.read((tx) => readConditions(tx, realNow())))(stub.config.bankId);
  assert.equal(standing.condition, 'down');
  assert.ok(standing.since !== null && realNow().since(standing.since).total('seconds') < 60);
  const calls = readPrometheusText(await metrics.expose());
  const name = 'recollect_bank_calls_total';
  assert.equal(sampleOf(calls, name, { operation: 'refresh' }), null);
  assert.equal(sampleOf(calls, name, { operation: 'confirm_funds', outcome: 'no_answer' }), 3);
});

test('a bank that gives us no token answers, but has not let us in: that is a failure', async () => {
  const noted: [boolean, string][] = [];
  const keep = {
    note: (...[, name, answered]: [string, string, boolean]) => noted.push([answered, name]),
  };
  const other = await openBankingBank(stub.config);
  const measured = measureBank(other, makeMetrics(), conditionNote(keep, stub.config.bankId));
  stub.tokenReplies.push({ status: 401, body: { error: 'invalid_client' } });
  await assert.rejects(measured.readConsent('vrp-1'), TokenRefused);
  assert.deepEqual(noted, [[false, 'consent']]);
  await other.close();
});
