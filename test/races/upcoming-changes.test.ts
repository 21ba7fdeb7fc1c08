import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import {
  changeOccurrence,
  restoreOccurrence,
} from '../../server/src/schedules/change/change-occurrence.ts';
import type { OccurrenceBody } from '../../server/src/schedules/request/occurrence-schemas.ts';
import { assertLaws, eventsOf, paymentsOf } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

const ROUNDS = 12;
const USUAL = 4_999;
const gbp = (value: number) => ({ value, currency: 'GBP' });
const skip = true;

let h: Harness;
let customers = 0;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
afterEach(async () => {
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  await assertLaws(h);
});
after(() => h.close());

/** Returns a schedule that is just due, and whose payment is not open yet. */
async function justDue(): Promise<{ id: string; start: Temporal.Instant }> {
  const start = h.clock.at.round('second').add({ hours: 1 });
  const customer = { phone: `+4477003${String(10_000 + customers++)}` };
  const { id } = await h.agreed({ start_date: start.toString(), customer });
  await h.runUntil(start.subtract({ seconds: 1 }));
  return { id, start };
}

/** Asks as of just before the occurrence falls due. Returns `done`, or the code of the refusal. */
async function ask(id: string, start: Temporal.Instant, body: OccurrenceBody | null) {
  const now = start.subtract({ milliseconds: 1 });
  const due = start.toString({ fractionalSecondDigits: 3 });
  try {
    await h.db.transaction((tx) => {
      const asked = { tx, now, merchantId: h.merchantId };
      return body === null
        ? restoreOccurrence(asked, id, due)
        : changeOccurrence(h.service.schedules, asked, id, due, body);
    });
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

/** Returns the amounts of a schedule's payments, and how many occurrences were reported as skipped. */
async function outcomeOf(id: string): Promise<[number[], number]> {
  const skipped = (await eventsOf(h, id)).filter(({ kind }) => kind === 'collection.skipped');
  return [(await paymentsOf(h, id)).map((payment) => payment.amount.value), skipped.length];
}

/** Opens what is due in two processes while `act` asks, a little later in each round. */
async function race(start: Temporal.Instant, round: number, act: () => Promise<string>) {
  h.clock.at = start;
  const later = new Promise((resolve) => setTimeout(resolve, round));
  const [asked] = await Promise.all([
    later.then(act),
    h.service.engine.drain(),
    h.another().engine.drain(),
  ]);
  await h.runUntil(start.add({ minutes: 5 }));
  return asked;
}

test('an amount that races the opening of its occurrence counts, or is refused', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id, start } = await justDue();
    const asked = await race(start, round, () => ask(id, start, { amount: gbp(1_234) }));
    assert.ok(['done', 'occurrence_passed'].includes(asked), asked);
    assert.deepEqual(await outcomeOf(id), [[asked === 'done' ? 1_234 : USUAL], 0]);
    await h.update(id, { status: 'cancelled' });
  }
});

test('a skip that races the opening collects nothing and is reported, or is refused', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id, start } = await justDue();
    const asked = await race(start, round, () => ask(id, start, { skip }));
    assert.deepEqual(await outcomeOf(id), asked === 'done' ? [[], 1] : [[USUAL], 0], asked);
    await h.update(id, { status: 'cancelled' });
  }
});

test('taking a skip back while the occurrence is opened collects, or comes too late', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id, start } = await justDue();
    assert.equal(await ask(id, start, { skip }), 'done');
    const asked = await race(start, round, () => ask(id, start, null));
    assert.deepEqual(await outcomeOf(id), asked === 'done' ? [[USUAL], 0] : [[], 1], asked);
    await h.update(id, { status: 'cancelled' });
  }
});

test('of two changes at once, the later one counts as a whole', async () => {
  for (let round = 0; round < 3; round++) {
    const { id, start } = await justDue();
    const both = await Promise.all([
      ask(id, start, { amount: gbp(1_111) }),
      ask(id, start, { amount: gbp(2_222) }),
    ]);
    assert.deepEqual(both, ['done', 'done']);
    await h.runUntil(start.add({ minutes: 5 }));
    const [[amount], skipped] = await outcomeOf(id);
    assert.ok(amount === 1_111 || amount === 2_222);
    assert.equal(skipped, 0);
    await h.update(id, { status: 'cancelled' });
  }
});
