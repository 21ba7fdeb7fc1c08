import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { brokenIn } from '../../../test-support/slices/laws.ts';
import { checkInvariants } from '../run/invariant-run.ts';

let harness: Harness;

before(async () => {
  harness = await openHarness();
  const schedule = await harness.create();
  await harness.decide(schedule.consent_url);
  await harness.runUntil('2026-02-12T12:00:00Z'); // collected twice
});

after(() => harness.close());

/** Makes changes, and expects exactly these laws to notice. */
async function notice(laws: string[], ...statements: string[]): Promise<void> {
  assert.deepEqual(Object.keys(await brokenIn(harness, statements)).sort(), laws.sort());
}

test('an end by the word of a bank that was looked at once is noticed, and one of two looks is not', async () => {
  const ends = (reason: string): string =>
    `INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
     SELECT merchant_id, consent_id, schedule_id, 'granted', 'revoked', '${reason}', '2026-06-01T12:00:00Z' FROM consents`;
  const look = (said: string, at: string): string =>
    `INSERT INTO consent_looks (merchant_id, consent_id, at, bank_id, said, evidence)
     SELECT merchant_id, consent_id, '2026-06-01T${at}:00Z', bank_id, '${said}', 'CANC' FROM consents`;
  const law = ['two-looks-before-an-end'];
  const bank = ends('withdrawn_at_bank');
  await notice(law, bank);
  await notice(law, bank, look('over', '11:00'));
  await notice(law, bank, look('over', '11:10'), look('over', '12:00'));
  await notice(law, bank, look('over', '10:00'), look('stands', '11:00'), look('over', '12:00'));
  await notice([], bank, look('over', '11:00'), look('over', '12:00'));
  await notice([], ends('withdrawn_on_portal'));
});

/** Lets the consent begin to wait before the orders that are planted next, and end its wait after them. */
const waiting = (to: 'to_confirm' | 'confirmed'): string =>
  `INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
   SELECT merchant_id, consent_id, schedule_id, '${to === 'to_confirm' ? 'granted' : 'to_confirm'}', '${to}', 'planted', now()
   FROM consents`;
const orders = (attempt: number, takenBack = 'NULL'): string =>
  `INSERT INTO payment_orders (merchant_id, payment_id, attempt, call, sent_at, taken_back_at)
   SELECT merchant_id, payment_id, ${attempt}, 9, now(), ${takenBack} FROM attempts WHERE number = 1`;
const SECOND_ATTEMPTS = `INSERT INTO attempts (merchant_id, payment_id, number, manual, status, started_at)
  SELECT merchant_id, payment_id, 2, false, 'started', now() FROM attempts`;

test('a first order while a consent waits for its customer is noticed, and a repeat is not', async () => {
  const law = 'nothing-new-while-a-consent-waits';
  const brokenBy = async (...statements: string[]): Promise<number> =>
    (await brokenIn(harness, [SECOND_ATTEMPTS, ...statements]))[law]?.length ?? 0;
  const [begun, over] = [waiting('to_confirm'), waiting('confirmed')];
  assert.equal(await brokenBy(begun, orders(2)), 2);
  assert.equal(await brokenBy(begun, orders(2, 'now()'), over), 2, 'taken back, or over since');
  assert.equal(await brokenBy(orders(2), begun, over), 0);
  assert.equal(await brokenBy(begun, over, orders(2)), 0);
  assert.equal(await brokenBy(begun, orders(1)), 0, 'repeats');
  const takenBack = `UPDATE payment_orders SET taken_back_at = sent_at`;
  assert.equal(await brokenBy(takenBack, begun, orders(1)), 2, 'repeats of what never left');
});

test('whether an order stood when another was noted is told by their places, whatever the clocks said', async () => {
  const law = 'nothing-new-while-a-consent-waits';
  const takenBack = (at: string): string =>
    `UPDATE payment_orders SET taken_back_sequence = nextval('state_changes_change_id_seq'), taken_back_at = ${at} WHERE call < 9`;
  const brokenBy = async (...statements: string[]): Promise<number> =>
    (await brokenIn(harness, statements))[law]?.length ?? 0;
  const begun = waiting('to_confirm');
  const early = "now() - interval '34 minutes'";
  assert.equal(await brokenBy(begun, orders(1), takenBack(early)), 0, 'a repeat, dated late');
  const late = "now() + interval '30 seconds'";
  assert.equal(await brokenBy(takenBack(late), begun, orders(1)), 2, 'the first that stands');
  const before = `UPDATE payment_orders SET taken_back_at = now() - interval '30 seconds'`;
  assert.equal(await brokenBy(before, begun, orders(1)), 2, 'of an earlier version');
});

