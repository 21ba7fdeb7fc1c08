import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  afterCall,
  BANK_OPERATIONS,
  type BankOperation,
  conditionNow,
  type OperationState,
} from './condition.ts';

const START = Temporal.Instant.from('2026-03-02T09:00:00Z');
const after = (seconds: number): Temporal.Instant => START.add({ seconds });

/** Returns the state after calls a second apart: `.` was answered, `x` was not. */
function afterCalls(calls: string, from = 0): OperationState {
  const state = [...calls].reduce<OperationState | null>(
    (before, call, n) => afterCall(before, { at: after(from + n), answered: call === '.' }),
    null,
  );
  return state ?? assert.fail('no call');
}

const conditionAfter = (calls: string): string => afterCalls(calls).condition;
const standing = (
  states: Partial<Record<BankOperation, OperationState>>,
  atSecond: number,
): [string, string | undefined] => {
  const found = new Map(Object.entries(states) as [BankOperation, OperationState][]);
  const { condition, since } = conditionNow(found, after(atSecond));
  return [condition, since?.toString()];
};

test('three calls without an answer are an outage, one is nothing, two are trouble', () => {
  assert.equal(conditionAfter('..x'), 'operational');
  assert.equal(conditionAfter('..xx'), 'degraded');
  assert.equal(conditionAfter('..xxx'), 'down');
  assert.equal(afterCalls('..xxx').since.toString(), after(2).toString(), 'since the first');
});

test('a bank that answers again is in trouble until five answers in a row', () => {
  assert.equal(conditionAfter('xxx.'), 'degraded');
  assert.equal(conditionAfter('xxx....'), 'degraded');
  assert.equal(conditionAfter('xxx.....'), 'operational');
});

test('an answer ten minutes after the last failure ends the trouble', () => {
  const down = afterCalls('xxx');
  const at = (seconds: number) => afterCall(down, { at: after(seconds), answered: true }).condition;
  assert.equal(at(602), 'degraded');
  assert.equal(at(603), 'operational');
});

test('every failing call of a collection makes the bank down, however many others answered', () => {
  const well = afterCalls('.....');
  for (const operation of ['token', 'funds', 'payment'] as const)
    assert.deepEqual(standing({ read: well, consent: well, [operation]: afterCalls('xxx') }, 9), [
      'down',
      START.toString(),
    ]);
  assert.equal(standing({ payment: well, read: afterCalls('xxx') }, 9)[0], 'degraded');
  assert.equal(standing({ consent: afterCalls('xxx') }, 9)[0], 'down', 'nothing else answered');
});

test('a bank that has answered nothing for five minutes while a collection waits is down', () => {
  const one = { funds: afterCalls('.x') };
  assert.equal(standing(one, 300)[0], 'operational');
  assert.deepEqual(standing(one, 301), ['down', after(1).toString()]);
  assert.equal(standing({ ...one, read: afterCalls('.', 200) }, 400)[0], 'operational');
  assert.equal(standing({ consent: afterCalls('.x') }, 900)[0], 'operational', 'nothing waits');
});

test('a bank that was never called is operational, since no time', () => {
  const { condition, since, operations } = conditionNow(new Map(), START);
  assert.deepEqual([condition, since], ['operational', null]);
  assert.deepEqual(
    operations.map(({ operation }) => operation),
    [...BANK_OPERATIONS],
  );
});

const calls = fc.stringMatching(/^[.x]{1,30}$/);

test('whatever the calls: down is what the last three say, and an answer never makes it worse', () => {
  const worse = ['operational', 'degraded', 'down'];
  fc.assert(
    fc.property(calls, (made) => {
      const state = afterCalls(made);
      assert.equal(state.condition === 'down', made.endsWith('xxx'));
      assert.equal(state.failingSince === null, made.endsWith('.'));
      assert.ok(Temporal.Instant.compare(state.since, after(made.length)) <= 0);
      const answered = afterCall(state, { at: after(made.length), answered: true });
      assert.ok(worse.indexOf(answered.condition) <= worse.indexOf(state.condition));
      const failed = afterCall(state, { at: after(made.length), answered: false });
      if (failed.condition === state.condition) assert.ok(failed.since.equals(state.since));
    }),
  );
});

test('whatever the calls: time alone never makes a bank better, and no operation is better than told', () => {
  const worse = ['operational', 'degraded', 'down'];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...BANK_OPERATIONS), calls), (made) => {
      const states = new Map(
        Object.entries(made).map(([name, some]) => [name as BankOperation, afterCalls(some)]),
      );
      const [soon, later] = [30, 90_000].map((seconds) => conditionNow(states, after(seconds)));
      assert.ok(soon !== undefined && later !== undefined);
      assert.ok(worse.indexOf(later.condition) >= worse.indexOf(soon.condition));
      const isWell = later.operations.every(({ condition }) => condition === 'operational');
      assert.equal(later.condition === 'operational', isWell);
    }),
  );
});
