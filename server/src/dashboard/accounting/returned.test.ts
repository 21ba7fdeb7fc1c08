import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  assertLaws,
  dueInAnHour,
  onlyPaymentOf,
  refund,
  settleByHand,
  settlementsOf,
} from '../../../test-support/books.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import type { SettlementView } from '../../settlements/view.ts';
import { readCamt } from '../../wallets/camt.ts';
import type { Statement } from '../reports/statement-view.ts';
import { camtPieces } from './camt-file.ts';
import type { Journal } from './view.ts';

// Settlements of one amount that come back in another order than they were paid out, two of them at the same moment, beside a
// refund of that amount. All are retried after both months were exported.

let d: TestDashboard;
let [a, b, c, e]: (SettlementView | undefined)[] = [];
let refundId: string;

type Months = Record<'january' | 'february', { journal: Journal; cameBack: (string | null)[] }>;
let exported: Months;

async function monthOf(days: string, month: string) {
  const journal = await d.get<Journal>(`/api/reports/journal?layout=quickbooks&${days}`);
  const statement = await d.get<Statement>(`/api/reports/statement?month=${month}`);
  const pieces = camtPieces(d.h.platform, d.h.merchantId, statement, 'wal_0');
  const [read] = readCamt((await Array.fromAsync(pieces)).join(''));
  const back = (read?.entries ?? []).filter((one) => one.remittance?.startsWith('Came back:'));
  return { journal, cameBack: back.map(({ endToEndId }) => endToEndId) };
}

const months = async (): Promise<Months> => ({
  january: await monthOf('from=2026-01-01&to=2026-01-31', '2026-01'),
  february: await monthOf('from=2026-02-01&to=2026-02-02', '2026-02'),
});

before(async () => {
  d = await openDashboard('2026-01-05T09:30:00Z');
  const { h } = d;
  const once = (pence: number): Promise<string> =>
    dueInAnHour(h, { amount: { value: pence, currency: 'GBP' }, frequency: 'yearly' });
  for (const day of ['06', '07', '08', '09']) {
    await once(3_000);
    await h.runUntil(`2026-01-${day}T12:00:00Z`);
  }
  [a, b, c, e] = await settlementsOf(h);
  const refunded = await onlyPaymentOf(h, await once(9_000));
  const request = { amount: { value: 3_000, currency: 'GBP' as const } };
  refundId = (await refund(h, refunded.id, request)).id;
  await h.runUntil('2026-01-13T12:00:00Z');
  h.issuer.comeBack(refundId);
  await h.runUntil('2026-01-15T12:00:00Z');
  h.issuer.comeBack(`${b?.id}-1`);
  await h.runUntil('2026-02-01T09:00:00Z');
  h.issuer.comeBack(`${c?.id}-1`);
  h.issuer.comeBack(`${e?.id}-1`);
  await h.runUntil('2026-02-02T09:00:00Z');
  h.issuer.comeBack(`${a?.id}-1`);
  await h.runUntil('2026-02-02T12:00:00Z');
  const moments = await h.db.read((tx) =>
    tx.rows('SELECT at FROM transfers WHERE source_id = ANY ($1) GROUP BY at', [
      [c, e].map((one) => `mv-back-${one?.id}-1`),
    ]),
  );
  assert.equal(moments.length, 1);
  exported = await months();
  await h.runUntil('2026-02-03T00:30:00Z');
  for (const one of [a, b, c, e]) await settleByHand(h, one?.id ?? '');
  await h.runUntil('2026-02-03T02:00:00Z');
  assert.equal((await settlementsOf(h)).filter((one) => one.status !== 'success').length, 0);
  await assertLaws(h);
});
after(() => d.close());

const returnsIn = ({ lines }: Journal): string[] => [
  ...new Set(lines.map(({ number }) => number).filter((number) => /-\d*R$/.test(number))),
];
const numberOf = (one: SettlementView | undefined): string => `${one?.statement_reference}-R`;

test('each return is in the month in which it came back, whatever has the same amount', () => {
  assert.deepEqual(returnsIn(exported.january.journal), [numberOf(b)]);
  const [first, second, third, ...others] = returnsIn(exported.february.journal);
  assert.deepEqual(
    [[first, second].sort(), third, others],
    [[numberOf(c), numberOf(e)].sort(), numberOf(a), []],
  );
});

test('retries change nothing in months that were exported', async () => {
  const again = await months();
  for (const month of ['january', 'february'] as const)
    assert.deepEqual(
      { ...again[month].journal, as_of: '' },
      { ...exported[month].journal, as_of: '' },
    );
});

test('what came back is named by its refund, or by the reference on the bank statement', async () => {
  const { january, february } = exported;
  assert.deepEqual(january.cameBack, [refundId, b?.statement_reference]);
  const [first, second, third, ...others] = february.cameBack;
  assert.deepEqual(
    [[first, second].sort(), third, others],
    [[c?.statement_reference, e?.statement_reference].sort(), a?.statement_reference, []],
  );
});

test('what came back has the same name once it was retried', async () => {
  const again = await months();
  assert.deepEqual(again.january.cameBack, exported.january.cameBack);
  assert.deepEqual(again.february.cameBack, exported.february.cameBack);
});

test('another reference that the issuer names later is in the narration, and changes no number', async () => {
  const named = async (reference: string | null) => {
    await d.h.db.transaction((tx) =>
      tx.run('UPDATE settlements SET issuer_reference = $1', [reference]),
    );
    return (await months()).january.journal.lines;
  };
  const before = exported.january.journal.lines;
  const after = await named('LOST123');
  await named(null);
  assert.deepEqual(
    after.map((line) => ({ ...line, narration: '' })),
    before.map((line) => ({ ...line, narration: '' })),
  );
  assert.ok(after.every(({ narration, number }) => narration.includes(number.slice(0, 15))));
  assert.ok(after.every(({ narration }) => narration.includes('LOST123')));
});
