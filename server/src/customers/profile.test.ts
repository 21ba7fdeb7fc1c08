import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeProfile, NO_PROFILE, profileErrors, readProfile } from './profile.ts';

test('each wrong field is named with what it must be', () => {
  for (const [fields, errors] of [
    [{ name: 'Kim', email: 'kim@fern.example', reference: null, notes: 'a\nb' }, {}],
    [
      { name: 7, email: ['x'] },
      { name: 'must be text or null', email: 'must be text or null' },
    ],
    [{ name: 'a\u0007b' }, { name: 'must be one line of text' }],
    [{ reference: 'x'.repeat(101) }, { reference: 'must be at most 100 characters long' }],
    [{ notes: 'x'.repeat(5001) }, { notes: 'must be at most 5000 characters long' }],
    [{ email: '  ' }, {}],
  ] as const)
    assert.deepEqual(profileErrors(fields), errors);
  for (const email of [
    'kim',
    'kim@fern',
    '@fern.example',
    'kim@@fern.example',
    'a b@c.example',
    'a@b.example.',
  ])
    assert.deepEqual(profileErrors({ email }), { email: 'must be an email address' }, email);
});

test('text is trimmed; empty text and null clear; what is not sent is not touched', () => {
  assert.deepEqual(readProfile({ name: ' Kim ', email: '', notes: null, other: 'x' }), {
    name: 'Kim',
    email: null,
    notes: null,
  });
  const kim = { ...NO_PROFILE, name: 'Kim', email: 'kim@fern.example' };
  assert.deepEqual(changeProfile(kim, { name: 'Kim', email: null, reference: 'C-1' }), {
    after: { name: 'Kim', email: null, reference: 'C-1', notes: null },
    changed: ['email', 'reference'],
  });
});
