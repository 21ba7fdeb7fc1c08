import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mentions, tracesOf } from './traces.ts';

const KIM = {
  phone: '+447700900322',
  bankAccount: '08999966374958',
  name: 'Kim Fernsby',
  email: 'kim@fernsby.example',
  reference: 'K-7',
};

test('a person is recognised by number, account, name and address, however a filter writes them', () => {
  const traces = tracesOf(KIM);
  for (const text of [
    'q=kim+fernsby',
    'q=Kim%20Fernsby&status=failed',
    'q=07700900322',
    '{"value":"+447700900322"}',
    'account 66374958',
    'q=KIM%40fernsby.example',
    '100% of kim@fernsby.example',
  ])
    assert.ok(mentions(text, traces), text);
});

test('a reference of three letters, and another person of the same first name, are not taken for them', () => {
  for (const text of ['q=K-7', 'q=kim+oak', '', '%E0%A4%A'])
    assert.ok(!mentions(text, tracesOf(KIM)), text);
  const nobody = { phone: null, bankAccount: null, name: ' ', email: null, reference: null };
  assert.deepEqual(tracesOf(nobody), []);
});

test('a name without its marks, and a number in groups, are traces too', () => {
  const traces = tracesOf({
    phone: '+447700900123',
    bankAccount: null,
    name: 'Łukasz O’Neill',
    email: null,
    reference: null,
  });
  for (const text of [
    '{"name":"Lukasz ONeill"}',
    'q=lukasz+o%27neill',
    'call 07700 900-123',
    '+44 (0)7700 900123',
  ])
    assert.ok(mentions(text, traces), text);
  assert.ok(!mentions('Lukas Neill 0770 090', traces));
});
