import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isNewcomer, NEWCOMER_FOR, type Pair, type Person, whyNoPair, whyNotAsk } from './pair.ts';

const NOW = Temporal.Instant.from('2026-11-28T12:00:00Z');
const hours = (n: number): Temporal.Instant => NOW.add({ hours: n });

const person = (id: string, more: Partial<Person> = {}): Person => ({
  id,
  name: `${id}@fernhill.example`,
  authenticated: true,
  newcomerUntil: null,
  letInBy: new Set(),
  ...more,
});
const ALICE = person('usr_1');
const BOB = person('usr_2');
const pair = (more: Partial<Pair> = {}): Pair => ({
  asker: ALICE,
  askedAt: hours(-1),
  second: BOB,
  now: NOW,
  ...more,
});

test('two people who were trusted before it was asked for, and never let each other in, are a pair', () => {
  assert.equal(whyNoPair(pair()), null);
});

test('one person is no pair, nor is one behind two ids', () => {
  assert.match(whyNoPair(pair({ second: ALICE })) ?? '', /another person/);
  const names = [
    ['Alice Ops', 'alice  OPS'],
    ['Alice Ops', 'Аlice Орs'], // Cyrillic А, О, р
    ['Alice Ops', 'Alíce Ops'],
    ['Alice Ops', 'AIice 0ps'],
    ['Alice Ops', 'Alice-Ops'],
    ['Alice Ops', 'Ａｌｉｃｅ Ops'],
    ['Νίκος Παπάς', 'ΝΙΚΟΣΠΑΠΑΣ'],
    ['alice@fernhill.example', 'Alice+second@fernhill.example'],
  ] as const;
  for (const [a, b] of names) {
    const found = pair({
      asker: person('opr_1', { name: a }),
      second: person('opr_2', { name: b }),
    });
    assert.match(whyNoPair(found) ?? '', /another person/, b);
  }
});

test('whom one of them let in is no second person beside them, ever and in both orders', () => {
  const puppet = person('usr_3', { letInBy: new Set(['usr_1']) });
  assert.match(whyNoPair(pair({ second: puppet })) ?? '', /let the other in/);
  assert.match(whyNoPair(pair({ asker: puppet, second: ALICE })) ?? '', /let the other in/);
});

test('whom a name of the shell let in is no second person beside the operator of that name', () => {
  const operator = person('opr_1', { name: 'Alice' });
  const made = person('opr_2', { name: 'Bob', letInBy: new Set(['shell:alice']) });
  assert.match(whyNoPair(pair({ asker: operator, second: made })) ?? '', /let the other in/);
});

test('two whom a third let in are a pair', () => {
  const [a, b] = ['usr_4', 'usr_5'].map((id) => person(id, { letInBy: new Set(['usr_1']) }));
  assert.ok(a !== undefined && b !== undefined);
  assert.equal(whyNoPair(pair({ asker: a, second: b })), null);
});

test('a newcomer is no half of a pair, whichever half they are', () => {
  const fresh = person('usr_6', { newcomerUntil: hours(1) });
  assert.notEqual(whyNoPair(pair({ second: fresh })), null);
  assert.notEqual(whyNoPair(pair({ asker: fresh })), null);
});

test('what a newcomer asked for, or what was asked for while the second was one, never becomes a pair’s', () => {
  const was = person('usr_7', { newcomerUntil: NOW }); // asked for an hour ago
  assert.notEqual(whyNoPair(pair({ asker: was })), null);
  assert.notEqual(whyNoPair(pair({ second: was })), null);
  const before = person('usr_8', { newcomerUntil: hours(-1) });
  assert.equal(whyNoPair(pair({ asker: before })), null);
});

test('a login on the machine never agrees', () => {
  const login = person('shell:robin', { name: 'robin', authenticated: false });
  assert.equal(whyNoPair(pair({ asker: login })), null);
  assert.match(whyNoPair(pair({ second: login })) ?? '', /login on the machine/);
});

test('a newcomer may not ask until 72 hours have passed, to the second', () => {
  const fresh = person('usr_9', { newcomerUntil: NOW.add(NEWCOMER_FOR) });
  assert.notEqual(whyNotAsk(fresh, NOW), null);
  assert.notEqual(whyNotAsk(fresh, hours(72).subtract({ seconds: 1 })), null);
  assert.equal(whyNotAsk(fresh, hours(72)), null);
  assert.equal(whyNotAsk(ALICE, NOW), null);
});

const somebody = fc
  .record({
    id: fc.constantFrom('usr_1', 'usr_2', 'usr_3', 'opr_1'),
    until: fc.option(fc.integer({ min: -200, max: 100 })),
    letInBy: fc.subarray(['usr_1', 'usr_2', 'usr_3', 'opr_1', 'service', 'shell:x']),
  })
  .map(({ id, until, letInBy }) =>
    person(id, {
      newcomerUntil: until === null ? null : hours(until),
      letInBy: new Set(letInBy.filter((by) => by !== id)),
    }),
  );

test('who is a pair does not depend on which of the two asked', () => {
  fc.assert(
    fc.property(somebody, somebody, fc.integer({ min: -300, max: 0 }), (a, b, at) => {
      const one = whyNoPair({ asker: a, askedAt: hours(at), second: b, now: NOW });
      const other = whyNoPair({ asker: b, askedAt: hours(at), second: a, now: NOW });
      assert.equal(one === null, other === null);
    }),
  );
});

test('no pair has one person, a newcomer at either moment, or one who let the other in', () => {
  fc.assert(
    fc.property(somebody, somebody, fc.integer({ min: -300, max: 0 }), (asker, second, ago) => {
      const askedAt = hours(ago);
      if (whyNoPair({ asker, askedAt, second, now: NOW }) !== null) return;
      assert.notEqual(asker.id, second.id);
      for (const one of [asker, second])
        for (const at of [askedAt, NOW]) assert.equal(isNewcomer(one, at), false);
      assert.ok(!asker.letInBy.has(second.id) && !second.letInBy.has(asker.id));
    }),
  );
});
