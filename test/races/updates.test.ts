import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { UpdateBody } from '../../server/src/schedules/request/request.ts';
import {
  assertLaws,
  bankConsentOf,
  eventsOf,
  paymentsOf,
} from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

const ROUNDS = 6;
const gbp = (value: number) => ({ value, currency: 'GBP' });

let h: Harness;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
afterEach(async () => {
  h.bank.cheerUp();
  await runFor({ hours: 1 });
  await assertLaws(h);
});
after(() => h.close());

let customers = 0;
const runFor = (time: Temporal.DurationLike): Promise<void> => h.runUntil(h.clock.at.add(time));

/** Creates a schedule that is due now; its payment is not open yet. */
async function justDue(): Promise<string> {
  customers += 1;
  const start = h.clock.at.round('second').add({ hours: 1 });
  const customer = { phone: `+4477006${String(10_000 + customers)}` };
  const { id } = await h.agreed({ start_date: start.toString(), customer });
  await h.runUntil(start.subtract({ seconds: 1 }));
  h.clock.at = start;
  return id;
}

const CHANGES: [string, UpdateBody][] = [
  ['a lower amount', { amount: gbp(1000) }],
  ['a higher amount', { amount: gbp(9999) }],
  ['a rarer frequency', { frequency: { type: 'yearly' } }],
  ['a pause', { status: 'paused' }],
  ['a cancellation', { status: 'cancelled' }],
];

for (const [name, body] of CHANGES)
  test(`${name} that races the collection loses neither, and nothing is collected twice`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await justDue();
      const others = [h.service.engine, h.another().engine];
      const jitter = new Promise((resolve) => setTimeout(resolve, round * 3));
      await Promise.all([
        ...others.map((engine) => engine.drain()),
        jitter.then(() => h.update(id, body)),
      ]);
      await runFor({ minutes: 5 });
      const payments = await paymentsOf(h, id);
      assert.ok(payments.length <= 1, 'one occurrence, one payment at the most');
      const debits = [...h.bank.payments.values()].filter((p) =>
        p.endToEndId.startsWith(payments[0]?.id ?? 'none'),
      );
      assert.equal(debits.length, payments[0]?.status === 'success' ? 1 : 0);
      for (const p of payments)
        assert.equal(p.amount.value, 4999, 'at the terms under which it fell due');
      const shown = await h.show(id);
      if (body.amount !== undefined) assert.deepEqual(shown.amount, body.amount);
      if (body.frequency !== undefined) assert.equal(shown.frequency.type, 'yearly');
      if (body.status === undefined) assert.equal(payments[0]?.status, 'success');
      else assert.equal(shown.status, body.status);
      await h.update(id, { status: 'cancelled' });
    }
  });

test('a cancellation while the payment is on its way to the bank lets it run to its end, and stops the rest', async () => {
  const id = await justDue();
  const gate = new Gate();
  h.bank.before = async (call) => {
    if (call === 'submitPayment') await gate.pass();
  };
  const collecting = h.service.engine.drain();
  await gate.reached;
  await h.update(id, { status: 'cancelled' });
  gate.open();
  await collecting;
  await runFor({ hours: 24 * 40 });
  const payments = await paymentsOf(h, id);
  assert.equal(payments.length, 1);
  assert.ok(['success', 'failed'].includes(payments[0]?.status ?? ''));
  assert.equal((await h.show(id)).status, 'cancelled');
});

test('a cancellation against a retry that falls due at the same moment: tried or stopped, never both', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    h.bank.mood.funds = false;
    const id = await justDue();
    await h.service.engine.drain();
    const [waiting] = await paymentsOf(h, id);
    assert.ok(waiting?.next_retry_at);
    await h.runUntil(Temporal.Instant.from(waiting.next_retry_at).subtract({ seconds: 1 }));
    h.bank.mood.funds = true;
    h.clock.at = Temporal.Instant.from(waiting.next_retry_at);
    const jitter = new Promise((resolve) => setTimeout(resolve, round * 2));
    await Promise.all([
      h.another().engine.drain(),
      jitter.then(() => h.update(id, { status: 'cancelled' })),
    ]);
    await runFor({ minutes: 5 });
    const [payment] = await paymentsOf(h, id);
    const debited = h.bank.payments.has(`${payment?.id}-a2`);
    assert.equal(payment?.status, debited ? 'success' : 'failed');
    assert.equal((await h.show(id)).status, 'cancelled');
    const told = (await eventsOf(h, id)).map((e) => e.kind);
    assert.equal(told.filter((k) => k === 'collection.success').length, debited ? 1 : 0);
  }
});

