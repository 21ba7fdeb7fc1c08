import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { request } from 'undici';
import { ownRoutes } from '../../server/src/app/wiring/dashboard.ts';
import { may, ROLES, type Role } from '../../server/src/merchants/role.ts';
import { removeMember } from '../../server/src/merchants/team/service.ts';
import type { Permission } from '../../server/src/platform/http/calls/access.ts';
import { sandboxEndpoints } from '../../server/src/sandbox/routes/routes.ts';
import {
  newMerchant,
  startTestService,
  type TestService,
} from '../../server/test-support/service.ts';
import { signIn } from './signed-in.ts';

interface Operation {
  operationId: string;
  method: string;
  path: string;
  permission: Permission | null;
}

/** What each permission is for, besides reading. */
const WANTED: Readonly<Record<Exclude<Permission, 'read'>, string>> = {
  manage_schedules:
    'createSchedule importSchedules createScheduleChange runScheduleChange updateSchedule requestAnotherAccount changeUpcoming restoreUpcoming updateCustomer createPayment getPortalLink remindCustomer saveView deleteView approveAct declineAct',
  manage_personal_data: 'eraseCustomer exportCustomer',
  retry_payments: 'retryPayment',
  refund_payments:
    'createRefund createDispute refundDispute rejectDispute withdrawDispute getCaseFile',
  retry_settlements: 'retrySettlement',
  manage_webhooks:
    'createWebhookEndpoint updateWebhookEndpoint deleteWebhookEndpoint rotateWebhookSecret activateWebhookSecret testWebhookEndpoint resendEvent replayEvents',
  manage_keys: 'listApiKeys createApiKey rotateApiKey updateApiKey revokeApiKey',
  manage_settings: 'updateMerchant switchNoticeKind listNotices readNotice changeLook',
  use_sandbox:
    'readSandboxClock readSandboxMove advanceSandboxClock stopSandboxClock decideSandboxConsent listSandboxAccounts changeSandboxAccount readSandboxIssuer changeSandboxIssuer changeSandboxBank resetSandbox',
  read_requests: 'searchRequests getRequest',
  change_settlement_account:
    'checkAccountName changeSettlementAccount confirmSettlementAccount takeBackSettlementAccount releaseAccountHold',
  manage_team:
    'getTeam getAccess changeAccess getSso changeSso removeSso unlinkMember inviteMember withdrawInvitation changeMemberRole removeMember keepOwner makeResetLink',
};
const WANTED_BY: ReadonlyMap<string, string> = new Map(
  Object.entries(WANTED).flatMap(([permission, names]) =>
    names.split(' ').map((name): [string, string] => [name, permission]),
  ),
);

/** Rejected by the JSON parser: after every guard and before any handler. */
const NO_JSON = '{';
const CSV = {
  operationId: 'downloadSettlement',
  method: 'GET',
  path: '/api/settlements/:id/csv',
  permission: 'read',
} as const;
const EMAIL = {
  operationId: 'readNotice',
  method: 'GET',
  path: '/api/notices/:id/preview',
  permission: 'manage_settings',
} as const;

/** Not in the list of routes, because they ask for the password too. */
const PROVED = [
  {
    operationId: 'changeSettlementAccount',
    method: 'POST',
    path: '/api/settlement_account/changes',
    permission: 'change_settlement_account',
  },
  {
    operationId: 'confirmSettlementAccount',
    method: 'POST',
    path: '/api/settlement_account/changes/:id/confirm',
    permission: 'change_settlement_account',
  },
  {
    operationId: 'releaseAccountHold',
    method: 'POST',
    path: '/api/settlement_account/changes/:id/release',
    permission: 'change_settlement_account',
  },
  {
    operationId: 'changeAccess',
    method: 'PUT',
    path: '/api/team/access',
    permission: 'manage_team',
  },
  { operationId: 'changeSso', method: 'PUT', path: '/api/team/sso', permission: 'manage_team' },
  {
    operationId: 'removeSso',
    method: 'POST',
    path: '/api/team/sso/remove',
    permission: 'manage_team',
  },
] as const;

let service: TestService;
let operations: Operation[];
const cookies = new Map<string, string>();
const userIds = new Map<string, string>();

/** Signs in a new member of a merchant's team; returns the cookie of their session. */
async function enter(merchantId: string, role: Role, email: string): Promise<string> {
  const { cookie, userId } = await signIn(service, merchantId, role, email);
  userIds.set(email, userId);
  return cookie;
}

