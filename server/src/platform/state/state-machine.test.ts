import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isIn, stateOf, stateWhen } from './move-statement.ts';
import {
  edgeOf,
  edges,
  hasEdge,
  type StateMachine,
  statuses,
  transition,
} from './state-machine.ts';

type Door = 'open' | 'shut' | 'locked';

const DOORS: StateMachine<Door> = {
  noun: 'doors',
  table: 'doors',
  key: ['door_id'],
  states: statuses('open', 'shut', 'locked'),
  begins: ['open'],
  edges: [
    { from: 'open', to: 'shut', why: 'somebody shut it' },
    { from: 'shut', to: 'locked', why: 'somebody locked it', event: 'door.locked' },
    ...edges<Door>(['shut', 'locked'], 'open', 'somebody opened it'),
  ],
};

test('an edge that the table does not name is refused', () => {
  assert.equal(edgeOf(DOORS, 'open', 'shut').why, 'somebody shut it');
  assert.ok(hasEdge(DOORS, 'locked', 'open'));
  assert.ok(!hasEdge(DOORS, 'open', 'locked'));
  assert.throws(() => edgeOf(DOORS, 'open', 'locked'), {
    message: 'doors cannot go from open to locked',
  });
  assert.throws(() => transition(DOORS, ['shut', 'open'], 'locked'), /from open to locked/);
});

test('a move knows its change of status and its event, and its statement sets and guards the state', () => {
  const lock = transition(DOORS, ['shut'], 'locked');
  assert.deepEqual([lock.statusBefore, lock.statusAfter], ['shut', 'locked']);
  assert.deepEqual(lock.events, ['door.locked']);
  const open = transition(DOORS, ['shut', 'locked'], 'open');
  assert.equal(open.statusBefore, null);
  assert.equal(stateOf(lock), "status = 'locked'");
  assert.equal(isIn(DOORS, open.from, 't'), "(t.status = 'shut' OR t.status = 'locked')");
  const set = stateWhen('t', [
    ['a', lock],
    ['b', open],
  ]);
  assert.equal(set, "status = CASE WHEN a THEN 'locked' WHEN b THEN 'open' ELSE t.status END");
});

test('an edge may have several events, which its move appends in their order', () => {
  const event = ['door.closed', 'door.locked'] as const;
  const machine = { ...DOORS, edges: edges<Door>(['open', 'shut'], 'locked', 'slammed', event) };
  assert.deepEqual(transition(machine, ['open', 'shut'], 'locked').events, event);
});

test('of edges with different events no one move is made', () => {
  const machine: StateMachine<Door> = {
    ...DOORS,
    edges: [
      { from: 'open', to: 'locked', why: 'slammed' },
      { from: 'shut', to: 'locked', why: 'locked', event: 'door.locked' },
    ],
  };
  assert.throws(() => transition(machine, ['open', 'shut'], 'locked'), /different events/);
});