test('a first order at an account that the customer had left is noticed, and a repeat is not', async () => {
  const own = await openHarness();
  const { id, consent_url: url } = await own.create();
  await own.decide(url);
  await own.runUntil('2026-01-12T12:00:00Z');
  const { consent_url: another } = await own.anotherAccount(id);
  assert.equal(await own.decide(another), 'granted');
  await own.runUntil('2026-02-12T12:00:00Z');
  const brokenBy = async (...statements: string[]): Promise<number> =>
    (await brokenIn(own, statements))['nothing-new-at-a-left-account']?.length ?? 0;
  const left = `(SELECT min(consent_id) FROM consents)`;
  const second = (consent: string): string =>
    `INSERT INTO attempts (merchant_id, payment_id, number, manual, status, started_at, consent_id)
     SELECT merchant_id, payment_id, 2, false, 'started', now(), ${consent} FROM payments`;
  assert.equal(await brokenBy(second(left), orders(2)), 2);
  assert.equal(await brokenBy(second(left)), 0, 'it was not ordered');
  assert.equal(await brokenBy(second('NULL'), orders(2)), 1, 'the other has moved');
  assert.equal(await brokenBy(orders(1)), 0, 'repeats, also of what was ordered before they left');
  const paidLater = `UPDATE attempts SET consent_id = ${left}`;
  assert.equal(await brokenBy(paidLater), 1, 'ordered there from the first');

  const now = { ...own.platform, clock: { now: () => own.clock.at } };
  const look = () => checkInvariants(now, { atLeast: 0 });
  assert.ok((await look()).every(({ broken }) => broken.length === 0));
  const changed = `INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
    SELECT merchant_id, payment_id, schedule_id, 'success', 'success', 'planted', now() FROM payments
    WHERE payment_id = (SELECT min(payment_id) FROM payments)`;
  await asOwner(own.db, async (tx) => {
    for (const sql of [second('NULL'), second(left).replace(' 2,', ' 3,'), orders(3), changed])
      await tx.run(sql);
  });
  const found = (await look()).find(({ law }) => law === 'nothing-new-at-a-left-account');
  assert.equal(found?.broken.length, 2, 'among what changed since the last look');
  await own.close();
});

test('an attempt that counts as unsent while its order stands is noticed, and one that was never ordered', async () => {
  const law = ['sent-as-ordered'];
  await notice(law, 'UPDATE attempts SET sent_at = NULL');
  const open = "UPDATE attempts SET status = 'started', sent_at = ";
  for (const at of ['NULL', "sent_at + interval '1 second'"])
    assert.equal((await brokenIn(harness, [`${open}${at}`]))['sent-as-ordered']?.length, 2);
  const unsent = 'UPDATE payment_orders SET taken_back_at = sent_at';
  const never = [unsent, `${open}NULL`];
  assert.equal((await brokenIn(harness, never))['sent-as-ordered'], undefined);
  await notice([], unsent);
});

test('an attempt that waits unsent for a customer who cannot confirm its consent any more is noticed', async () => {
  const law = ['nothing-waits-for-nobody'];
  const brokenBy = async (...statements: string[]): Promise<number> =>
    (await brokenIn(harness, [...WAITS, ...statements]))[law[0] ?? '']?.length ?? 0;
  const suspended = 'UPDATE consents SET suspended_at = granted_at';
  const replaced = "UPDATE consents SET status = 'replaced', ended_at = '2026-02-20T12:00:00Z'";
  const agreedTo = (end: string): string =>
    `UPDATE consents SET control_parameters = control_parameters || '{"validTo": "${end}"}'`;
  assert.equal(await brokenBy(suspended, replaced), 1);
  assert.equal(await brokenBy(suspended, agreedTo('2026-02-20T12:00:00Z')), 1);
  assert.equal(await brokenBy(suspended), 0, 'the customer can confirm it');
  assert.equal(await brokenBy(replaced), 0, 'it waits for nobody');
  assert.equal(await brokenBy(suspended, agreedTo('2026-02-27T12:00:00Z')), 0, 'just now over');
});

/** Lets a second attempt of one payment wait unsent until March. */
const ONE = '(SELECT min(payment_id) FROM payments)';
const WAITS = [
  `INSERT INTO attempts (merchant_id, payment_id, number, manual, status, started_at)
   SELECT merchant_id, payment_id, 2, false, 'started', '2026-02-15T12:00:00Z' FROM payments WHERE payment_id = ${ONE}`,
  `INSERT INTO payment_work (merchant_id, payment_id, stage, bank_id, wallet_id, due_at, attempt, polls)
   SELECT merchant_id, payment_id, 'submit', bank_id, wallet_id, '2026-03-01T12:00:00Z', 2, 1 FROM payments
   WHERE payment_id = ${ONE}`,
];
