import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RevocationReason } from '../../server/src/consents/consent.ts';
import { readLink, revokeConsent } from '../../server/src/consents/service.ts';
import { findOn } from '../../server/src/notices/customer-store.ts';
import { isKind } from '../../server/src/notices/kinds.ts';
import type { Letter } from '../../server/src/notices/letter.ts';
import { openContent } from '../../server/src/notices/notify.ts';
import { readSetting } from '../../server/src/notices/setting.ts';
import { listNotices } from '../../server/src/notices/store.ts';
import { letterOf } from '../../server/src/notices/words.ts';
import { eraseCustomer } from '../../server/src/privacy/service.ts';
import { assertLaws } from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

// What a customer holds of what they agreed to, and of its end: docs/rules/notices.md#what-was-agreed-and-that-it-has-ended.
const { h, runFor } = oneForEach();

const gbp = (value: number) => ({ value, currency: 'GBP' });
const CUSTOMER = { type: 'phone' as const, value: '+447700900111', email: 'kim@example.com' };
const START = '2026-01-20T09:00:00Z';
const BODY = { customer: CUSTOMER, description: 'Rowing', start_date: START } as const;

/** Returns what customers of a merchant have been written since the start, oldest first. */
async function letters(merchantId = h.merchantId): Promise<Letter[]> {
  const { platform } = h;
  return h.db.transaction(async (tx) => {
    const setting = await readSetting(platform, tx, merchantId);
    const { data } = await listNotices(tx, merchantId, { limit: 100, offset: 0 });
    return data
      .toReversed()
      .flatMap(({ noticeId, kind, content }) =>
        isKind(kind)
          ? [letterOf(kind, openContent(platform.vault, noticeId, content).facts, setting)]
          : [],
      );
  });
}

const subjects = async (): Promise<string[]> => (await letters()).map(({ subject }) => subject);

async function turnOff(kind: string): Promise<void> {
  await h.db.transaction((tx) =>
    tx.run('INSERT INTO notices_off (merchant_id, kind) VALUES ($1, $2)', [h.merchantId, kind]),
  );
}

async function withdraw(url: string | undefined, reason: RevocationReason): Promise<void> {
  const { authorisation } = h.service;
  const consent = await readLink(h.platform, url?.split('/').at(-1) ?? '');
  assert.ok(consent !== null);
  await h.db.transaction((tx) => revokeConsent(authorisation, tx, consent, reason));
}

const AGREED = 'You agreed to payments to Fernhill Broadband';
const ENDED = 'Your payments to Fernhill Broadband for “Rowing” have ended';

test('a customer who agrees is written once what they agreed to, though the merchant has turned nothing on', async () => {
  assert.equal((await h.db.read((tx) => findOn(tx, [h.merchantId]))).size, 0);
  const { portal_url, reference } = await h.agreed({ ...BODY, end_date: '2026-12-31T00:00:00Z' });
  await runFor({ hours: 1 });
  const [letter, ...more] = await letters();
  assert.deepEqual(more, []);
  assert.equal(letter?.subject, AGREED);
  const text = letter?.lines.join('\n') ?? '';
  for (const said of [
    /^Fernhill Broadband can now collect £\d+\.\d\d every .*, for “Rowing”\.$/m,
    /^The next payment is due on Tuesday 20 January 2026, the last one by .*2026\.$/m,
    /^Payments come from your account at .+\. They appear on your bank statement as [A-Z0-9 ]+\.$/m,
    /^Your bank refuses any payment above these limits\. Up to £.* per payment\. Up to £.* per /m,
    /^You can stop at any time: withdraw/m,
  ])
    assert.match(text, said);
  assert.ok(text.includes(reference ?? 'a reference'));
  assert.equal(letter?.button?.url, portal_url);
});

test('a first payment is in it', async () => {
  await h.agreed({ ...BODY, first_payment: { amount: gbp(900) } });
  const [letter] = await letters();
  assert.match(letter?.lines[0] ?? '', /can now collect £9\.00 once, and then £/);
});

test('new terms and another account are confirmed as what they are, and end nothing', async () => {
  const { id } = await h.agreed(BODY);
  const { consent_url: raised } = await h.update(id, { amount: gbp(9_999) });
  assert.equal(await h.decide(raised), 'granted');
  const { consent_url: moved } = await h.anotherAccount(id);
  assert.equal(await h.decide(moved), 'granted');
  await runFor({ hours: 24 });
  assert.deepEqual(await subjects(), [
    AGREED,
    'You agreed to the new terms of Fernhill Broadband for “Rowing”',
    'You now pay Fernhill Broadband for “Rowing” from another account',
  ]);
  const [, terms] = await letters();
  assert.match(terms?.lines[0] ?? '', /^Fernhill Broadband now collects £99\.99 every/);
});

