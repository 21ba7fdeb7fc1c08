import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addedRoles, lacksRole, mayDo } from './roles.ts';

test('every role reads, each does its own, and nobody without a role does anything', () => {
  for (const role of ['auditor', 'support', 'payments', 'security'] as const)
    assert.ok(mayDo([role], 'auditor'), role);
  assert.ok(mayDo(['support', 'payments'], 'payments'));
  assert.ok(!mayDo(['auditor', 'support'], 'payments'));
  assert.ok(!mayDo(['payments'], 'security'));
  assert.ok(!mayDo([], 'auditor'));
});

test('a refusal names the missing role', () => {
  assert.equal(
    lacksRole(['auditor', 'support'], 'payments'),
    'This takes the role payments; your roles: auditor, support.',
  );
  assert.match(lacksRole([], 'auditor'), /your roles: none/);
});

test('what somebody may do more is every role that they lack, but for reading', () => {
  assert.deepEqual(addedRoles(['support'], ['support', 'auditor']), []);
  assert.deepEqual(addedRoles(['support'], ['payments']), ['payments']);
  assert.deepEqual(addedRoles([], ['auditor']), ['auditor']);
  assert.deepEqual(addedRoles(['security', 'payments'], ['payments']), []);
});
