import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { justDue, newPhone } from '../../../../test/races/acts.ts';
import { type AdminCaller, type TestAdmin, testAdmin } from '../../../test-support/admin.ts';
import { dueInAnHour, onlyPaymentOf } from '../../../test-support/books.ts';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { BankUnavailable } from '../../banks/bank.ts';
import { insertRequest } from '../requests/store.ts';
import { adminRoutes } from '../routes.ts';
import { DECISION_KINDS } from './case.ts';
import type { DecisionView } from './view.ts';

let h: Harness;
let admin: TestAdmin;
let robin: AdminCaller;
let kim: AdminCaller;
/** The payment whose money came a penny short, and that of which nothing is known. */
let short: string;
let unknown: string;

/** Who pays for the payment whose money came short. */
const CUSTOMER = { name: 'Kim Fernsby', email: 'kim@fernsby.example' };

const WHY = { reason: 'Ms Hill of the bank, by phone' };

before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z', { fourEyesAbovePence: 100_000 });
  const { platform, issuer, bank } = h;
  const banks = new Map([[bank.bankId, bank]]);
  const { distrustKey } = h.service;
  admin = await testAdmin(platform, adminRoutes({ platform, issuer, banks, distrustKey }));
  robin = await admin.as('Robin Fern');
  kim = await admin.as('Kim Ash');
  await collected();
  short = await cameShort();
  unknown = await withoutOutcome();
  await h.runUntil(h.clock.at.add({ hours: 26 }));
});
after(async () => {
  await admin.app.close();
  await h.close();
});

/** Collects a payment and pays it out, so that there is a settlement. */
async function collected(): Promise<void> {
  await justDue(h);
  await h.runUntil(h.clock.at.add({ hours: 30 }));
}

async function cameShort(): Promise<string> {
  h.bank.mood.slow = true;
  const id = await dueInAnHour(h, { customer: { phone: newPhone(), ...CUSTOMER } });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const atBank = h.bank.paymentOf(paymentId, 1);
  atBank.status = 'credited';
  h.issuer.payIn({ ...atBank, amountPence: atBank.amountPence - 1 });
  await h.runUntil(h.clock.at.add({ minutes: 10 }));
  return paymentId;
}

async function withoutOutcome(): Promise<string> {
  const id = await justDue(h);
  h.bank.before = async (call) => {
    if (call === 'submitPayment') throw new BankUnavailable('lost');
  };
  await h.service.engine.drain();
  return (await onlyPaymentOf(h, id)).id;
}

const list = async (query = ''): Promise<DecisionView[]> =>
  (await robin.must('GET', `/decisions?limit=100${query}`)).data;

/** Makes what else can wait for a person, one of each kind. */
async function everythingElse(): Promise<void> {
  const now = h.clock.at;
  const later = now.add({ hours: 500 });
  const longAgo = now.subtract({ hours: 60 * 24 });
  const values = [later, longAgo];
  await asOwner(h.db, async (tx) => {
    for (const sql of [
      'UPDATE settlements SET account_doubted_at = $2 WHERE $1::timestamptz IS NOT NULL',
      `INSERT INTO refunds (merchant_id, refund_id, payment_id, schedule_id, amount_pence, currency, status, stage, due_at,
         created_at)
       SELECT merchant_id, 'ref_1', payment_id, schedule_id, 200, 'GBP', 'pending', 'wait', $1, $2 FROM payments
       WHERE status = 'success'`,
      `INSERT INTO fee_transfers (merchant_id, settlement_id, fees_pence, order_pence, due_at, created_at)
       SELECT merchant_id, settlement_id, 20, 20, $1, $2 FROM settlements`,
      `INSERT INTO debts (merchant_id, debt_id, movement_id, payment_id, amount_pence, reason, issuer_account, created_at,
         netted_at, due_at)
       SELECT merchant_id, 'deb_1', 'mv_1', payment_id, 300, 'recall', '1', $2, $2, $1 FROM payments
       WHERE status = 'success'`,
      `UPDATE consents SET status = 'authorised', due_at = $1, link_expires_at = $2
       WHERE consent_id = (SELECT min(consent_id) FROM consents)`,
      `INSERT INTO state_changes (merchant_id, object_id, schedule_id, to_state, reason, at, actor)
       SELECT merchant_id, consent_id, schedule_id, 'authorised', 'a test', $2, 'service' FROM consents WHERE due_at = $1`,
      `UPDATE wallets SET status = 'closing', due_at = $1, created_at = $2
       WHERE wallet_id = (SELECT min(wallet_id) FROM wallets WHERE customer_id IS NOT NULL)`,
      `INSERT INTO bank_revocations (merchant_id, bank_id, bank_consent_id, due_at, created_at)
       SELECT merchant_id, 'fakebank', 'urn-1', $1, $2 FROM merchants`,
      `INSERT INTO webhook_endpoints (merchant_id, endpoint_id, url, event_kinds, status, secret, created_at, updated_at)
       SELECT merchant_id, 'end_1', 'https://x.example', '{}', 'enabled', '', $2, $2 FROM merchants
       WHERE $1::timestamptz IS NOT NULL`,
      `INSERT INTO deliveries (merchant_id, delivery_id, event_id, endpoint_id, status, due_at, created_at)
       SELECT merchant_id, 'del_1', event_id, 'end_1', 'pending', $2, $2 FROM events
       WHERE $1::timestamptz IS NOT NULL LIMIT 1`,
      `INSERT INTO notices (merchant_id, notice_id, kind, cause_id, reader_index, content, status, due_at, created_at)
       SELECT merchant_id, 'ntc_1', 'webhook_failing', 'x', '', '', 'pending', $1, $2 FROM merchants`,
      `INSERT INTO reconciliation_items (issuer, item, date, amount_pence, what, found_at, seen_at)
       SELECT 'issuer', 'line 7/2', '2026-01-05', -700, 'A line is only on the statement', $2, $2
       WHERE $1::timestamptz IS NOT NULL`,
      `INSERT INTO merchant_holds (merchant_id, kind, since, given_by, reason)
       SELECT merchant_id, 'pay_outs', $2, 'Kim Ash', 'chargebacks' FROM merchants WHERE $1::timestamptz IS NOT NULL`,
      `INSERT INTO bank_distrusts (bank_id, since, vanished, looked_at)
       SELECT 'fakebank', $2, 6, 20 WHERE $1::timestamptz IS NOT NULL`,
    ])
      await tx.run(sql, values);
  });
  const merchant = `/merchants/${h.merchantId}`;
  await robin.must('POST', `${merchant}/fees/ask`, { fixed_pence: 400, basis_points: 0, ...WHY });
  await robin.must('POST', `${merchant}/settlement_account`, {
    settlement_account: { name: 'Fernhill', sort_code: '200000', account_number: '55779911' },
    ...WHY,
  });
}

