import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { assertLaws, collectOnceFrom, paymentsOf } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

const ROUNDS = 5;
const gbp = (value: number) => ({ value, currency: 'GBP' });

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

/** Returns a schedule that collects £30 in an hour under a consent for £49.99 a month: there is room for £19.99 besides. */
async function withRoom(): Promise<{ id: string; start: Temporal.Instant }> {
  const start = h.clock.at.round('second').add({ hours: 1 });
  const { id } = await h.agreed({
    start_date: start.toString(),
    customer: { phone: `+4477004${String(10_000 + customers++)}` },
  });
  await h.update(id, { amount: gbp(3000) });
  return { id, start };
}

/** Returns `collected`, or the code with which it was refused. */
async function ask(id: string, pence: number): Promise<string> {
  try {
    await collectOnceFrom(h, id, { amount: gbp(pence) });
    return 'collected';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

const collectedOf = async (id: string, kind: string): Promise<number> =>
  (await paymentsOf(h, id))
    .filter((payment) => payment.kind === kind && payment.status === 'success')
    .reduce((sum, payment) => sum + payment.amount.value, 0);

test('of many ad-hoc payments at once, those collected never exceed the limits', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id, start } = await withRoom();
    await h.runUntil(start);
    const asked = await Promise.all([800, 700, 600, 500, 400].map((pence) => ask(id, pence)));
    assert.deepEqual(new Set(asked), new Set(['collected', 'limit_exceeded']));
    await h.runUntil(start.add({ minutes: 5 }));
    const sum = await collectedOf(id, 'ad_hoc');
    assert.ok(sum > 0 && sum <= 1999, `${sum} pence`);
    await h.update(id, { status: 'cancelled' });
  }
});

test('an ad-hoc payment that races the occurrence, its opening and another process leaves the occurrence its room', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id, start } = await withRoom();
    await h.runUntil(start.subtract({ seconds: 1 }));
    h.clock.at = start;
    const [, , ...asked] = await Promise.all([
      h.service.engine.drain(),
      h.another().engine.drain(),
      ask(id, 1999),
      ask(id, 1999),
    ]);
    assert.deepEqual(asked.sort(), ['collected', 'limit_exceeded']);
    await h.runUntil(start.add({ minutes: 5 }));
    assert.equal(await collectedOf(id, 'scheduled'), 3000);
    assert.equal(await collectedOf(id, 'ad_hoc'), 1999);
    await h.update(id, { status: 'cancelled' });
  }
});

test('an ad-hoc payment that races a cancellation is collected or ended, never left waiting', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id, start } = await withRoom();
    await h.runUntil(start);
    const jitter = new Promise((resolve) => setTimeout(resolve, round * 2));
    const [asked] = await Promise.all([
      ask(id, 1000),
      jitter.then(() => h.update(id, { status: 'cancelled' })),
    ]);
    await h.runUntil(start.add({ hours: 30 }));
    const adHoc = (await paymentsOf(h, id)).filter((payment) => payment.kind === 'ad_hoc');
    assert.equal(adHoc.length, asked === 'collected' ? 1 : 0, asked);
    for (const { status } of adHoc) assert.match(status, /^(success|failed)$/);
  }
});
