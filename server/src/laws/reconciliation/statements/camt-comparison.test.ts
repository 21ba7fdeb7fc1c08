import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../../../test-support/harness.ts';
import type { CamtEntry, CamtStatement } from '../../../wallets/camt.ts';
import { londonDay } from '../london-day.ts';
import { reconcile } from '../reconciliation.ts';

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

/** The file of the day, with another entry like that of the pay-in, under the bank's reference `reference`. */
async function withSecond(
  isLike: (entry: CamtEntry) => boolean,
  change: Partial<CamtEntry>,
): Promise<CamtStatement[]> {
  const file = await statements('end-to-end');
  const place = file.findIndex(({ entries: [entry] }) => entry !== undefined && isLike(entry));
  const like = file[place]?.entries[0];
  const of = file[place];
  assert.ok(like && of);
  const second = { ...like, place: 'Ntry[2]', ...change };
  const sign = second.direction === 'credit' ? 1 : -1;
  file[place] = {
    ...of,
    closingPence: (of.closingPence ?? 0) + sign * second.amountPence,
    entries: [...of.entries, second],
  };
  return file;
}

const isPayIn = (entry: CamtEntry): boolean => /-a1$/.test(entry.endToEndId ?? '');
const isTransfer =
  (direction: CamtEntry['direction']) =>
  (entry: CamtEntry): boolean =>
    entry.direction === direction && !isPayIn(entry);

const openAfter = async (file: readonly CamtStatement[], date = DAY): Promise<string[]> => {
  const { open } = await reconcile(h.platform, h.issuer, date, file);
  return open.map((one) => one.what);
};

for (const [what, isLike] of [
  ['credit', isPayIn],
  ['transfer in', isTransfer('credit')],
  ['transfer out', isTransfer('debit')],
] as const)
  for (const servicerReference of ['bank-second', null] as const)
    test(`a second ${what} under one id is a difference, by the bank as ${servicerReference}`, async () => {
      const said = await openAfter(await withSecond(isLike, { servicerReference }));
      assert.equal(said.length, 1);
      assert.match(said[0] ?? '', / of 4999 is not in our books a second time$/);
      assert.deepEqual(await openAfter(await statements('end-to-end')), []);
    });

test('the same entry three times is two differences', async () => {
  const file = await withSecond(isPayIn, {});
  const place = file.findIndex(({ entries }) => entries.length === 2);
  const of = file[place];
  assert.ok(of);
  const [entry] = of.entries;
  assert.ok(entry);
  file[place] = { ...of, closingPence: 3 * 4999, entries: [entry, entry, entry] };
  assert.equal((await openAfter(file)).length, 2);
  await openAfter(await statements('end-to-end'));
});

test('a pay-in that stands in the file once more is booked from the issuer', async () => {
  const payIn = [...h.issuer.wallets.values()].find(({ movements }) =>
    movements.some(({ kind }) => kind === 'payin'),
  );
  assert.ok(payIn);
  const { endToEndId } = payIn.movements[0] ?? {};
  const told = h.issuer.onPayIn;
  h.issuer.onPayIn = null; // its notification is lost
  const creditor = payIn.wallet.account.accountNumber;
  const second = h.issuer.payIn({ endToEndId: endToEndId ?? '', amountPence: 4999, creditor });
  h.issuer.onPayIn = told;
  const file = await withSecond(isPayIn, { servicerReference: second.movementId });
  assert.match((await openAfter(file)).join(), /not in our books a second time/);
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  assert.equal(await pence(second.movementId), 4999);
  await openAfter(await statements('end-to-end'));
});

test('a second entry on a later day is a difference of that day', async () => {
  const later = DAY.add({ days: 1 });
  const [payIn] = (await statements('end-to-end')).filter(
    ({ entries: [one] }) => one && isPayIn(one),
  );
  const [entry] = payIn?.entries ?? [];
  assert.ok(payIn && entry);
  const second = { ...entry, bookedOn: later, servicerReference: 'bank-second' };
  const said = await openAfter([{ ...payIn, entries: [second] }], later);
  assert.match(said.join(), /credit bank-second of 4999 is not in our books a second time/);
  await reconcile(h.platform, h.issuer, later);
});

test('a file without anything of the day leaves the statement unknown, and says what it holds', async () => {
  const file = await statements('servicer');
  const account = file[0]?.account ?? '';
  const other = DAY.subtract({ days: 2 });
  const cases: [CamtStatement[], RegExp][] = [
    [[], /the file holds no statement/],
    [
      [{ account, from: other, to: other, openingPence: 0, closingPence: 0, entries: [] }],
      /the file holds iw-\S+ of 2026-01-08/,
    ],
    [
      [{ account, openingPence: 0, closingPence: 0, entries: [] }],
      /the file holds iw-\S+ of no day/,
    ],
  ];
  for (const [one, why] of cases) {
    const { differences, unknown } = await reconcile(h.platform, h.issuer, DAY, one);
    assert.deepEqual(differences, []);
    assert.match(unknown ?? '', why);
  }
});

test('a file of nobody whom we know leaves a day without bookings unknown', async () => {
  const quiet = DAY.subtract({ days: 3 });
  const days = { from: quiet, to: quiet, openingPence: 0, closingPence: 0, entries: [] };
  const strange = [{ account: 'GB00STRANGE', ...days }];
  const unknownOf = async (file: CamtStatement[]) =>
    (await reconcile(h.platform, h.issuer, quiet, file)).unknown;
  assert.match((await unknownOf(strange)) ?? '', /no account of the file is ours/);
  const account = (await statements('servicer'))[0]?.account ?? '';
  assert.equal(await unknownOf([{ account, ...days }]), null);
});

test('a day that has not begun is unknown', async () => {
  const tomorrow = londonDay(h.clock.at).add({ days: 1 });
  const { unknown } = await reconcile(h.platform, h.issuer, tomorrow);
  assert.match(unknown ?? '', /the day has not begun/);
});

test('what of a file cannot be read is a difference, and what is not there is unknown', async () => {
  const file = await statements('servicer');
  const [first, ...others] = file;
  assert.ok(first);
  const unread = [
    { place: 'Ntry[9]', why: 'Ntry[9]/Sts is missing', bookedOn: null, signedPence: null },
    { place: 'Ntry[10]', why: 'not of this day', bookedOn: DAY.add({ days: 1 }), signedPence: 1 },
  ];
  const report = await reconcile(h.platform, h.issuer, DAY, [
    { ...first, unread, closingPence: null },
    { ...(others[0] ?? first), lacks: 'page 2 is missing' },
    ...others.slice(1),
  ]);
  assert.deepEqual(
    report.differences.map((one) => one.what),
    [`Ntry[9] of ${first.account} cannot be read: Ntry[9]/Sts is missing`],
  );
  assert.match(report.unknown ?? '', /has no balances of its begin and end/);
  assert.match(report.unknown ?? '', /page 2 is missing/);
  await openAfter(await statements('servicer'));
});

async function pence(source: string): Promise<number | undefined> {
  const row = await h.db.read((tx) =>
    tx.row<{ pence: number }>(
      `SELECT amount_pence AS pence FROM transfers WHERE source_id = $1 AND kind = 'pay_in'`,
      [source],
    ),
  );
  return row?.pence;
}
