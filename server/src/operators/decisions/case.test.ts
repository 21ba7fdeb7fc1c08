import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { slug } from '../../app/docs/markdown.ts';
import { LIVES } from '../../laws/invariants/lives.ts';
import { LISTED, type Overdue } from '../../laws/invariants/overdue-store.ts';
import {
  BARE,
  type Case,
  comparison,
  KINDS_OF_NOUNS,
  OVERDUE_STATES,
  overdueCases,
  STEPS,
  sortCases,
} from './case.ts';

test('what was asked for and what came are compared in words', () => {
  for (const [expected, arrived, words] of [
    [2999, 2998, 'Expected £29.99, arrived £29.98 (1p short)'],
    [2999, 3199, 'Expected £29.99, arrived £31.99 (£2.00 too much)'],
    [2999, 2999, 'Expected £29.99, arrived £29.99'],
    [2999, 2899, 'Expected £29.99, arrived £28.99 (£1.00 short)'],
  ] as const)
    assert.equal(comparison(expected, arrived), words);
});

test('everything that may wait for a person has a kind and words, so that nothing waits unseen', () => {
  for (const { noun } of LIVES.filter(({ list }) => list !== null))
    assert.ok(KINDS_OF_NOUNS[noun], noun);
  assert.deepEqual(
    LISTED.map(({ noun, state }) => `${noun} ${state}`).toSorted(),
    OVERDUE_STATES.toSorted(),
  );
});

const at = (hour: number) => Temporal.Instant.from(`2026-01-05T${hour}:00:00Z`);

test('what a stage has to send is one case for each kind, since the oldest', () => {
  const row = (noun: string, id: string, hour: number): Overdue => ({
    ...{ noun, id, state: 'pending', merchantId: 'mer_1', bankId: null },
    since: at(hour),
  });
  const cases = overdueCases([
    row('notices', 'ntc_1', 10),
    row('refunds', 'ref_1', 11),
    row('notices', 'ntc_2', 12),
  ]);
  assert.deepEqual(
    cases.map(({ kind, id, what, since, acts }) => [kind, id, what, since, acts]),
    [
      ['refund', 'ref_1', 'A refund was not ordered', at(11), ['not_done']],
      ['notice', 'notice', 'Notices are overdue: 2', at(10), []],
    ],
  );
});

test('each deletion says at which bank it is, also where two banks gave a consent the same id', () => {
  const row = (bankId: string): Overdue => ({
    ...{ noun: 'bank deletions', state: 'waiting', merchantId: 'mer_1', id: 'urn-1', bankId },
    since: at(10),
  });
  assert.deepEqual(
    overdueCases([row('northbank'), row('southbank')]).map(({ bankId }) => bankId),
    ['northbank', 'southbank'],
  );
});

test('the one that waits longest comes first, or the one with the most money, and what has none last', () => {
  const make = (id: string, hour: number, amountPence: number | null): Case => ({
    ...BARE,
    ...{ kind: 'payment', id, what: '', reason: '', since: at(hour), amountPence, step: 'payment' },
  });
  const cases = [make('a', 12, 5), make('b', 10, null), make('c', 11, 900), make('d', 11, 900)];
  const ids = (sort: 'since' | '-amount') => sortCases(cases, sort).map(({ id }) => id);
  assert.deepEqual(ids('since'), ['b', 'c', 'd', 'a']);
  assert.deepEqual(ids('-amount'), ['c', 'd', 'a', 'b']);
});

test('every step leads to a section of the guides', () => {
  for (const { section } of Object.values(STEPS)) {
    const [page, anchor] = section.split('#');
    const text = readFileSync(`docs/guides/${page}.md`, 'utf8');
    const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => slug(title));
    assert.ok(anchors.includes(anchor ?? ''), section);
  }
});
