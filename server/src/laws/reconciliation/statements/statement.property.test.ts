import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type Harness, openHarness } from '../../../../test-support/harness.ts';
import type { Tx } from '../../../platform/db/db.ts';
import type { CamtEntry } from '../../../wallets/camt.ts';
import type { StatementLine } from '../../../wallets/issuer.ts';
import { IN_SETTLEMENT, OUTSIDE, openAccounts } from '../../../wallets/ledger-store.ts';
import { compareFile } from './camt-comparison.ts';
import { compareDay } from './statement-comparison.ts';

// Two lists are made from the same acts, a difference is planted in some of them, and both comparisons have to report these and
// nothing else. What is expected is said here for each planted difference, and never asked of the code.

const DAY = Temporal.PlainDate.from('2026-01-10');
const NOON = Temporal.Instant.from('2026-01-10T12:00:00Z');

/** What happened once: its bookings, and the lines that a statement has for it. */
interface ActKind {
  kinds: readonly string[];
  /** The booking that is missing if a line is. */
  proven: string;
  lines: readonly { kind: StatementLine['kind']; direction: 'credit' | 'debit' }[];
  /** Whether the statement names it by our key, and not by its own id alone. */
  isOrdered: boolean;
}
const ACTS: Readonly<Record<string, ActKind>> = {
  payIn: {
    kinds: ['pay_in'],
    proven: 'pay_in',
    lines: [{ kind: 'payin', direction: 'credit' }],
    isOrdered: false,
  },
  transfer: {
    kinds: ['move'],
    proven: 'move',
    lines: [
      { kind: 'transfer', direction: 'debit' },
      { kind: 'transfer', direction: 'credit' },
    ],
    isOrdered: true,
  },
  payOut: {
    kinds: ['settle', 'pay_out'],
    proven: 'pay_out',
    lines: [{ kind: 'payout', direction: 'debit' }],
    isOrdered: true,
  },
  refund: {
    kinds: ['refund', 'refund_out'],
    proven: 'refund_out',
    lines: [{ kind: 'payout', direction: 'debit' }],
    isOrdered: true,
  },
  comeBack: {
    kinds: ['pay_out_return'],
    proven: 'pay_out_return',
    lines: [{ kind: 'payout_return', direction: 'credit' }],
    isOrdered: false,
  },
};

const EDITS = [
  'none',
  'none',
  'drop line',
  'double line',
  'order twice',
  'other amount on the statement',
  'split line',
  'stranger',
  'drop bookings',
  'other amount in the books',
  'book twice',
] as const;

interface Act {
  act: ActKind;
  edit: (typeof EDITS)[number];
  pence: number;
  /** The line that is changed, where there are two. */
  which: number;
}

const acts = fc.array(
  fc.record({
    act: fc.constantFrom(...Object.values(ACTS)),
    edit: fc.constantFrom(...EDITS),
    pence: fc.constantFrom(100, 4999, 4999, 5000), // amounts are often the same
    which: fc.nat(1),
  }),
  { maxLength: 12 },
);

interface Line {
  /** The act that it belongs to, by number. */
  n: number;
  lineId: string;
  movementId: string;
  kind: StatementLine['kind'];
  direction: 'credit' | 'debit';
  pence: number;
  key: string | null;
}
interface Booked {
  kind: string;
  source: string;
  pence: number;
}
interface Planted {
  lines: Line[];
  bookings: Booked[];
  /** `line 3`: a line of the act number 3 is reported; `booking 3`: its booking is. */
  expected: string[];
  /** The movements that are recovered. */
  lost: string[];
}

function plant({ act, edit, pence, which }: Act, n: number): Planted {
  const [movementId, key] = [`mv-e${n}`, act.isOrdered ? `ord-e${n}` : null];
  const lines = act.lines.map((line, side): Line => {
    return { ...line, n, lineId: `li-e${n}-${side}`, movementId, pence, key };
  });
  const source = key ?? movementId;
  const bookings = act.kinds.map((kind): Booked => ({ kind, source, pence }));
  const place = which % lines.length;
  const line = lines[place];
  assert.ok(line);
  const all = { lines, bookings, expected: [] as string[], lost: [] as string[] };
  const other = lines.filter((one) => one !== line);
  const second = { ...line, lineId: `${line.lineId}-b` };
  switch (edit) {
    case 'none':
      return all;
    case 'drop line':
      return { ...all, lines: other, expected: [`booking ${n}`] };
    case 'double line':
      return { ...all, lines: [...lines, second], expected: [`line ${n}`] };
    case 'order twice': {
      const twice = { ...second, movementId: `mv-e${n}-b` };
      // Only what comes from outside is notified: an order's movement is known by its order.
      const lost = act.isOrdered ? [] : [`${n}`];
      return { ...all, lines: [...lines, twice], expected: [`line ${n}`], lost };
    }
    case 'other amount on the statement':
      return { ...all, lines: [...other, { ...line, pence: pence + 1 }], expected: [`line ${n}`] };
    case 'split line': {
      const parts = [
        { ...line, pence: 40 },
        { ...second, pence: pence - 40 },
      ];
      return { ...all, lines: [...other, ...parts], expected: [`line ${n}`, `line ${n}`] };
    }
    case 'stranger': {
      const strange = { ...second, movementId: `mv-e${n}-s`, key: `their-e${n}` };
      return { ...all, lines: [...lines, strange], expected: [`line ${n}`], lost: [`${n}`] };
    }
    case 'drop bookings':
      return {
        ...all,
        bookings: [],
        expected: lines.map(() => `line ${n}`),
        lost: lines.map(() => `${n}`),
      };
    case 'other amount in the books': {
      const changed = bookings.map((one) => ({ ...one, pence: pence + 1 }));
      return { ...all, bookings: changed, expected: lines.map(() => `line ${n}`) };
    }
    case 'book twice': {
      if (act.proven !== 'pay_in') return all;
      const again = [...bookings, { kind: 'extra_pay_in', source, pence }];
      return { ...all, bookings: again, expected: [`booking ${n}`] };
    }
  }
}

