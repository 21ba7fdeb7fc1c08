import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MACHINES } from '../../../../scripts/checks/state-machines.ts';
import { LIVES } from './lives.ts';
import { LISTED } from './overdue-store.ts';

const nameOf = ({ noun, state }: { noun: string; state: string }): string => `${noun} ${state}`;

test('every state of every state machine has one line that says how old it may be', () => {
  const states = MACHINES.flatMap(({ noun, states: all }) =>
    Object.keys(all).map((state) => `${noun} ${state}`),
  );
  const lines = LIVES.map(nameOf);
  assert.deepEqual(
    states.filter((one) => !lines.includes(one)),
    [],
    'a state without a line',
  );
  assert.equal(new Set(lines).size, lines.length, 'a state with two lines');
});

test('no line is about a state that a machine does not have', () => {
  const machines = new Map(MACHINES.map((machine) => [machine.noun, machine]));
  const unknown = LIVES.filter(({ noun, state }) => {
    const machine = machines.get(noun);
    return machine !== undefined && !(state in machine.states);
  });
  assert.deepEqual(unknown, []);
});

test('a state that nothing leaves has no limit', () => {
  const ends = new Set(
    MACHINES.flatMap(({ noun, states, edges }) =>
      Object.keys(states)
        .filter((state) => !edges.some(({ from }) => from === state))
        .map((state) => `${noun} ${state}`),
    ),
  );
  assert.deepEqual(
    LIVES.filter((life) => ends.has(nameOf(life)) && life.limit !== null),
    [],
  );
});

test('a state in which money may be under way has a limit', () => {
  for (const noun of ['payments', 'refunds', 'settlements'])
    for (const machine of MACHINES.filter((one) => one.noun === noun))
      for (const [state, { stage }] of Object.entries(machine.states))
        if (stage !== null && stage !== undefined)
          assert.ok(LIVES.find((one) => one.noun === noun && one.state === state)?.limit, state);
});

test('every line with a limit has a list, and the list of what is overdue finds exactly its lines', () => {
  const withLimit = LIVES.filter(({ limit }) => limit !== null);
  assert.deepEqual(
    withLimit.filter(({ list }) => list === null),
    [],
  );
  const listed = withLimit.filter(({ list }) => list === 'overdue').map(nameOf);
  assert.deepEqual(listed.sort(), LISTED.map(nameOf).sort());
});
