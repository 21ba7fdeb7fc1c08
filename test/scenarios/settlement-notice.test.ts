import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUser } from '../../server/src/merchants/team/users.ts';
import { openContent } from '../../server/src/notices/notify.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;
before(async () => {
  h = await openHarness();
});
after(() => h.close());

test('owners and finance get one notice for each failure of a settlement', async () => {
  const { db, platform, merchantId, issuer } = h;
  for (const role of ['owner', 'finance', 'developer'] as const)
    await db.transaction((tx) =>
      createUser(
        platform,
        { tx, now: h.clock.at, merchantId, actorId: 'operator:test' },
        { email: `${role}@fernhill.example`, name: role, role },
      ),
    );
  await h.agreed({ amount: { value: 4999, currency: 'GBP' } });
  issuer.payOutError = 'invalid_account';
  await h.runUntil('2026-01-13T07:00:00Z');
  const rows = await db.read((tx) =>
    tx.rows<{ noticeId: string; status: string; content: string }>(
      `SELECT notice_id, status, content FROM notices WHERE kind = 'settlement_failed'`,
    ),
  );
  const notices = rows.map((row) => ({
    status: row.status,
    ...openContent(platform.vault, row.noticeId, row.content),
  }));
  assert.deepEqual(
    notices.map(({ to, status }) => `${'email' in to && to.email} ${status}`).sort(),
    ['finance@fernhill.example kept', 'owner@fernhill.example kept'],
  );
  const { settlement_id: id, ...facts } = notices[0]?.facts ?? {};
  assert.match(id ?? '', /^set_/);
  assert.deepEqual(facts, {
    by: 'the service',
    amount: '£49.99',
    account_ending: '4958',
    reason: 'refused',
  });
});
