import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { showCustomer } from '../../server/src/customers/directory.ts';
import { listItems } from '../../server/src/payments/books/unallocated-store.ts';
import { endUnallocated } from '../../server/src/payments/operator/decide.ts';
import { CUSTOMER_DATA } from '../../server/src/privacy/customer-data-store.ts';
import type { CustomerExport } from '../../server/src/privacy/schemas.ts';
import { eraseCustomer, exportCustomer } from '../../server/src/privacy/service.ts';
import { sealPayer } from '../../server/src/wallets/payer.ts';
import {
  asked,
  assertLaws,
  dueInAnHour,
  onlyPaymentOf,
  refund,
  refundsOf,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { asOwner } from '../../server/test-support/owner.ts';

let h: Harness;
afterEach(() => h.close());

const KIM = {
  customer: {
    phone: '+447700900322',
    name: 'Kim Fernsby',
    email: 'kim@fernsby.example',
    reference: 'K-77',
  },
  description: 'Yoga with Kim Fernsby',
  metadata: { note: 'Fernsby' },
};
/** What must be found nowhere once Kim is erased. */
const TRACES = ['447700900322', 'Fernsby', 'fernsby', 'K-77'];

/** A customer with a collected and settled payment whose schedule is cancelled; returns ids. */
async function settledCustomer(): Promise<{ customerId: string; paymentId: string; id: string }> {
  h = await openHarness('2026-01-05T09:30:00Z');
  const id = await dueInAnHour(h, KIM as never);
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const { customer } = await h.show(id);
  await h.runUntil('2026-01-06T12:00:00Z');
  return { customerId: customer.id, paymentId, id };
}

const erase = (customerId: string, metadata = true) =>
  h.db.transaction((tx) =>
    eraseCustomer(h.platform, tx, h.clock.at, {
      merchantId: h.merchantId,
      customerId,
      reason: 'asked by letter of 5 January',
      metadata,
    }),
  );

const take = (customerId: string): Promise<CustomerExport> =>
  h.db.transaction((tx) =>
    exportCustomer(h.platform, tx, h.clock.at, {
      merchantId: h.merchantId,
      customerId,
      reason: 'asked by letter of 5 January',
    }),
  );

test('a customer is erased from every table; payments, ledger and audit trail stay and the laws hold', async () => {
  const { customerId, paymentId, id } = await settledCustomer();
  await dueInAnHour(h, { customer: { phone: '+447700900999' } }); // what the refund is paid from
  const amount = { value: 1000, currency: 'GBP' };
  await refund(h, paymentId, { amount, reason: 'Ms Fernsby moved house' });
  const before = JSON.stringify(await take(customerId));
  for (const trace of TRACES) assert.ok(before.includes(trace), `the export names ${trace}`);
  await h.update(id, { status: 'cancelled' });
  await h.runUntil('2026-01-08T12:00:00Z');
  await erase(customerId);
  const after = JSON.stringify(await take(customerId));
  for (const trace of TRACES) assert.ok(!after.includes(trace), `${trace} is still held`);
  const shown = await h.show(id);
  assert.deepEqual(shown.customer, { id: customerId, type: 'user_id', value: customerId });
  assert.equal((await onlyPaymentOf(h, id)).id, paymentId);
  const deps = { platform: h.platform, payFrom: async () => new Map() };
  const seen = await h.db.read((tx) => showCustomer(deps, asked(h, tx), customerId));
  assert.deepEqual([seen.name, seen.email, seen.notes], [null, null, null]);
  await assertLaws(h);
});

test('of references on statements only what names the merchant stays', async () => {
  const { customerId, id } = await settledCustomer();
  const chosen = await h.create({ customer: KIM.customer, reference: 'SMITH-10400' });
  const older = await h.create({ customer: KIM.customer });
  await asOwner(h.db, (tx) =>
    tx.run('UPDATE schedules SET statement_reference = NULL WHERE schedule_id = $1', [older.id]),
  );
  const { reference } = await h.show(older.id);
  for (const one of [id, chosen.id, older.id]) await h.update(one, { status: 'cancelled' });
  await h.runUntil('2026-01-08T12:00:00Z');
  await erase(customerId);
  assert.equal((await h.show(id)).reference, 'FERNHILL ERASED');
  assert.equal((await h.show(chosen.id)).reference, 'ERASED');
  assert.equal((await h.show(older.id)).reference, reference, 'the end of an id names nobody');
});

test('the audit trail keeps who was erased and exported, when and why', async () => {
  const { customerId, id } = await settledCustomer();
  await take(customerId);
  await h.update(id, { status: 'cancelled' });
  await h.runUntil('2026-01-07T12:00:00Z');
  await erase(customerId);
  const first = await erase(customerId); // a second time changes nothing
  assert.equal(first.toString(), h.clock.at.toString());
  const rows = await h.db.read((tx) =>
    tx.rows<{ toState: string; reason: string }>(
      'SELECT to_state, reason FROM state_changes WHERE object_id = $1 ORDER BY change_id',
      [customerId],
    ),
  );
  assert.deepEqual(
    rows.map((row) => `${row.toState}: ${row.reason}`),
    ['exported: asked by letter of 5 January', 'erased: asked by letter of 5 January'],
  );
});

test('nothing is erased while something is under way, and the error counts what', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  const id = await dueInAnHour(h, KIM as never);
  const { customer } = await h.show(id);
  await assert.rejects(erase(customer.id), (error: Error & { code?: string; details?: object }) => {
    assert.equal(error.code, 'customer_in_use');
    assert.deepEqual(error.details, { schedules: '1', consents: '1', unsettled: '1' });
    return true;
  });
  assert.ok(JSON.stringify(await take(customer.id)).includes('Fernsby'));
});

