import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { afterCall, conditionNow, type OperationState } from '../../banks/condition.ts';
import { NONE_UNSENT, type Unsent } from '../../payments/books/unsent-store.ts';
import { RecentCalls } from './recent-calls.ts';
import { type Facts, reportOf } from './report.ts';

const NOW = 10_000_000;
const NOTHING = { answeredAt: null, failedAt: null, failuresInARow: 0 };
const AT = Temporal.Instant.from('2026-03-02T10:00:00Z');
const WELL: Facts = {
  nowMs: NOW,
  database: { milliseconds: 1, refusal: null },
  orphans: { payments: 0, silentSeconds: 0 },
  engine: { isRunning: true, lookedAt: NOW - 400, startedAt: 0 },
  clock: { aheadMs: 1_480, isWrong: false },
  mayPause: false,
  lag: new Map([['payments.open', 2]]),
  at: AT,
  banks: new Map([['northbank', { standing: conditionNow(new Map(), AT), unsent: NONE_UNSENT }]]),
  stopped: new Set(),
  issuer: NOTHING,
  holidays: { extra: new Set(), without: new Set() },
};
const partsOf = (facts: Partial<Facts>): [string, string[]] => {
  const { status, problems } = reportOf({ ...WELL, ...facts });
  return [status, problems.map(({ part }) => part)];
};

test('a process whose database answers and whose engine looks is well', () => {
  const report = reportOf(WELL);
  assert.deepEqual([report.status, report.problems], ['ok', []]);
  const engine = { status: 'running', looked_seconds_ago: 0, behind: [] };
  assert.deepEqual(report.engine, engine);
  assert.deepEqual(report.clock, { ahead_seconds: 1 });
  assert.equal(report.banks[0]?.condition, 'operational');
  assert.equal(report.issuer.status, 'not_called');
});

test('the report shows what settings change about the bank holidays', () => {
  const holidays = {
    extra: new Set(['2027-06-07', '2027-01-04']),
    without: new Set(['2027-05-03']),
  };
  assert.deepEqual(reportOf({ ...WELL, holidays }).bank_holidays, {
    extra: ['2027-01-04', '2027-06-07'],
    without: ['2027-05-03'],
  });
});

test('without its database a process fails', () => {
  const database = { milliseconds: null, refusal: null };
  assert.deepEqual(partsOf({ database, lag: null }), ['failing', ['database']]);
  assert.equal(reportOf({ ...WELL, database }).database.status, 'no_answer');
});

test('a database that cannot be written fails the process, and the report says what to do', () => {
  const saysOf = (refusal: string): string => {
    const report = reportOf({ ...WELL, database: { milliseconds: 1, refusal } });
    assert.deepEqual([report.status, report.database.status], ['failing', 'cannot_write']);
    return report.problems[0]?.says ?? '';
  };
  assert.equal(
    saysOf('53100'),
    'The database answers and cannot be written: its disk is full. Make the disk larger, or free space on it.',
  );
  assert.match(saysOf('25006'), /read-only.*primary/);
  assert.match(saysOf('late'), /two seconds.*lock/);
  assert.match(saysOf('42501'), /SQLSTATE 42501/);
});

test('payments that silent processes have claimed are named while nobody gives them back', () => {
  const orphans = { payments: 3, silentSeconds: 94.2 };
  assert.deepEqual(partsOf({ orphans }), ['degraded', ['claims']]);
  assert.match(
    reportOf({ ...WELL, orphans }).problems[0]?.says ?? '',
    /^3 payments are claimed by processes .* 94 seconds.* Start one\.$/,
  );
  assert.deepEqual(partsOf({ orphans: null }), ['ok', []]);
});

