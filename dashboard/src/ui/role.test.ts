import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissionsOf } from '../../../server/src/merchants/role.ts';
import { PERMISSIONS } from '../../../server/src/platform/http/calls/access.ts';
import { ROLE_TEXTS } from './role.ts';

test('a role is described by all that it may do', () => {
  assert.equal(
    ROLE_TEXTS.developer.may,
    'Schedules, retrying payments, webhooks, API keys, the request log and the sandbox.',
  );
  assert.equal(
    ROLE_TEXTS.finance.may,
    'Schedules, retrying payments, refunds and retrying settlements.',
  );
});

test('an owner may do everything, and a reader nothing but view', () => {
  assert.deepEqual(permissionsOf('owner'), PERMISSIONS);
  assert.deepEqual(permissionsOf('read_only'), ['read']);
});