test('a refund after the erasure takes no reason, and keeps no account once it has ended', async () => {
  const { customerId, paymentId, id } = await settledCustomer();
  await h.update(id, { status: 'cancelled' });
  await h.runUntil('2026-01-08T12:00:00Z');
  await erase(customerId);
  await dueInAnHour(h, { customer: { phone: '+447700900999' } }); // what the refunds are paid from
  const part = { value: 1000, currency: 'GBP' };
  await assert.rejects(refund(h, paymentId, { amount: part, reason: 'Ms Fernsby moved' }), {
    code: 'invalid_request',
    details: { reason: 'must be left out: the data of this customer were erased' },
  });
  const paid = await refund(h, paymentId, { amount: part });
  await h.runUntil(h.clock.at.add({ minutes: 5 }));
  assert.deepEqual(h.issuer.orders.get(paid.id)?.destination, h.issuer.payerOf('10000001'));
  h.issuer.payOutError = 'account_closed';
  await refund(h, paymentId, { amount: part });
  await h.runUntil(h.clock.at.add({ minutes: 5 }));
  assert.deepEqual(
    (await refundsOf(h)).map(({ status }) => status),
    ['success', 'failed'],
  );
  const { tables } = await take(customerId);
  assert.deepEqual(
    tables.refunds?.map(({ destination }) => destination),
    [null, null],
  );
});

test('money that comes after the erasure names who paid it only until it is decided', async () => {
  const { customerId, id } = await settledCustomer();
  const [arrived] = [...h.bank.payments.values()];
  await h.update(id, { status: 'cancelled' });
  await h.runUntil('2026-01-08T12:00:00Z');
  await erase(customerId);
  const { creditor } = arrived ?? assert.fail('nothing was paid');
  h.issuer.payIn({ endToEndId: 'a standing order', amountPence: 700, creditor });
  await h.runUntil(h.clock.at.add({ minutes: 5 }));
  const { data } = await h.db.read((tx) =>
    listItems(tx, { onlyOpen: true }, { limit: 10, offset: 0 }),
  );
  const { itemId, movementId } = data[0] ?? assert.fail('no money is unallocated');
  // Notices of the harness name no payer; those of an issuer do.
  const payer = sealPayer(h.platform.vault, movementId, h.issuer.payerOf(creditor));
  await asOwner(h.db, (tx) => tx.run('UPDATE unallocated_items SET payer = $1', [payer]));
  const payers = async () => {
    const { tables } = await take(customerId);
    return tables.unallocated_items?.map(({ status, payer }) => [status, payer !== null]);
  };
  assert.deepEqual(await payers(), [['open', true]]);
  for (const { wallet } of h.issuer.wallets.values())
    if (wallet.account.accountNumber === creditor) wallet.balancePence -= 700; // it went back by hand
  await endUnallocated({ platform: h.platform, issuer: h.issuer }, itemId, {
    end: 'returned',
    paymentId: null,
    by: 'Ms Hill',
    byId: 'shell:Ms Hill',
    reason: 'sent back',
  });
  assert.deepEqual(await payers(), [['returned', false]]);
});

test('the same phone number is a new customer afterwards, and the erased id takes no schedule', async () => {
  const { customerId, id } = await settledCustomer();
  await h.update(id, { status: 'cancelled' });
  await h.runUntil('2026-01-07T12:00:00Z');
  await erase(customerId);
  const again = await h.create({ customer: KIM.customer });
  assert.notEqual(again.customer.id, customerId);
  await assert.rejects(h.create({ customer: { type: 'user_id', value: customerId } }), {
    code: 'customer_erased',
  });
});

test('another customer of the same merchant keeps everything', async () => {
  const { customerId, id } = await settledCustomer();
  const other = await h.create({ customer: { phone: '+447700900999', name: 'Alex Wren' } });
  const before = await take(other.customer.id);
  await h.update(id, { status: 'cancelled' });
  await h.runUntil('2026-01-07T12:00:00Z');
  await erase(customerId);
  const after = await take(other.customer.id);
  for (const table of Object.keys(CUSTOMER_DATA).filter((name) => name !== 'state_changes'))
    assert.deepEqual(after.tables[table], before.tables[table], table);
});
