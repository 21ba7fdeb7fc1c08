import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../test-support/harness.ts';
import type { CamtEntry, CamtStatement } from '../wallets/camt.ts';
import { reconcile } from './reconciliation.ts';

let h: Harness;
const DAY = Temporal.PlainDate.from('2026-01-10');

before(async () => {
  h = await openHarness();
  await h.agreed();
  await h.runUntil('2026-01-13T12:00:00Z');
});

after(() => h.close());

/** Returns the issuer's statement of the day in the form of a file. */
async function statements(named: 'servicer' | 'end-to-end'): Promise<CamtStatement[]> {
  const found: CamtStatement[] = [];
  for await (const line of h.issuer.listStatement(DAY)) {
    const movement = await h.issuer.readMovement(line.movementId);
    const endToEndId = movement.endToEndId ?? line.idempotencyKey;
    const sign = line.direction === 'credit' ? 1 : -1;
    const entry: CamtEntry = {
      place: 'Ntry[1]',
      direction: line.direction,
      amountPence: line.amountPence,
      bookedOn: DAY,
      endToEndId,
      servicerReference: named === 'servicer' ? line.movementId : `bank-${line.lineId}`,
    };
    const closingPence = sign * line.amountPence;
    found.push({ account: line.issuerWalletId, openingPence: 0, closingPence, entries: [entry] });
  }
  return found;
}

for (const named of ['servicer', 'end-to-end'] as const)
  test(`a file that names everything by its ${named} reference agrees with our books`, async () => {
    const report = await reconcile(h.platform, h.issuer, DAY, await statements(named));
    assert.equal(report.lines, 3);
    assert.deepEqual([report.open, report.unknown], [[], null]);
  });

test('what a file lacks, has beside, or has with another amount is a difference', async () => {
  const file = await statements('servicer');
  const payIn = file.findIndex((one) => one.entries[0]?.servicerReference?.startsWith('mv-in'));
  const lacking = file.filter((_, place) => place !== payIn);
  const lacks = await reconcile(h.platform, h.issuer, DAY, lacking);
  assert.match(lacks.open.map((one) => one.what).join(), /^pay_in mv-in-1 of 4999 is not on/);
  const entry = file[payIn]?.entries[0];
  assert.ok(entry);
  entry.amountPence = 5000;
  const differs = await reconcile(h.platform, h.issuer, DAY, file);
  const said = differs.open.map((one) => one.what).join('\n');
  assert.match(said, /credit mv-in-1 of 5000 is 4999 in our books/);
  assert.match(said, /its entries change it by 5000, it closes with 4999/);
  const again = await reconcile(h.platform, h.issuer, DAY, await statements('servicer'));
  assert.deepEqual(again.open, []);
});
