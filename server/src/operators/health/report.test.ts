import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentCalls } from './recent-calls.ts';
import { type Facts, reportOf } from './report.ts';

const NOW = 10_000_000;
const NOTHING = { answeredAt: null, failedAt: null, failuresInARow: 0 };
const RIGHT = { clockAheadMs: 12, isClockWrong: false };
const WELL: Facts = {
  nowMs: NOW,
  databaseMs: 1,
  engine: { isRunning: true, lookedAt: NOW - 400, startedAt: 0, ...RIGHT },
  mayPause: false,
  lag: new Map([['payments.open', 2]]),
  banks: new Map([['northbank', { answeredAt: NOW - 3_000, failedAt: null, failuresInARow: 0 }]]),
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
  const engine = { status: 'running', looked_seconds_ago: 0, clock_ahead_seconds: 0, behind: [] };
  assert.deepEqual(report.engine, engine);
  assert.equal(report.banks[0]?.status, 'answers');
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
  assert.deepEqual(partsOf({ databaseMs: null, lag: null }), ['failing', ['database']]);
});

test('an engine that has not looked for fifteen seconds is stuck, and so is one that never has', () => {
  const engine = { isRunning: true, startedAt: 0, ...RIGHT };
  const stuck = ['failing', ['engine']];
  assert.deepEqual(partsOf({ engine: { ...engine, lookedAt: NOW - 15_001 } }), stuck);
  assert.deepEqual(partsOf({ engine: { ...engine, lookedAt: null } }), stuck);
  assert.deepEqual(partsOf({ engine: { ...engine, lookedAt: NOW - 15_000 } }), ['ok', []]);
  assert.deepEqual(partsOf({ engine: { ...engine, lookedAt: null, startedAt: NOW } }), ['ok', []]);
});

test('a stopped engine fails, except where the sandbox moves its clock; no engine is no problem', () => {
  const engine = { isRunning: false, lookedAt: null, startedAt: 0, ...RIGHT };
  assert.deepEqual(partsOf({ engine }), ['failing', ['engine']]);
  assert.deepEqual(partsOf({ engine, mayPause: true }), ['ok', []]);
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
    { part: 'stage payments.open', says: 'Its oldest work has been due for 301 seconds.' },
  ]);
  assert.deepEqual(engine.behind, [{ stage: 'payments.open', seconds: 301 }]);
});

test('three calls in a row without an answer make a partner silent; a refusal is an answer', () => {
  const calls = new RecentCalls();
  const banks = (): Partial<Facts> => ({ banks: new Map([['northbank', calls.of('northbank')]]) });
  for (const outcome of ['no_answer', 'not_sent']) calls.note('northbank', outcome, NOW);
  assert.deepEqual(partsOf(banks()), ['ok', []]);
  calls.note('northbank', 'no_answer', NOW);
  assert.deepEqual(partsOf(banks()), ['degraded', ['bank northbank']]);
  calls.note('northbank', 'refused', NOW);
  assert.deepEqual(partsOf(banks()), ['ok', []]);
});

test('failures of a quarter of an hour ago say nothing of now', () => {
  const issuer = { answeredAt: null, failedAt: NOW - 900_000, failuresInARow: 9 };
  assert.deepEqual(partsOf({ issuer }), ['degraded', ['issuer']]);
  assert.deepEqual(partsOf({ issuer: { ...issuer, failedAt: NOW - 900_001 } }), ['ok', []]);
});

test('a process whose clock is wrong fails, and the report says by how much and what to do', () => {
  const engine = { isRunning: true, lookedAt: NOW, startedAt: 0, isClockWrong: true };
  const { status, problems } = reportOf({
    ...WELL,
    engine: { ...engine, clockAheadMs: -3_600_000 },
  });
  assert.equal(status, 'failing');
  assert.match(problems[0]?.says ?? '', /3600 seconds behind the database's.*Set the clock/);
});