test('each problem names a section of the runbook', async () => {
  const runbook = await readFile(
    new URL('../../../../docs/guides/runbook.md', import.meta.url),
    'utf8',
  );
  const sections = new Set([...runbook.matchAll(/^### (\S+)$/gm)].map(([, name]) => name));
  const { problems } = reportOf({
    ...WELL,
    database: { milliseconds: null, refusal: null },
    engine: {
      isRunning: true,
      lookedAt: 0,
      startedAt: 0,
    },
    clock: { aheadMs: 60_000, isWrong: true },
    lag: new Map([['payments.open', 301]]),
    orphans: { payments: 1, silentSeconds: 31 },
    banks: bankDown(),
    stopped: new Set(['northbank']),
    issuer: { answeredAt: null, failedAt: NOW, failuresInARow: 3 },
  });
  const stopped = { isRunning: false, lookedAt: null, startedAt: 0 };
  const all = [...problems, ...reportOf({ ...WELL, engine: stopped }).problems];
  assert.equal(all.length, 9);
  for (const { part, runbook: section } of all)
    assert.ok(sections.has(section), `${part}: ${section}`);
});

test('an engine that has not looked for fifteen seconds is stuck, and so is one that never has', () => {
  const engine = { isRunning: true, startedAt: 0 };
  const stuck = ['failing', ['engine']];
  assert.deepEqual(partsOf({ engine: { ...engine, lookedAt: NOW - 15_001 } }), stuck);
  assert.deepEqual(partsOf({ engine: { ...engine, lookedAt: null } }), stuck);
  assert.deepEqual(partsOf({ engine: { ...engine, lookedAt: NOW - 15_000 } }), ['ok', []]);
  assert.deepEqual(partsOf({ engine: { ...engine, lookedAt: null, startedAt: NOW } }), ['ok', []]);
});

test('a stopped engine fails, except where the sandbox moves its clock; no engine is no problem', () => {
  const engine = { isRunning: false, lookedAt: null, startedAt: 0 };
  assert.deepEqual(partsOf({ engine }), ['failing', ['engine']]);
  assert.deepEqual(partsOf({ engine, mayPause: true }), ['ok', []]);
  assert.equal(reportOf({ ...WELL, engine, mayPause: true }).engine.status, 'paused');
  assert.deepEqual(partsOf({ engine: null }), ['ok', []]);
});

test('a stopped bank is named, and shown as unknown where the stops could not be read', () => {
  const stopped = new Set(['northbank']);
  assert.deepEqual(partsOf({ stopped }), ['degraded', ['bank northbank']]);
  assert.equal(reportOf({ ...WELL, stopped }).banks[0]?.stopped, true);
  assert.equal(reportOf({ ...WELL, stopped: null }).banks[0]?.stopped, null);
});

test('a stage that is behind is named, and fails no process', () => {
  const lag = new Map([
    ['payments.open', 301.4],
    ['webhooks.deliver', 300],
  ]);
  const { status, problems, engine } = reportOf({ ...WELL, lag });
  assert.equal(status, 'degraded');
  assert.deepEqual(problems, [
    {
      part: 'stage payments.open',
      says: 'Its oldest work has been due for 301 seconds.',
      runbook: 'RecollectStageBehind',
    },
  ]);
  assert.deepEqual(engine.behind, [{ stage: 'payments.open', seconds: 301 }]);
});

/** Returns a bank whose payment calls failed three times, a minute ago, with what waits there. */
function bankDown(unsent: Partial<Unsent> = {}): Facts['banks'] {
  const state = [60, 59, 58].reduce<OperationState | null>(
    (before, seconds) => afterCall(before, { at: AT.subtract({ seconds }), answered: false }),
    null,
  );
  assert.ok(state !== null);
  const standing = conditionNow(new Map([['payment', state]]), AT);
  return new Map([['northbank', { standing, unsent: { ...NONE_UNSENT, ...unsent } }]]);
}

test('a bank that is down is a problem, with what waits because of it', () => {
  const says = (banks: Facts['banks'], stopped = new Set<string>()): string[] =>
    reportOf({ ...WELL, banks, stopped }).problems.map((problem) => problem.says);
  assert.deepEqual(says(bankDown()), ['It has been down for 60 seconds.']);
  const unsent = { payments: 17, merchants: 3, pence: 8_500, oldest: AT.subtract({ seconds: 55 }) };
  const waits = '17 payments of 3 merchants wait (£85.00), the oldest for 55 seconds.';
  assert.deepEqual(says(bankDown(unsent)), [`It has been down for 60 seconds. ${waits}`]);
  assert.equal(says(bankDown(unsent), new Set(['northbank'])).length, 2);
  const { waiting, operations } = reportOf({ ...WELL, banks: bankDown(unsent) }).banks[0] ?? {};
  assert.deepEqual(waiting, { payments: 17, merchants: 3, pence: 8_500, oldest_seconds: 55 });
  assert.equal(operations?.payment, 'down');
});

test('payments that are due for five minutes and not sent are a problem, whatever the bank', () => {
  const standing = conditionNow(new Map(), AT);
  const waitingFor = (seconds: number) => ({
    banks: new Map([
      [
        'northbank',
        {
          standing,
          unsent: { payments: 1, merchants: 1, pence: 100, oldest: AT.subtract({ seconds }) },
        },
      ],
    ]),
  });
  assert.deepEqual(partsOf(waitingFor(300)), ['ok', []]);
  assert.deepEqual(partsOf(waitingFor(301)), ['degraded', ['bank northbank']]);
});

test('banks that were not read are shown as unknown', () => {
  const [bank] = reportOf({ ...WELL, banks: new Map([['northbank', null]]) }).banks;
  assert.deepEqual([bank?.condition, bank?.waiting, bank?.operations], [null, null, null]);
});

test('three calls in a row without an answer make the issuer silent; a refusal is an answer', () => {
  const calls = new RecentCalls();
  const issuer = (): Partial<Facts> => ({ issuer: calls.of('issuer:') });
  for (const outcome of ['no_answer', 'no_answer'])
    assert.equal(calls.note('issuer:', outcome, NOW), null);
  assert.deepEqual(partsOf(issuer()), ['ok', []]);
  assert.equal(calls.note('issuer:', 'no_answer', NOW), 'silent');
  assert.deepEqual(partsOf(issuer()), ['degraded', ['issuer']]);
  assert.equal(calls.note('issuer:', 'no_answer', NOW), null);
  assert.equal(calls.note('issuer:', 'refused', NOW), 'answers_again');
  assert.deepEqual(partsOf(issuer()), ['ok', []]);
});

test('failures of a quarter of an hour ago say nothing of now', () => {
  const issuer = { answeredAt: null, failedAt: NOW - 900_000, failuresInARow: 9 };
  assert.deepEqual(partsOf({ issuer }), ['degraded', ['issuer']]);
  assert.deepEqual(partsOf({ issuer: { ...issuer, failedAt: NOW - 900_001 } }), ['ok', []]);
});

test('a process whose clock is wrong fails, and the report says by how much and what to do', () => {
  const clock = { aheadMs: -3_600_000, isWrong: true };
  const { status, problems } = reportOf({ ...WELL, engine: null, clock });
  assert.equal(status, 'failing');
  assert.match(problems[0]?.says ?? '', /3600 seconds behind the database's.*Set the clock/);
});