test('money that came short is one decision with its payment: what was expected, whose it is, and what fits', async () => {
  const [one, ...more] = (await list()).filter(({ payment_id: id }) => id === short);
  assert.ok(one);
  assert.deepEqual(more, []);
  assert.equal(one.what, 'Expected £49.99, arrived £49.98 (1p short)');
  assert.deepEqual(
    [one.kind, one.reason, one.age],
    ['unallocated_money', 'another_amount', '1 day 3 hours'],
  );
  assert.deepEqual(
    [one.expected?.value, one.arrived?.value, one.amount?.value],
    [4999, 4998, 4998],
  );
  assert.deepEqual(one.acts, ['accept', 'return', 'pay_on']);
  assert.equal(one.merchant?.id, h.merchantId);
  assert.ok(one.merchant?.name);
  assert.match(one.customer_id ?? '', /^cus_/);
  assert.deepEqual(one.bank, { id: 'fakebank', name: 'Fake Bank' });
  assert.match(one.runbook.url, /\/docs\/guides\/runbook#another-amount-came-than-was-asked-for$/);
  const full = await robin.must('GET', `/decisions/unallocated_money/${one.id}`);
  const { item, evidence, ledger, due_date: due } = full;
  assert.ok(item.payer !== undefined && due !== null);
  assert.deepEqual(
    evidence.attempts.map((attempt: { bank_status: string }) => attempt.bank_status),
    ['ACCC'],
  );
  assert.deepEqual(
    ledger.map((entry: { amount: { value: number } }) => entry.amount.value),
    [4998],
  );
});

test('a payment cannot be marked as failed while its money lies on the list', async () => {
  const { status, body } = await robin.call('POST', `/payments/${short}/fail`, WHY);
  assert.deepEqual([status, body.error.code], [409, 'operation_refused']);
  assert.match(
    body.error.message,
    /^Its money lies unallocated as una_.*: accept or return that first\.$/,
  );
});

test('a payment without an outcome is a decision of its own, with what was sent to its bank', async () => {
  const one = (await list()).find(({ payment_id: id }) => id === unknown);
  assert.ok(one);
  assert.deepEqual([one.kind, one.reason, one.acts], ['payment', 'no_outcome', ['fail']]);
  assert.equal(one.what, 'The bank has not reported the outcome');
  const full = await robin.must('GET', `/decisions/payment/${unknown}`);
  assert.equal(full.evidence.attempts[0].instruction_id, `${unknown}-a1`);
  assert.ok(full.evidence.attempts[0].sent_at !== null);
  assert.equal(full.item, null);
});

test('each kind of thing that waits for a person is on the list once, with its acts, and can be read', async () => {
  await everythingElse();
  const all = await list();
  assert.deepEqual(
    all.map(({ kind }) => kind).toSorted(),
    DECISION_KINDS.toSorted(),
    JSON.stringify(all.map(({ kind, id }) => [kind, id])),
  );
  const actsOf = new Map(all.map(({ kind, acts }) => [kind, acts]));
  assert.deepEqual(Object.fromEntries(actsOf), {
    ...{ unallocated_money: ['accept', 'return', 'pay_on'], payment: ['fail'] },
    ...{ settlement: ['confirm'], refund: ['not_done'], fee_transfer: ['done'], cover: ['done'] },
    ...{
      consent: ['not_done'],
      wallet: ['done'],
      bank_deletion: ['done'],
      delivery: [],
      notice: [],
    },
    ...{ request: ['agree', 'take_back'], account_change: [], difference: ['resolve'], hold: [] },
    bank: ['trust'],
  });
  for (const { kind, id } of all) {
    const full = await robin.must('GET', `/decisions/${kind}/${encodeURIComponent(id)}`);
    assert.deepEqual([full.kind, full.id], [kind, id]);
  }
  const cover = all.find(({ kind }) => kind === 'cover');
  assert.equal(cover?.amount?.value, 300);
  assert.ok(cover?.customer_id?.startsWith('cus_') && cover.payment_id);
  const deletion = all.find(({ kind }) => kind === 'bank_deletion');
  assert.deepEqual(deletion?.bank, { id: 'fakebank', name: 'Fake Bank' });
});

test('a request to release what is held, and what is overdue of a pay-out in doubt, are not listed twice', async () => {
  await asOwner(h.db, (tx) =>
    tx.run(
      `UPDATE merchant_holds SET kind = 'account_changed', given_by = 'service' WHERE ended_at IS NULL`,
    ),
  );
  assert.equal((await list('&kind=hold')).length, 1);
  const asked = { askedBy: robin.operatorId, askedName: robin.name, askedAt: h.clock.at };
  await h.db.transaction((tx) =>
    insertRequest(tx, h.platform.vault, {
      ...{ kind: 'release_pay_outs', wish: { changeId: 'sac_1' }, subject: h.merchantId, ...WHY },
      ...{
        ...asked,
        requestId: 'orq_1',
        expiresAt: h.clock.at.add({ hours: 1 }),
        status: 'pending',
      },
      ...{ endedBy: null, endedAt: null, endReason: null },
    }),
  );
  assert.equal((await list('&kind=hold')).length, 0);
  assert.equal((await list('&kind=request')).length, 2);
  await asOwner(h.db, (tx) =>
    tx.run(
      `UPDATE settlements SET status = 'failed', stage = 'carry', due_at = $1, failed_at = $2, completed_at = NULL`,
      [h.clock.at.add({ hours: 500 }), h.clock.at.subtract({ hours: 300 })],
    ),
  );
  assert.deepEqual(
    (await list('&kind=settlement')).map(({ reason }) => reason),
    ['account'],
  );
});

test('the list is searched, filtered, sorted, summed and read page by page', async () => {
  const all = await list();
  const sinces = all.map(({ since }) => since);
  assert.deepEqual(sinces, sinces.toSorted());
  const [greatest] = await list('&sort=-amount');
  assert.equal(greatest?.amount?.value, Math.max(...all.map(({ amount }) => amount?.value ?? 0)));
  for (const q of ['49.98', short.toUpperCase(), '1P SHORT'])
    assert.deepEqual(
      (await list(`&q=${encodeURIComponent(q)}`)).map(({ payment_id: id }) => id),
      [short],
      q,
    );
  assert.deepEqual(await list('&merchant_id=mer_0000000000000000000000'), []);
  const summed = await robin.must('GET', '/decisions?sum=true&limit=1');
  const pence = all.reduce((sum, { amount }) => sum + (amount?.value ?? 0), 0);
  assert.deepEqual([summed.total, summed.total_amount.value], [all.length, pence]);
  const first = await robin.must('GET', '/decisions?limit=5&after=start');
  const next = await robin.must('GET', `/decisions?limit=100&after=${first.next_cursor}`);
  assert.deepEqual([...first.data, ...next.data], all);
  assert.equal((await robin.call('GET', '/decisions/payment/pay_x')).status, 404);
  assert.equal((await robin.call('GET', '/decisions/nothing/pay_x')).status, 400);
});

test('any role reads the list, and nothing on it names a customer', async () => {
  const auditor = await admin.as('Lee Elm', ['auditor']);
  const { status, body } = await auditor.call('GET', '/decisions?limit=100');
  assert.equal(status, 200);
  const cases: DecisionView[] = body.data;
  const { schedule_id: id } = cases.find(({ payment_id: of }) => of === short) ?? {};
  const { name, email } = (await h.show(id ?? '')).customer;
  assert.deepEqual({ name, email }, CUSTOMER);
  assert.doesNotMatch(JSON.stringify(body), /\+44|77004|fernsby/i);
});

test('money that is accepted leaves the list, and its page says how it was decided', async () => {
  const [one] = await list('&kind=unallocated_money');
  assert.ok(one);
  await kim.must('POST', `/unallocated/${one.id}/accept`, { ...WHY, payment_id: short });
  assert.deepEqual(await list('&kind=unallocated_money'), []);
  const full = await robin.must('GET', `/decisions/unallocated_money/${one.id}`);
  assert.deepEqual(
    [full.acts, full.item.status, full.item.ended.by],
    [[], 'accepted_in_part', 'Kim Ash'],
  );
});
