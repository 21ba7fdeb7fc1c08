import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  afterCall,
  BANK_CONDITIONS,
  type BankCondition,
  type BankOperation,
  conditionNow,
  type OperationState,
  type OperationStates,
} from './condition.ts';
import {
  type ConditionChange,
  type ConditionPeriod,
  changesOf,
  conditionPeriods,
} from './condition-history.ts';

const START = Temporal.Instant.from('2026-03-02T09:00:00Z');
const at = (seconds: number): Temporal.Instant => START.add({ seconds });
const secondsOf = (moment: Temporal.Instant): number => moment.since(START).total('seconds');
const NEVER: OperationStates = new Map();

/** A call of an operation at a second: `.` was answered, `x` was not. */
type Call = readonly [operation: BankOperation, second: number, answer: '.' | 'x'];

/** Makes calls, each stored on its own; returns the bank after them, and what is recorded of its condition. */
function afterCalls(calls: readonly Call[]) {
  let states: OperationStates = NEVER;
  let recorded: ConditionChange[] = [];
  for (const [operation, second, answer] of calls) {
    const before = states.get(operation) ?? null;
    const state = afterCall(before, { at: at(second), answered: answer === '.' });
    const next = new Map<BankOperation, OperationState>([...states, [operation, state]]);
    for (const change of changesOf(states, at(second), next))
      recorded = [
        ...recorded.filter((one) => Temporal.Instant.compare(one.at, change.at) < 0),
        change,
      ];
    states = next;
  }
  return { states, recorded };
}

const shown = (stretches: readonly ConditionPeriod[]) =>
  stretches.map(({ condition, from, to }) => [condition, secondsOf(from), secondsOf(to)]);

/** Returns the stretches between two seconds of a bank that was called. */
const between = (from: number, to: number, ...calls: Call[]) => {
  const { states, recorded } = afterCalls(calls);
  return shown(
    conditionPeriods(recorded, conditionNow(states, at(to)), { from: at(from), to: at(to) }),
  );
};

const every = (operation: BankOperation, first: number, answers: string): Call[] =>
  [...answers].map((answer, n) => [operation, first + n, answer as '.' | 'x']);

test('an outage begins with its first call without an answer, and ends with the calls that are answered', () => {
  assert.deepEqual(
    between(
      -50,
      400,
      ...every('payment', 0, '.'),
      ...every('payment', 100, 'xxx'),
      ...every('payment', 200, '.'),
      ...every('payment', 300, '....'),
    ),
    [
      [null, -50, 0],
      ['operational', 0, 100],
      ['down', 100, 200],
      ['degraded', 200, 303],
      ['operational', 303, 400],
    ],
  );
});

test('a bank that was never called has one stretch of which nothing is known', () => {
  assert.deepEqual(between(0, 60), [[null, 0, 60]]);
});

test('what held before the first moment is shown from it on, and nothing from after the last', () => {
  const calls = [...every('payment', 0, '.xxx'), ...every('payment', 500, '.')];
  assert.deepEqual(between(100, 200, ...calls), [['down', 100, 200]]);
});

test('a bank that is down by its silence is down on the strip, and was when it answers again', () => {
  const silent: Call[] = [...every('funds', 0, '.'), ...every('funds', 60, 'x')];
  assert.deepEqual(between(0, 900, ...silent), [
    ['operational', 0, 60],
    ['down', 60, 900],
  ]);
  assert.deepEqual(between(0, 1_000, ...silent, ['funds', 900, '.']), [
    ['operational', 0, 60],
    ['down', 60, 900],
    ['operational', 900, 1_000],
  ]);
});

test('a bank that comes and goes within a minute has one stretch of trouble, but not once it is well', () => {
  const flapping = [0, 20, 40, 60].flatMap((second) => every('payment', second, 'xxx.....'));
  const [trouble, ...rest] = between(0, 300, ...flapping);
  assert.deepEqual(trouble, ['down', 0, 67]);
  assert.deepEqual(rest, [['operational', 67, 300]]);
  assert.equal(between(0, 70, ...flapping).at(-1)?.[0], 'operational');
});

const anyCalls = fc.array(
  fc.tuple(
    fc.constantFrom('token', 'payment', 'read') as fc.Arbitrary<BankOperation>,
    fc.integer({ min: 0, max: 200 }),
    fc.constantFrom('.', 'x', 'x') as fc.Arbitrary<'.' | 'x'>,
  ),
  { maxLength: 60 },
);

test('whatever the calls: stretches leave no gap, each differs from the next, and the last is how the bank is', () => {
  fc.assert(
    fc.property(anyCalls, fc.integer({ min: 0, max: 3_000 }), (gaps, start) => {
      let second = 0;
      const calls = gaps.map(([operation, gap, answer]): Call => {
        second += gap;
        return [operation, second, answer];
      });
      const end = Math.max(start, second) + 1;
      const { states, recorded } = afterCalls(calls);
      const standing = conditionNow(states, at(end));
      const stretches = conditionPeriods(recorded, standing, { from: at(start), to: at(end) });
      assert.deepEqual([shown(stretches)[0]?.[1], shown(stretches).at(-1)?.[2]], [start, end]);
      for (const [n, one] of stretches.entries()) {
        const next = stretches[n + 1];
        assert.ok(Temporal.Instant.compare(one.from, one.to) < 0);
        if (next === undefined) continue;
        assert.ok(one.to.equals(next.from));
        assert.notEqual(one.condition, next.condition);
      }
      const last: BankCondition | null = standing.since === null ? null : standing.condition;
      assert.equal(stretches.at(-1)?.condition, last);
      assert.ok(recorded.every(({ condition }) => BANK_CONDITIONS.includes(condition)));
    }),
  );
});
