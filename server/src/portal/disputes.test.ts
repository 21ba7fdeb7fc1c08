import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { many } from '../../test-support/many-rows.ts';
import { NO_SENDER } from '../../test-support/no-sender.ts';
import { asOwner } from '../../test-support/owner.ts';
import { type PortalBench, portalBench } from '../../test-support/portal-fixture.ts';
import { type PortalVisitor, portalVisitor, textOf } from '../../test-support/portal-visitor.ts';
import { openPayments } from '../payments/stages/open.ts';

/** A daily schedule's payments of two years, each with an ad-hoc one of the same day; the first is of 28 February 2026. */
const PAYMENTS = 1460;
/** Those collected since noon of 28 January 2025, 13 months before: of 395 days, and the first. */
const WITHIN = 791;

const idOf = (n: number): string => `pay_${String(n).padStart(22, '0')}`;

let bench: PortalBench;
let customer: PortalVisitor;
let token: string;
before(async () => {
  bench = await portalBench();
  customer = portalVisitor(bench);
  const { clock, db } = bench.platform;
  const w = await customer.granted();
  token = w.token;
  clock.at = Temporal.Instant.from('2026-03-31T08:00:00Z');
  await db.transaction((tx) =>
    openPayments({ platform: bench.platform, tx, now: clock.at }, 100, { sender: NO_SENDER }),
  );
  clock.at = Temporal.Instant.from('2026-02-28T12:00:00Z');
  const day = `'due_date', timestamptz '2026-02-28 09:00Z' - (n / 2) * interval '1 day', 'completed_at',
    timestamptz '2026-02-28 10:00Z' - (n / 2) * interval '1 day'`;
  const payment = `'payment_id', 'pay_' || lpad(n::text, 22, '0'), 'ad_hoc', 'pay_' || lpad(n::text, 22, '0'),
    'status', 'success', 'occurrence', null, 'amount_pence', 100`;
  await asOwner(db, (tx) => tx.run(many('payments', PAYMENTS, `${payment}, ${day}`)));
});
after(() => bench.close());

test('every payment of the last 13 months can be chosen, however many there are, page by page', async () => {
  const seen: string[] = [];
  let next: string | undefined = 'dispute';
  for (let page = 0; next !== undefined; page += 1) {
    assert.ok(page < 20);
    const answer = await customer.get(`${token}/${next}`);
    const body = answer.body.replaceAll('&#61;', '=');
    seen.push(...[...body.matchAll(/\?payment=(pay_\w+)/g)].map(([, id = '']) => id));
    next = /href="[^"]*\/(dispute\?before=pay_\w+)"/.exec(body)?.[1];
  }
  assert.equal(seen.length, new Set(seen).size, 'none twice');
  assert.equal(seen.length, WITHIN);
  assert.ok(seen.includes(idOf(WITHIN)));
});

test('a payment of 13 months ago is found by its own address, and one that is older is not', async () => {
  const heading = 'You don’t recognise this payment?';
  const pageOf = async (n: number): Promise<string> =>
    textOf(await customer.get(`${token}/dispute?payment=${idOf(n)}`));
  const within = await pageOf(WITHIN);
  assert.ok(within.includes(heading) && within.includes('29 January 2025'), within.slice(0, 200));
  const older = await pageOf(WITHIN + 1);
  assert.ok(!older.includes(heading), older.slice(0, 200));
});