/** Calls an operation as a page of the dashboard would, without letting it change anything. */
async function call(
  { method, path }: Operation,
  cookie: string | null,
  headers: Record<string, string> = {},
): Promise<{ status: number; code: string | undefined }> {
  const own = path.replaceAll(/:\w+/g, 'none_0000000000000000000000');
  const takesBody = method === 'POST' || method === 'PUT';
  const answer = await request(`${service.baseUrl}/dashboard${own}`, {
    method: method as 'GET',
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(cookie === null ? {} : { cookie }),
      ...(takesBody ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    body: takesBody ? NO_JSON : null,
  });
  const text = await answer.body.text();
  const { error } = (text.startsWith('{') ? JSON.parse(text) : {}) as { error?: { code: string } };
  return { status: answer.statusCode, code: error?.code };
}

before(async () => {
  service = await startTestService();
  const { platform, service: wired, sandbox } = service.running;
  assert.ok(sandbox !== null);
  const { engine, waitingFor } = wired;
  const levers = { platform, engine, waitingFor, ...sandbox };
  operations = [
    ...wired.routes,
    ...ownRoutes({ platform, service: wired, banks: wired.authorisation.banks }),
    ...sandboxEndpoints(levers, {
      stopping: new AbortController().signal,
      underWay: new Set(),
    }),
    CSV,
    EMAIL,
    ...PROVED,
  ];
  for (const role of ROLES)
    cookies.set(role, await enter(service.merchantId, role, `${role}@fernhill.example`));
});

after(() => service.close());

describe('who may do what in the dashboard', () => {
  test('every operation needs the permission that it is meant to need', () => {
    assert.deepEqual(
      operations.map(({ operationId, permission }) => [operationId, permission]),
      operations.map(({ operationId }) => [operationId, WANTED_BY.get(operationId) ?? 'read']),
    );
    const mounted = new Set(operations.map(({ operationId }) => operationId));
    assert.deepEqual(
      [...WANTED_BY.keys()].filter((name) => !mounted.has(name)),
      [],
    );
  });

  for (const role of ROLES)
    test(`a member with the role ${role} reaches what their role allows and nothing else`, async () => {
      for (const operation of operations) {
        const { status, code } = await call(operation, cookies.get(role) ?? '');
        const isAllowed = operation.permission !== null && may(role, operation.permission);
        const name = `${operation.method} ${operation.path}: ${status} ${code}`;
        assert.equal(status === 403 && code === 'forbidden', !isAllowed, name);
        assert.notEqual(status, 401, name);
        assert.ok(status < 500, name);
      }
    });

  test('nobody reaches anything without a session, nor with an API key in its place', async () => {
    for (const operation of operations) {
      assert.equal((await call(operation, null)).code, 'unauthorized', operation.path);
      const keyed = await call(operation, null, { authorization: `Bearer ${service.apiKey}` });
      assert.equal(keyed.code, 'unauthorized', operation.path);
    }
  });

  test('a session opens neither the API nor another merchant', async () => {
    const cookie = cookies.get('owner') ?? '';
    const api = await request(`${service.baseUrl}/api/v1/schedules`, { headers: { cookie } });
    assert.equal(api.statusCode, 401);
    await api.body.dump();
    const other = await newMerchant(service.running);
    for (const operation of operations) {
      const answer = await call(operation, cookie, { 'x-recollect-merchant': other.merchantId });
      assert.equal(answer.code, 'forbidden', operation.path);
    }
  });

  test("another merchant's owner finds nothing of ours", async () => {
    const other = await newMerchant(service.running);
    const cookie = await enter(other.merchantId, 'owner', 'owner@elsewhere.example');
    const created = await service.api<{ id: string; customer: { id: string } }>(
      'POST',
      '/api/v1/schedules',
      {
        amount: { value: 4999, currency: 'GBP' },
        frequency: 'monthly',
        customer: { phone: '+447700900123' },
        description: 'Broadband',
      },
    );
    const ids: Record<string, string> = {
      schedules: created.body.id,
      customers: created.body.customer.id,
      webhook_endpoints: service.endpointId,
    };
    let asked = 0;
    for (const { method, path } of operations.filter(({ method }) => method === 'GET')) {
      const id = ids[path.split('/').at(path.includes('/v1/') ? 3 : 2) ?? ''];
      if (id === undefined || !path.includes(':')) continue;
      const reason = path.endsWith('/export') ? '?reason=asked' : '';
      const operation = {
        operationId: '',
        permission: null,
        method,
        path: path.replace(/:\w+/, id) + reason,
      };
      assert.equal((await call(operation, cookie)).status, 404, path);
      asked += 1;
    }
    assert.ok(asked >= 8, `${asked} operations name something of ours`);
  });

  test('what changes something is taken from our own pages only', async () => {
    const cookie = cookies.get('owner') ?? '';
    const elsewhere: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ];
    for (const operation of operations.filter(({ method }) => method !== 'GET'))
      for (const headers of elsewhere)
        assert.equal((await call(operation, cookie, headers)).status, 403, operation.path);
  });

  test('an id that no database could hold is refused, and is no fault of ours', async () => {
    const cookie = cookies.get('owner') ?? '';
    for (const operation of operations.filter(({ path }) => path.includes(':'))) {
      const { method, path } = operation;
      if (method !== 'GET') continue;
      const { status } = await call({ ...operation, path: path.replace(/:\w+/, '%00') }, cookie);
      assert.ok(status === 400 || status === 404, `${path}: ${status}`);
    }
  });

  test('whoever is taken off the team is out with their next request', async () => {
    const { platform } = service.running;
    const actor = { merchantId: service.merchantId, actorId: 'a test' };
    const userId = userIds.get('finance@fernhill.example') ?? '';
    await platform.db.forMerchant(service.merchantId, (tx) =>
      removeMember(platform, { tx, now: platform.clock.now(), ...actor }, userId),
    );
    const me = { operationId: 'getMe', method: 'GET', path: '/api/me', permission: null };
    assert.equal((await call(me, cookies.get('finance') ?? '')).status, 403);
  });
});
