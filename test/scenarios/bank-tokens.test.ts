import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Grant } from '../../server/src/banks/bank.ts';
import { openGrant, sealGrant } from '../../server/src/consents/grant.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { newSchedule, paymentsOf } from './acts.ts';

/** Tokens follow real time, which no test waits for: here the access tokens are over when the next collection comes. */
let service: TestService;
before(async () => {
  service = await startTestService({ start: '2026-03-20T09:00:00Z' });
});
after(() => service?.close());

const OVER = Temporal.Instant.fromEpochMilliseconds(0);

interface Stored {
  merchantId: string;
  consentId: string;
  bankGrant: string;
}

async function storedOf(scheduleId: string): Promise<Stored & { grant: Grant }> {
  const row = await service.db.read((tx) =>
    tx.row<Stored>(
      `SELECT merchant_id, consent_id, bank_grant FROM bank_grants JOIN consents USING (merchant_id, consent_id)
       WHERE schedule_id = $1 AND status = 'granted'`,
      [scheduleId],
    ),
  );
  assert.ok(row);
  const { merchantId, consentId, bankGrant } = row;
  return { ...row, grant: openGrant(service.running.platform, merchantId, consentId, bankGrant) };
}

/** Stores a grant whose access token is over; by default the one that is stored. */
async function endToken(scheduleId: string, grant?: Grant): Promise<Grant> {
  const stored = await storedOf(scheduleId);
  const ended = { ...(grant ?? stored.grant), expiresAt: OVER };
  const sealed = sealGrant(service.running.platform, stored, ended);
  await asOwner(service.db, (tx) =>
    tx.run('UPDATE bank_grants SET bank_grant = $2 WHERE consent_id = $1', [
      stored.consentId,
      sealed,
    ]),
  );
  return ended;
}

async function agreedAt(bank: string, account = 'alex'): Promise<string> {
  const { id } = await newSchedule(service, { frequency: { type: 'monthly', interval: 1 } });
  assert.equal((await service.grant(id, account, bank)).schedule_status, 'active');
  return id;
}

const statuses = async (id: string): Promise<string[]> =>
  (await paymentsOf(service, id)).map(({ status }) => status);

async function noticeOf(id: string): Promise<string | undefined> {
  const { body } = await service.api<{ consent_notice: { kind: string } | null }>(
    'GET',
    `/api/v1/schedules/${id}`,
  );
  return body.consent_notice?.kind;
}

const cancel = (id: string) =>
  service.api('PUT', `/api/v1/schedules/${id}`, { status: 'cancelled' });

test('at each bank what is due is collected with renewed tokens', async () => {
  const lengths = { larkfield: 43, greystone: 4871, ravenhall: 43 };
  const agreed = new Map<string, string>();
  for (const bank of Object.keys(lengths)) agreed.set(bank, await agreedAt(bank));
  const refreshed: string[] = [];
  for (let month = 0; month < 3; month += 1) {
    for (const [bank, id] of agreed) {
      const { accessToken, refreshToken } = await endToken(id);
      assert.equal(accessToken.length, lengths[bank as keyof typeof lengths], bank);
      refreshed.push(`${bank} ${refreshToken}`);
    }
    await service.advance('P1M');
  }
  assert.equal(
    new Set(refreshed).size,
    5,
    'three of a single use, and one that each other bank keeps',
  );
  for (const [bank, id] of agreed) {
    assert.deepEqual(await statuses(id), ['success', 'success', 'success'], bank);
    await cancel(id);
  }
});

test('without a refresh token, or with one that was used before, the customer is asked, and nothing fails', async () => {
  for (const bank of ['whitecliff', 'larkfield']) {
    const id = await agreedAt(bank);
    const first = await endToken(id);
    if (bank === 'larkfield') {
      await service.advance('P1M');
      // As after a restore of the database from before the renewal.
      await endToken(id, first);
    }
    await service.advance('P1M');
    await service.advance('PT10M');
    assert.equal(await noticeOf(id), 'reauthentication_needed', bank);
    assert.ok(!(await statuses(id)).includes('failed'), bank);
    await cancel(id);
  }
});

test('the consent that a bank evicts for the twentieth after it needs the customer', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 21; n += 1) ids.push(await agreedAt('larkfield', 'sam'));
  const [oldest = '', next = ''] = ids;
  for (const id of [oldest, next]) await endToken(id);
  await service.advance('P1M');
  await service.advance('PT10M');
  assert.equal(await noticeOf(oldest), 'reauthentication_needed');
  assert.equal(await noticeOf(next), undefined);
});