test('two updates at once are both kept', async () => {
  const { id } = await h.agreed({
    start_date: h.clock.at.add({ hours: 240 }).toString(),
    customer: { phone: '+447700555555' },
  });
  await Promise.all([
    h.update(id, { description: 'Fibre' }),
    h.update(id, { max_retries: 7 }),
    h.update(id, { metadata: { seen: true } }),
    h.update(id, { amount: gbp(4000) }),
    h.update(id, {
      end_date: h.clock.at.add({ hours: 24 * 300 }).toString({ smallestUnit: 'second' }),
    }),
  ]);
  const { description, max_retries, metadata, amount, end_date } = await h.show(id);
  assert.deepEqual(
    [description, max_retries, metadata, amount.value],
    ['Fibre', 7, { seen: true }, 4000],
  );
  assert.ok(end_date);
});

test('two updates at once that need the customer share one link, and the later one is what they see', async () => {
  const { id } = await h.agreed({
    start_date: h.clock.at.add({ hours: 240 }).toString(),
    customer: { phone: '+447700666666' },
  });
  const both = await Promise.all([
    h.update(id, { amount: gbp(6000) }),
    h.update(id, { amount: gbp(7000) }),
  ]);
  assert.equal(new Set(both.map((b) => b.consent_url)).size, 1);
  const shown = await h.show(id);
  assert.equal(await h.decide(shown.consent_url), 'granted');
  const held = h.bank.consents.get(await bankConsentOf(h, id))?.controlParameters;
  assert.equal(held?.maximumAmountPence, shown.amount.value);
});

test('a grant that races a cancellation ends cancelled, and leaves no consent at the bank', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    customers += 1;
    const customer = { phone: `+4477006${String(10_000 + customers)}` };
    const { id, consent_url } = await h.create({
      start_date: h.clock.at.add({ hours: 48 }).toString(),
      customer,
    });
    const state = await h.begin(consent_url);
    const jitter = new Promise((resolve) => setTimeout(resolve, round * 2));
    await Promise.all([
      h.complete(state),
      jitter.then(() => h.update(id, { status: 'cancelled' })),
    ]);
    await runFor({ minutes: 1 });
    assert.equal((await h.show(id)).status, 'cancelled');
    const kinds = (await eventsOf(h, id)).map((e) => e.kind);
    assert.equal(kinds.at(-1), 'schedule.cancelled');
    assert.equal(kinds.filter((k) => k === 'schedule.cancelled').length, 1);
  }
  assert.deepEqual(
    [...h.bank.consents.values()].filter((c) => c.status === 'AWAU'),
    [],
  );
  const live = await h.db.read((tx) => tx.rows(`SELECT 1 FROM consents WHERE status = 'granted'`));
  assert.equal(
    [...h.bank.consents.values()].filter((c) => c.status === 'AUTH').length,
    live.length,
  );
});

test('events of one schedule that many hands append at once are numbered without a gap', async () => {
  const { id } = await h.agreed({
    start_date: h.clock.at.add({ hours: 480 }).toString(),
    customer: { phone: '+447700777777' },
  });
  for (let round = 0; round < 5; round++)
    await Promise.all([
      h.update(id, { status: 'paused' }),
      h.update(id, { status: 'active' }),
      h.update(id, { status: 'paused' }),
    ]);
  const events = await eventsOf(h, id);
  assert.ok(events.length > 5);
  const numbers = events.map((e) => e.sequence ?? 0).sort((a, b) => a - b);
  assert.deepEqual(
    numbers,
    events.map((_, n) => n + 1),
  );
});
