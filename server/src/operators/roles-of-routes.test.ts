import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestAdmin, testAdmin } from '../../test-support/admin.ts';
import { type Harness, openHarness } from '../../test-support/harness.ts';
import { OPERATOR_ROLES } from './access/books/roles.ts';
import type { AdminRoute } from './admin/route.ts';
import { adminRoutes } from './routes.ts';

let h: Harness;
let admin: TestAdmin;
let routes: AdminRoute[];

before(async () => {
  h = await openHarness('2026-03-02T10:00:00Z');
  const { platform, issuer, bank } = h;
  const banks = new Map([[bank.bankId, bank]]);
  routes = adminRoutes({ platform, issuer, banks, distrustKey: h.service.distrustKey });
  admin = await testAdmin(platform, routes);
});

after(async () => {
  await admin.app.close();
  await h.close();
});

const pathOf = ({ path }: AdminRoute): string =>
  path.replace('/admin/v1', '').replaceAll(/:\w+/g, 'x');

test('what changes anything takes a role of its own; reading, and what is one’s own, takes any', () => {
  const anyRole = routes.filter(({ role, method }) => role === 'auditor' && method !== 'GET');
  assert.deepEqual(anyRole.map(({ operationId }) => operationId).sort(), [
    'agreeRequest', // takes the role of the request
    'createOperatorKey',
    'revokeOperatorKey',
    'setOperatorEmail',
    'takeBackRequest',
  ]);
  const reads = routes.filter(({ role, method }) => role !== 'auditor' && method === 'GET');
  assert.deepEqual(
    reads.map(({ operationId }) => operationId),
    ['findCustomers', 'exportCustomer'],
  );
});

test('each route refuses every operator who lacks its role with 403, which names the role', async () => {
  for (const role of OPERATOR_ROLES.slice(1)) {
    const others = OPERATOR_ROLES.filter((one) => one !== role);
    const caller = await admin.as(`Everything but ${role}`, others);
    for (const route of routes.filter((one) => one.role === role)) {
      const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : {};
      const { status, body: answer } = await caller.call(route.method, pathOf(route), body);
      assert.deepEqual([status, answer.error.code], [403, 'forbidden'], route.operationId);
      assert.match(answer.error.message, new RegExp(`the role ${role};`), route.operationId);
    }
  }
});
