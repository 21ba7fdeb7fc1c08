import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAs } from '../../../test-support/dashboard-call.ts';
import { FERNHILL } from '../../../test-support/merchant.ts';
import { testServer } from '../../../test-support/slices/platform.ts';
import { makeUser, openPlace } from '../../../test-support/slices/visitor.ts';
import { createMerchant } from '../../merchants/service.ts';
import { addMember } from '../../merchants/team/service.ts';
import { VERSION } from '../../platform/config/config.ts';
import { pulseRoutes } from '../pulse.ts';
import { meRoutes } from './routes.ts';

test('who is signed in sees who they are, what they may do here, and every merchant they work for', async (t) => {
  const place = await openPlace();
  t.after(() => place.close());
  const { platform } = place;
  const broadband = await createMerchant(platform, { ...FERNHILL, name: 'Fernhill Broadband' });
  const mobile = await createMerchant(platform, { ...FERNHILL, name: 'Fernhill Mobile' });
  const user = await makeUser(place, 'finance', mobile.merchantId);
  await makeUser(place, 'owner', broadband.merchantId);
  const actor = { merchantId: broadband.merchantId, actorId: 'test' };
  await platform.db.transaction((tx) =>
    addMember(platform, { tx, now: platform.clock.now(), ...actor }, user.userId, 'owner'),
  );
  const app = await testServer(platform, {
    routes: [...meRoutes({ platform }), ...pulseRoutes()],
    authenticate: async (merchantId) => ({ merchantId, actorId: user.userId }),
  });
  t.after(() => app.close());
  const ask = async (merchantId: string) =>
    app.inject({ url: '/api/me', headers: { authorization: `Bearer ${merchantId}` } });

  const { name, email, userId: id } = { name: 'Person 1', ...user };
  assert.deepEqual((await ask(mobile.merchantId)).json(), {
    user: { id, name, email, two_factor: false },
    merchant: {
      id: mobile.merchantId,
      name: 'Fernhill Mobile',
      role: 'finance',
      permissions: [
        'read',
        'manage_schedules',
        'retry_payments',
        'refund_payments',
        'retry_settlements',
      ],
      time_zone: 'Europe/London',
    },
    merchants: [
      { id: broadband.merchantId, name: 'Fernhill Broadband', role: 'owner' },
      { id: mobile.merchantId, name: 'Fernhill Mobile', role: 'finance' },
    ],
    mode: 'sandbox',
    base_url: 'http://localhost:4000',
    request_log: 'changes',
    uses_sso: false,
    version: VERSION,
    archived_before: null,
    pulse: await readAs(app, mobile.merchantId, '/api/pulse'),
  });
  const elsewhere = await createMerchant(platform, { ...FERNHILL, name: 'Somebody Else' });
  assert.equal((await ask(elsewhere.merchantId)).statusCode, 404);
});
