import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { compareWithIssuer } from './issuer-comparison.ts';

let h: Harness;

beforeEach(async () => {
  h = await openHarness('2026-01-05T09:30:00Z'); // a Monday
  await h.agreed({ start_date: '2026-01-06T09:00:00Z' });
});
afterEach(() => h.close());

interface Stored {
  date: Temporal.PlainDate;
  unknown: string | null;
}

const reports = async (): Promise<string[]> => {
  const rows = await h.db.read((tx) =>
    tx.rows<Stored>('SELECT date, unknown FROM reconciliations ORDER BY date'),
  );
  return rows.map((row) => `${row.date}${row.unknown === null ? '' : ' unknown'}`);
};

test('a business day on which nothing ran leaves no day without a report', async () => {
  await h.runUntil('2026-01-06T12:00:00Z');
  h.clock.at = Temporal.Instant.from('2026-01-08T12:00:00Z'); // nothing ran on Wednesday
  await h.runUntil('2026-01-09T12:00:00Z');
  assert.deepEqual(await reports(), ['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08']);
});

test('a day whose statement the issuer did not give at 06:30 is compared when it answers again', async () => {
  await h.runUntil('2026-01-07T06:00:00Z');
  h.issuer.down = true;
  await h.runUntil('2026-01-07T07:00:00Z');
  h.issuer.down = false;
  await h.runUntil('2026-01-09T12:00:00Z');
  assert.deepEqual(await reports(), ['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08']);
});

test('a cover that ends while the balances are read is no difference', async () => {
  await h.runUntil('2026-01-08T12:00:00Z');
  const payIn = [...h.issuer.wallets.values()]
    .flatMap((one) => one.movements)
    .find((m) => m.kind === 'payin');
  assert.ok(payIn);
  h.issuer.recall(payIn);
  await h.runUntil(h.clock.at);
  assert.deepEqual((await compareWithIssuer(h.platform, h.issuer)).broken, []);
  await h.agreed({
    start_date: '2026-01-09T09:00:00Z',
    customer: { phone: '+447700900124' },
    amount: { value: 9000, currency: 'GBP' },
  });
  await h.runUntil('2026-01-12T05:59:00Z');
  const list = h.issuer.listBalances.bind(h.issuer);
  h.issuer.listBalances = async function* () {
    const all = await Array.fromAsync(list());
    await h.runUntil('2026-01-12T06:10:00Z'); // the settlement nets the debt, and the issuer is covered
    yield* all;
  };
  const { broken } = await compareWithIssuer(h.platform, h.issuer);
  assert.equal(h.issuer.wallets.get('recalls')?.wallet.balancePence, 0);
  assert.deepEqual(broken, []);
});
