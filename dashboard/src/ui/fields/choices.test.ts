import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choicesOf, withSwitched } from './choices.ts';

const LABELS = { active: 'Active', paused: 'Paused' } as const;

test('every value of a set can be chosen by its label', () => {
  assert.deepEqual(choicesOf(LABELS), [
    { value: 'active', label: 'Active' },
    { value: 'paused', label: 'Paused' },
  ]);
});

test('none of them can be chosen, if it has a label', () => {
  assert.deepEqual(choicesOf(LABELS, 'All statuses')[0], { value: '', label: 'All statuses' });
});

test('chosen values are in the order in which they are offered', () => {
  assert.deepEqual(withSwitched(['a', 'b', 'c'], ['c'], 'a', true), ['a', 'c']);
  assert.deepEqual(withSwitched(['a', 'b', 'c'], ['a', 'c'], 'a', false), ['c']);
});

test('a chosen value that is not offered stays when another one is switched', () => {
  assert.deepEqual(withSwitched(['a', 'b'], ['a', 'newer'], 'b', true), ['a', 'b', 'newer']);
  assert.deepEqual(withSwitched(['a', 'b'], ['a', 'newer'], 'a', false), ['newer']);
});