test('who ended the payments is said, once, and where nothing was agreed nobody is written', async () => {
  const byMerchant = await h.agreed(BODY);
  await h.update(byMerchant.id, { status: 'cancelled' });
  const reasons = ['withdrawn_on_portal', 'withdrawn_at_bank', 'expired_at_bank'] as const;
  for (const reason of reasons) {
    const { portal_url } = await h.agreed(BODY);
    await withdraw(portal_url, reason);
    await withdraw(portal_url, reason);
  }
  const declined = await h.create(BODY);
  assert.equal(await h.decide(declined.consent_url, 'access_denied'), 'denied');
  const dropped = await h.create(BODY);
  await h.update(dropped.id, { status: 'cancelled' });
  await runFor({ hours: 24 });
  const ended = (await letters()).filter(({ subject }) => subject === ENDED);
  assert.deepEqual(
    ended.map(({ lines }) => lines[0]),
    [
      'Fernhill Broadband has ended the payments for “Rowing”.',
      'You withdrew your permission for “Rowing” on your payment page.',
      'Your permission for “Rowing” was withdrawn at your bank.',
      'Your bank has told us that your permission for “Rowing” has expired.',
    ],
  );
  for (const { lines } of ended) assert.equal(lines[1], 'Nothing more will be collected for it.');
});

test('a payment that the bank already has when it ends is named', async () => {
  const { id } = await h.agreed({ ...BODY, amount: gbp(1_234) });
  h.bank.mood.slow = true;
  await h.runUntil('2026-01-20T10:00:00Z');
  await h.update(id, { status: 'cancelled' });
  const last = (await letters()).at(-1);
  assert.equal(last?.subject, ENDED);
  assert.equal(
    last?.lines[1],
    'We had already asked your bank for £12.34, which may still be taken. After that, nothing more will be collected for it.',
  );
});

test('the end of one schedule is not said of another that goes on, under the same permission or its own', async () => {
  const m = await h.merchant({ reuseConsent: true });
  const limits = { per_payment: gbp(9_000), per_period: gbp(90_000) };
  const wide = await m.agreed({ ...BODY, limits });
  const alone = await h.agreed(BODY);
  const addOn = await m.create({ ...BODY, description: 'Add-on', amount: gbp(500) });
  const other = await h.agreed({ ...BODY, description: 'Add-on' });
  await m.update(addOn.id, { status: 'cancelled' });
  await h.update(other.id, { status: 'cancelled' });
  assert.equal((await m.show(wide.id)).status, 'active');
  assert.equal((await h.show(alone.id)).status, 'active');
  for (const { merchantId } of [m, h]) {
    const last = (await letters(merchantId)).at(-1);
    assert.equal(last?.subject, 'Your payments to Fernhill Broadband for “Add-on” have ended');
    assert.equal(last?.lines[1], 'Nothing more will be collected for it.');
  }
});

test('a schedule that an earlier permission covers is confirmed, once, as what it is', async () => {
  const m = await h.merchant({ reuseConsent: true });
  const limits = { per_payment: gbp(9_000), per_period: gbp(90_000) };
  const { portal_url, reference } = await m.agreed({ ...BODY, limits });
  const body = { ...BODY, description: 'Add-on', amount: gbp(500) };
  const addOn = await m.create({ ...body, first_payment: { amount: gbp(900) } });
  assert.equal(addOn.status, 'active');
  await runFor({ hours: 1 });
  const [, letter, ...more] = await letters(m.merchantId);
  assert.deepEqual(more, []);
  assert.equal(letter?.subject, 'Your permission for Fernhill Broadband also covers “Add-on”');
  const text = letter?.lines.join('\n') ?? '';
  for (const said of [
    /can now collect £9\.00 once, and then £5\.00 every .*, for “Add-on”\. It is covered by the permission you gave\.$/m,
    /^The next payment is due on Tuesday 20 January 2026\.$/m,
    /^Payments come from your account at .+\. They appear on your bank statement as /m,
    /^You can stop at any time: withdraw .*\nThat ends everything that it covers\.$/m,
  ])
    assert.match(text, said);
  assert.ok(text.includes(reference ?? 'a reference'));
  assert.equal(letter?.button?.url, portal_url);
});

test('a merchant who has turned one off sends the other', async () => {
  await turnOff('consent_given');
  const { id } = await h.agreed(BODY);
  await h.update(id, { status: 'cancelled' });
  assert.deepEqual(await subjects(), [ENDED]);
  await assertLaws(h);
});

test('a customer without an address is written nothing', async () => {
  const nobody = { type: 'phone' as const, value: '+447700900112' };
  const { id } = await h.agreed({ ...BODY, customer: nobody });
  await h.update(id, { status: 'cancelled' });
  assert.deepEqual(await subjects(), []);
});

test('of a customer who is erased nothing that was written is kept, and nothing more is written', async () => {
  const { id, customer } = await h.agreed(BODY);
  await h.update(id, { status: 'cancelled' });
  assert.equal((await letters()).length, 2);
  await runFor({ hours: 48 });
  await h.db.transaction((tx) =>
    eraseCustomer(h.platform, tx, h.clock.at, {
      merchantId: h.merchantId,
      customerId: customer.id,
      reason: 'asked by letter',
      metadata: false,
    }),
  );
  await runFor({ hours: 24 });
  assert.deepEqual(await letters(), []);
});
