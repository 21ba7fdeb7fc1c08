import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { ownRoutes } from './dashboard.ts';

/** What wants the password and the second factor again, beside what wants them with every request. */
const PROVED = {
  // Who is on the team, and how they come in.
  inviteMember: 'always',
  changeMemberRole: 'always',
  removeMember: 'always',
  makeResetLink: 'always',
  unlinkMember: 'always',
  // Where customers are sent, and where we write to: `return_url` and `email`.
  updateMerchant: 'sometimes',
  // Keys with `merchant`, `payments` or `keys`.
  createApiKey: 'sometimes',
  rotateApiKey: 'sometimes',
  updateApiKey: 'sometimes',
  // What an agent may not do on its own.
  approveAct: 'always',
};

let h: Harness;
before(async () => {
  h = await openHarness();
});
after(() => h.close());

test('what gives power away asks for a proof, and nothing else does', () => {
  const { platform, service } = h;
  const routes = [...service.routes, ...ownRoutes({ platform, service, banks: new Map() })];
  const changes = routes.filter(({ method, permission }) => method !== 'GET' && permission);
  assert.ok(changes.length > 30);
  const proved = changes.filter(({ proof }) => proof !== 'never');
  assert.deepEqual(
    Object.fromEntries(proved.map(({ operationId, proof }) => [operationId, proof])),
    PROVED,
  );
});