let h: Harness;
before(async () => {
  h = await openHarness();
  const accounts = [
    { accountId: OUTSIDE, kind: 'outside' as const },
    { accountId: IN_SETTLEMENT, kind: 'in_settlement' as const },
  ];
  await h.db.transaction((tx) => openAccounts(tx, h.merchantId, accounts));
});
after(() => h.close());

class RolledBack extends Error {}

/** Runs work in which these are the only bookings; the platform reads in its transaction. */
async function withBookings(
  bookings: readonly Booked[],
  work: (platform: Harness['platform']) => Promise<void>,
): Promise<void> {
  const run = h.db.transaction(async (tx: Tx) => {
    await tx.run(
      `INSERT INTO transfers (merchant_id, transfer_id, kind, debit_account_id, credit_account_id, amount_pence, source_id, at)
       SELECT $1, 'trf_' || ordinality, kind, 'outside', 'in_settlement', pence, source, $5
       FROM unnest($2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY AS x (kind, source, pence)`,
      [
        h.merchantId,
        bookings.map((one) => one.kind),
        bookings.map((one) => one.source),
        bookings.map((one) => one.pence),
        NOON,
      ],
    );
    const db = { ...h.db, read: <T>(look: (own: Tx) => Promise<T>) => look(tx) };
    await work({ ...h.platform, db });
    throw new RolledBack();
  });
  await assert.rejects(run, (error) => {
    if (error instanceof RolledBack) return true;
    throw error;
  });
}

/** Says of each difference what it is of: the line or the booking of an act, by its number. */
const seen = (items: readonly string[]): string[] =>
  items
    .map(
      (item) => `${item.startsWith('booking') ? 'booking' : 'line'} ${/-e(\d+)/.exec(item)?.[1]}`,
    )
    .sort();
const numbers = (lost: readonly string[]): string[] =>
  lost.map((id) => /-e(\d+)/.exec(id)?.[1] ?? id).sort();

const planted = fc.tuple(acts, fc.infiniteStream(fc.nat())).map(([chosen, order]) => {
  const all = chosen.map(plant);
  return {
    all,
    lines: all
      .flatMap((one) => one.lines)
      .map((line) => ({ line, at: order.next().value }))
      .sort((a, b) => a.at - b.at)
      .map(({ line }) => line),
    bookings: all.flatMap((one) => one.bookings),
    expected: all.flatMap((one) => one.expected).sort(),
    lost: all.flatMap((one) => one.lost).sort(),
  };
});

test('by the API, every planted difference is reported, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(planted, async ({ lines, bookings, expected, lost }) => {
      const statement = lines.map(
        (line): StatementLine => ({
          lineId: line.lineId,
          issuerWalletId: 'iw',
          externalReference: `${h.merchantId}/wal_1`,
          direction: line.direction,
          amountPence: line.pence,
          bookedAt: NOON,
          movementId: line.movementId,
          kind: line.kind,
          idempotencyKey: line.key,
          reference: '',
        }),
      );
      const issuer = Object.assign(Object.create(h.issuer), {
        async *listStatement(date: Temporal.PlainDate) {
          if (date.equals(DAY)) yield* statement;
        },
      });
      await withBookings(bookings, async (platform) => {
        const found = await compareDay(platform, issuer, DAY);
        assert.deepEqual(seen(found.differences.map((one) => one.item)), expected);
        assert.deepEqual(numbers(found.lost), lost);
        assert.deepEqual(found.doubts, []);
      });
    }),
    { numRuns: 150 },
  );
});

for (const named of ['servicer', 'end-to-end'] as const)
  test(`by a file with ${named} references, every planted difference is reported, and nothing else`, async () => {
    await fc.assert(
      fc.asyncProperty(planted, async ({ lines, bookings, expected }) => {
        const entries = lines.map((line): CamtEntry => {
          const isOwn = named === 'servicer' && line.key === null;
          return {
            place: line.lineId,
            direction: line.direction,
            amountPence: line.pence,
            bookedOn: DAY,
            endToEndId: line.key ?? (isOwn ? null : line.movementId),
            servicerReference: isOwn ? line.movementId : `bank-${line.lineId}`,
          };
        });
        const closingPence = entries.reduce(
          (sum, one) => sum + (one.direction === 'credit' ? one.amountPence : -one.amountPence),
          0,
        );
        const statement = {
          account: 'iw',
          from: DAY,
          to: DAY,
          openingPence: 0,
          closingPence,
          entries,
        };
        await withBookings(bookings, async (platform) => {
          const found = await compareFile(platform, [statement], DAY);
          assert.deepEqual(seen(found.differences.map((one) => one.item)), expected);
          assert.deepEqual(found.doubts, []);
        });
      }),
      { numRuns: 150 },
    );
  });
