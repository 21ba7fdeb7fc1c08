import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CamtEntry, readCamt } from '../../wallets/camt.ts';
import type { Statement } from '../reports/statement-view.ts';
import { CAMT_END, type CamtMovement, camtBegin, camtEntry } from './camt.ts';

const ZONE = 'Europe/London';
const WALLET = 'wal_032atfSALfDo4duUde5x6C';
const FRAME = {
  account: WALLET,
  since: Temporal.ZonedDateTime.from(`2026-03-01T00:00[${ZONE}]`),
  until: Temporal.ZonedDateTime.from(`2026-04-01T00:00[${ZONE}]`), // summer time, since the 29th
};

const statementOf = (opening: number, closing: number, legalName = 'Fernhill Ltd'): Statement => ({
  currency: 'GBP',
  merchant: { name: 'Fernhill', legal_name: legalName, address: '' },
  month: '2026-03',
  from: '2026-03-01',
  to: '2026-03-31',
  time_zone: ZONE,
  as_of: '2026-04-01T09:00:00.000Z',
  is_complete: true,
  opening,
  closing,
  owed: 0,
  summary: [],
  lines: [],
});

const fileOf = (statement: Statement, movements: readonly CamtMovement[]): string =>
  camtBegin(statement, FRAME) + movements.map(camtEntry).join('') + CAMT_END;

const KINDS = [
  'payments',
  'refunds',
  'fees',
  'recalled',
  'settlements',
  'came_back',
  'other',
] as const;
const aMovement: fc.Arbitrary<CamtMovement> = fc.record({
  transferId: fc.stringMatching(/^trf_[0-9A-Za-z]{22}$/),
  kind: fc.constantFrom(...KINDS),
  day: fc.nat(30).map((days) => Temporal.PlainDate.from('2026-03-01').add({ days })),
  pence: fc.integer({ min: -100_000_000, max: 100_000_000 }).filter((one) => one !== 0),
  reference: fc.oneof(
    fc.stringMatching(/^pay_[0-9A-Za-z]{22}$/),
    fc.stringMatching(/^[<>&"'!a-z]{1,60}$/),
  ),
});

test('our own reader finds every movement in the statement, and both balances', () => {
  fc.assert(
    fc.property(
      fc.nat(1_000_000),
      fc.array(aMovement, { maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 200 }),
      (opening, movements, name) => {
        const closing = opening + movements.reduce((sum, { pence }) => sum + pence, 0);
        const [read, ...others] = readCamt(fileOf(statementOf(opening, closing, name), movements));
        assert.deepEqual(others, []);
        assert.ok(read);
        const { account, from, to, openingPence, closingPence, entries, unread } = read;
        assert.deepEqual(
          [account, `${from}`, `${to}`, openingPence, closingPence, unread],
          [WALLET, '2026-03-01', '2026-03-31', opening, closing, []],
        );
        assert.deepEqual(entries.map(factsOf), movements.map(readAs));
      },
    ),
  );
});

const factsOf = ({ bookedOn, remittance, ...entry }: CamtEntry) => ({
  ...entry,
  bookedOn: bookedOn.toString(),
  about: remittance?.split(' ').at(-1),
});

/** Returns what the reader has to make of a movement. */
const readAs = (movement: CamtMovement, place: number): ReturnType<typeof factsOf> => {
  const { transferId, pence, day, reference } = movement;
  return {
    place: `Document/BkToCstmrStmt/Stmt[1]/Ntry[${place + 1}]`,
    direction: pence < 0 ? 'debit' : 'credit',
    amountPence: Math.abs(pence),
    bookedOn: day.toString(),
    endToEndId: reference.length <= 35 ? reference : null,
    servicerReference: transferId,
    about: reference,
  };
};

const id = (prefix: string, last: string): string => `${prefix}_032atfSALfDo4duUde5x6${last}`;
const moved = (
  last: string,
  day: number,
  kind: CamtMovement['kind'],
  pence: number,
  reference: string,
): CamtMovement => ({
  transferId: id('trf', last),
  kind,
  day: Temporal.PlainDate.from({ year: 2026, month: 3, day }),
  pence,
  reference,
});

test('the statement is as camt.053.001.08 has it', async () => {
  const movements = [
    moved('A', 2, 'payments', 4_999, id('pay', 'A')),
    moved('B', 2, 'fees', -60, id('pay', 'A')),
    moved('C', 3, 'refunds', -1_000, id('ref', 'A')),
    moved('D', 3, 'settlements', -3_939, 'S260303K7M2Q9XB'),
    moved('E', 31, 'came_back', 3_939, 'S260303K7M2Q9XB'),
  ];
  const file = fileOf(statementOf(2_500, 6_439, 'Fern & Hill "<Ltd>"'), movements);
  const golden = new URL('../../../test-support/golden/statement.xml', import.meta.url);
  assert.equal(file, await readFile(golden, 'utf8'));
});

test('a wallet in which nothing moved has its balances', () => {
  const [read] = readCamt(fileOf(statementOf(0, 0), []));
  assert.deepEqual([read?.openingPence, read?.closingPence, read?.entries], [0, 0, []]);
});
