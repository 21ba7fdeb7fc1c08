import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { BankUnavailable } from '../../server/src/banks/bank.ts';
import type { RevocationReason } from '../../server/src/consents/consent.ts';
import { readLink, revokeConsent } from '../../server/src/consents/service.ts';
import { IssuerUnavailable } from '../../server/src/wallets/issuer.ts';
import {
  assertLaws,
  bankConsentOf,
  consentsOf,
  errorCodeIn,
  eventsOf,
  kindsOf,
  notifyOf,
  onlyPaymentOf,
  refusedWith,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
afterEach(async () => {
  h.bank.cheerUp();
  h.issuer.down = false;
  await runFor({ hours: 2 });
  await assertLaws(h);
});
after(() => h.close());

let customers = 0;
const somebody = (): { phone: string } => ({ phone: `+4477009${String(10_000 + customers++)}` });
const runFor = (time: Temporal.DurationLike): Promise<void> => h.runUntil(h.clock.at.add(time));
const later = (hours: number): string => h.clock.at.round('second').add({ hours }).toString();
const create = (hours = 48) => h.create({ start_date: later(hours), customer: somebody() });
const agreed = (hours = 48) => h.agreed({ start_date: later(hours), customer: somebody() });

/** Returns the issuer's status of the wallet of a schedule's customer. */
async function walletOf(scheduleId: string): Promise<string | undefined> {
  const row = await h.db.read((tx) =>
    tx.row<{ issuerWalletId: string | null }>(
      `SELECT w.issuer_wallet_id FROM wallets w JOIN schedules s USING (merchant_id, customer_id) WHERE s.schedule_id = $1`,
      [scheduleId],
    ),
  );
  return h.issuer.wallets.get(row?.issuerWalletId ?? '')?.wallet.status;
}

async function withdraw(consentUrl: string | undefined, reason: RevocationReason): Promise<void> {
  const consent = await readLink(h.platform, consentUrl?.split('/').at(-1) ?? '');
  assert.ok(consent);
  const { authorisation } = h.service;
  await h.db.transaction((tx) => revokeConsent(authorisation, tx, consent, reason));
}

test('the wallet is reserved when the customer goes to the bank, and opened when they agree', async () => {
  const { id, consent_url } = await create();
  assert.equal(await walletOf(id), undefined);
  const state = await h.begin(consent_url);
  assert.equal(await walletOf(id), 'reserved');
  assert.equal(await h.complete(state), 'granted');
  assert.equal(await walletOf(id), 'open');
});

test('who agrees at the very moment of an occurrence is collected from at the next one', async () => {
  const start_date = later(24);
  const { id, consent_url } = await h.create({
    start_date,
    frequency: 'weekly',
    customer: somebody(),
  });
  await h.runUntil(start_date);
  assert.equal(await h.decide(consent_url), 'granted');
  const aWeekOn = h.clock.at.add({ hours: 24 * 7 });
  assert.equal(
    (await h.show(id)).next_payment_date,
    aWeekOn.toString({ fractionalSecondDigits: 3 }),
  );
});

test('a wallet that the issuer reserves while nobody needs it any more is released there', async () => {
  const { id, consent_url } = await create();
  const reserve = h.issuer.reserveWallet.bind(h.issuer);
  h.issuer.reserveWallet = async (reservation) => {
    const wallet = await reserve(reservation);
    await h.update(id, { status: 'cancelled' });
    await runFor({ minutes: 5 }); // before the response has come
    return wallet;
  };
  assert.equal(await h.begin(consent_url), null);
  h.issuer.reserveWallet = reserve;
  await runFor({ minutes: 5 });
  assert.equal(await walletOf(id), 'closed');
});

for (const [fragment, outcome, code] of [
  ['access_denied', 'denied', 'consent_denied'],
  ['rejected', 'rejected', 'consent_rejected'],
] as const)
  test(`${code}: the schedule is cancelled, the wallet released, and the merchant told once`, async () => {
    const { id, consent_url } = await create();
    assert.equal(await h.decide(consent_url, fragment), outcome);
    await runFor({ minutes: 1 });
    assert.equal((await h.show(id)).status, 'cancelled');
    assert.equal(await walletOf(id), 'closed');
    const told = await eventsOf(h, id);
    assert.deepEqual(
      told.map((e) => e.kind),
      ['schedule.setup_failed', 'schedule.cancelled'],
    );
    assert.equal(errorCodeIn(told[0]), code);
    assert.equal(await h.decide(consent_url), 'ended', 'the link is over');
  });

test('a bank that will not hold such a consent ends the set-up', async () => {
  const { id, consent_url } = await create();
  h.bank.mood.rejectsConsents = true;
  assert.equal(await h.begin(consent_url), null);
  await runFor({ minutes: 1 });
  const told = await eventsOf(h, id);
  assert.equal(errorCodeIn(told[0]), 'consent_rejected');
  assert.equal(await walletOf(id), 'closed');
});

test('a link works for seven days, and not a moment longer', async () => {
  const { id, consent_url } = await create(24 * 20);
  const state = await h.begin(consent_url);
  await runFor({ hours: 24 * 7 - 1 });
  assert.equal((await h.show(id)).consent_url, consent_url);
  await runFor({ hours: 1 });
  assert.equal((await h.show(id)).status, 'cancelled');
  assert.equal((await h.show(id)).consent_url, undefined);
  assert.equal(await h.complete(state), 'decided');
  assert.equal(await walletOf(id), 'closed');
  const told = await eventsOf(h, id);
  assert.equal(errorCodeIn(told[0]), 'consent_expired');
});

test('a bank or an issuer that is down is no refusal: the same link can be tried again', async () => {
  const { id, consent_url } = await create();
  h.bank.mood.down = true;
  await assert.rejects(h.begin(consent_url), BankUnavailable);
  h.bank.mood.down = false;
  h.issuer.down = true;
  const other = await create();
  await assert.rejects(h.begin(other.consent_url), IssuerUnavailable);
  h.issuer.down = false;
  const state = await h.begin(consent_url);
  h.bank.mood.down = true;
  await assert.rejects(h.complete(state), BankUnavailable);
  h.bank.mood.down = false;
  assert.equal(await h.decide(consent_url), 'granted');
  assert.equal(await h.decide(other.consent_url), 'granted');
  assert.deepEqual(await kindsOf(h, id), ['schedule.setup_success']);
});

test('agreed to while the issuer is down: the schedule starts when it is back, with what fell due since', async () => {
  const { id, consent_url, start_date } = await create(1);
  const state = await h.begin(consent_url);
  h.issuer.down = true;
  assert.equal(await h.complete(state), 'finishing');
  await runFor({ minutes: 65 });
  assert.equal((await h.show(id)).status, 'pending_consent');
  h.issuer.down = false;
  await runFor({ minutes: 30 });
  assert.equal((await h.show(id)).status, 'active');
  assert.equal((await onlyPaymentOf(h, id)).due_date, start_date);
  assert.deepEqual(await kindsOf(h, id), ['schedule.setup_success', 'collection.success']);
});

test('a customer who goes to the bank twice has one consent there, and the first one is deleted', async () => {
  const { id, consent_url } = await create();
  const first = await h.begin(consent_url);
  const second = await h.begin(consent_url);
  assert.equal(await h.complete(first), 'unknown');
  assert.equal(await h.complete(second), 'granted');
  assert.equal(await h.complete(second), 'decided');
  await runFor({ minutes: 1 });
  const mine = await bankConsentOf(h, id);
  assert.equal(h.bank.consents.get(mine)?.status, 'AUTH');
  assert.equal([...h.bank.consents.values()].filter((c) => c.status === 'AWAU').length, 0);
});

test('what the bank holds is what the schedule needs and no more, from the moment of agreement', async () => {
  const agreedAt = h.clock.at;
  const { id } = await h.agreed({
    customer: somebody(),
    start_date: later(48),
    end_date: later(24 * 100),
  });
  const held = h.bank.consents.get(await bankConsentOf(h, id))?.controlParameters;
  assert.ok(held);
  assert.equal(held.maximumAmountPence, 4999);
  assert.deepEqual(held.periodicLimits, [
    { periodType: 'Month', alignment: 'Consent', amountPence: 4999 },
  ]);
  assert.ok(held.validFrom.equals(agreedAt));
  assert.ok(held.validTo !== null && Temporal.Instant.compare(held.validTo, later(24 * 100)) >= 0);
});

test('withdrawn on the portal: nothing more is collected, and the bank is asked until it has deleted its consent', async () => {
  const { id, consent_url } = await create();
  await h.decide(consent_url);
  const atBank = await bankConsentOf(h, id);
  h.bank.mood.down = true;
  await withdraw(consent_url, 'withdrawn_on_portal');
  assert.equal((await h.show(id)).status, 'cancelled');
  await runFor({ hours: 3 });
  assert.equal(h.bank.consents.get(atBank)?.status, 'AUTH', 'the bank does not know yet');
  h.bank.mood.down = false;
  await runFor({ hours: 1 });
  assert.equal(h.bank.consents.has(atBank), false);
  const debits = (): number =>
    [...h.bank.payments.values()].filter((p) => p.bankConsentId === atBank).length;
  await runFor({ hours: 72 });
  assert.equal(debits(), 0);
  const told = (await eventsOf(h, id)).slice(1);
  assert.deepEqual(
    told.map((e) => [e.kind, e.data.reason]),
    [
      ['consent.revoked', 'withdrawn_on_portal'],
      ['schedule.cancelled', 'withdrawn_on_portal'],
    ],
  );
});

for (const word of ['CANC', 'GONE', 'EXPD'] as const)
  test(`a consent that the bank calls ${word} is found the day before a collection`, async () => {
    const { id } = await agreed(49);
    const atBank = await bankConsentOf(h, id);
    const book = h.bank.consents.get(atBank);
    if (word === 'GONE') h.bank.consents.delete(atBank);
    else if (book !== undefined) book.status = word;
    await runFor({ hours: 24 });
    assert.equal((await h.show(id)).status, 'active', 'nobody has looked yet');
    await runFor({ hours: 1, minutes: 30 });
    assert.equal((await h.show(id)).status, 'active', 'one look ends nothing');
    await runFor({ minutes: 45 });
    assert.equal((await h.show(id)).status, 'cancelled');
    const reason = word === 'EXPD' ? 'expired_at_bank' : 'withdrawn_at_bank';
    assert.equal((await eventsOf(h, id))[1]?.data.reason, reason);
  });

test('a consent withdrawn at the bank is found by its notification, and ends an hour later', async () => {
  const { id } = await agreed(24 * 20);
  const atBank = await bankConsentOf(h, id);
  await notifyOf(h, 'consent', atBank);
  await runFor({ seconds: 1 });
  assert.equal((await h.show(id)).status, 'active', 'a notification is only a hint');
  h.bank.consents.delete(atBank);
  await notifyOf(h, 'consent', atBank);
  await runFor({ minutes: 59 });
  assert.equal((await h.show(id)).status, 'active', 'one look ends nothing');
  await runFor({ minutes: 2 });
  assert.equal((await h.show(id)).status, 'cancelled');
});

test('a consent withdrawn at the bank ends when the bank has said so, not when it was asked', async () => {
  const { id } = await agreed(24 * 20);
  const atBank = await bankConsentOf(h, id);
  h.bank.consents.delete(atBank);
  await notifyOf(h, 'consent', atBank);
  await runFor({ minutes: 59, seconds: 59 });
  const asked = h.clock.at.add({ seconds: 1 });
  h.bank.before = async () => {
    h.clock.at = asked.add({ seconds: 5 });
  };
  await runFor({ seconds: 2 });
  h.bank.before = null;
  const row = await h.db.read((tx) =>
    tx.row<{ endedAt: Temporal.Instant }>('SELECT ended_at FROM consents WHERE schedule_id = $1', [
      id,
    ]),
  );
  assert.equal(row?.endedAt.toString(), asked.add({ seconds: 5 }).toString());
});

test('a consent withdrawn at the bank is found by the refusal of a payment, and ends an hour later', async () => {
  const { id } = await agreed();
  await runFor({ hours: 47 });
  h.bank.consents.delete(await bankConsentOf(h, id));
  await runFor({ hours: 1, minutes: 45 });
  const refused = await onlyPaymentOf(h, id);
  assert.deepEqual([refused.status, refused.error?.code], ['pending', 'consent_revoked']);
  assert.equal((await h.show(id)).status, 'active', 'a refused payment ends nothing');
  await runFor({ minutes: 30 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal(payment.status, 'failed');
  assert.equal(payment.attempts.length, 1);
  assert.equal((await h.show(id)).status, 'cancelled');
  const kinds = (await kindsOf(h, id)).sort();
  assert.deepEqual(kinds, [
    'collection.failed',
    'collection.failed',
    'consent.revoked',
    'schedule.cancelled',
    'schedule.setup_success',
  ]);
});

test('money of a payment that was at the bank before the withdrawal is accepted', async () => {
  const { id, consent_url } = await create(1);
  await h.decide(consent_url);
  h.bank.mood.slow = true;
  await runFor({ hours: 1 });
  const atBank = [...h.bank.payments.values()].at(-1);
  await withdraw(consent_url, 'withdrawn_on_portal');
  await runFor({ hours: 1 });
  assert.ok(atBank);
  h.bank.credit(atBank);
  await runFor({ minutes: 1 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.equal((await h.show(id)).status, 'cancelled');
});

test('terms changed while the bank was being asked void what it was asked for', async () => {
  const { id, consent_url } = await create(24 * 10);
  h.bank.before = async () => {
    h.bank.before = null;
    await h.update(id, { amount: { value: 9999, currency: 'GBP' } });
  };
  assert.equal(await h.begin(consent_url), null, 'the customer looks at the new terms first');
  const [consent] = await consentsOf(h, id);
  assert.equal(consent?.status, 'pending');
  assert.equal(await h.decide(consent_url), 'granted');
  const held = h.bank.consents.get(await bankConsentOf(h, id))?.controlParameters;
  assert.equal(held?.maximumAmountPence, 9999);
  await runFor({ minutes: 1 });
  assert.equal(h.bank.deleted.length > 0, true);
});

test('terms cannot change between the yes of the bank and the start of the schedule', async () => {
  const { id, consent_url } = await create(24 * 10);
  const state = await h.begin(consent_url);
  h.issuer.down = true;
  assert.equal(await h.complete(state), 'finishing');
  const change = h.update(id, { amount: { value: 100, currency: 'GBP' } });
  await assert.rejects(change, refusedWith('request_in_progress'));
  h.issuer.down = false;
  await runFor({ minutes: 2 });
  assert.equal((await h.update(id, { amount: { value: 100, currency: 'GBP' } })).amount.value, 100);
});
