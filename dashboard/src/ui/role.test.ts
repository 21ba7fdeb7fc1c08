import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissionsOf } from '../../../server/src/merchants/role.ts';
import { PERMISSIONS, type Permission } from '../../../server/src/platform/http/calls/access.ts';
import { ROLE_TEXTS, type Role } from './role.ts';

const NAMES: Readonly<Record<Exclude<Permission, 'read'>, string>> = {
  manage_schedules: 'schedules',
  retry_payments: 'retrying payments',
  refund_payments: 'refunds',
  retry_settlements: 'retrying settlements',
  manage_webhooks: 'webhooks',
  manage_keys: 'API keys',
  read_requests: 'the request log',
  manage_settings: 'business details',
  change_settlement_account: 'the settlement account',
  manage_personal_data: 'personal data',
  manage_team: 'the team',
  use_sandbox: 'the sandbox',
};

/** Returns what a role may do beside viewing, as the server has it. */
function doingOf(role: Role): string {
  const names = permissionsOf(role).flatMap((one) => (one === 'read' ? [] : NAMES[one]));
  const text = new Intl.ListFormat('en-GB').format(names);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

test('the text of a role names every permission that it has, and no other', () => {
  assert.equal(ROLE_TEXTS.developer.may, doingOf('developer'));
  assert.equal(ROLE_TEXTS.finance.may, doingOf('finance'));
  assert.deepEqual(permissionsOf('owner'), PERMISSIONS);
  assert.deepEqual(permissionsOf('read_only'), ['read']);
});
