// Slow: looks at the pages of random payments.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PaymentRow } from '../../payments/books/read-store.ts';
import { NOT_SENT_REASONS, type NotSentReason } from '../../payments/payment/not-sent.ts';
import { readConfig } from '../../platform/config/config.ts';
import { AS_NEEDED, controlParameters } from '../../schedules/limits/limits.ts';
import { limitUses } from '../../schedules/limits/room.ts';
import { NO_CHANGES } from '../../schedules/terms/amounts.ts';
import { describeAmount } from '../../schedules/terms/describe.ts';
import type { Schedule, Terms } from '../../schedules/terms/schedule.ts';
import { comingPayments, isPast } from '../coming.ts';
import { makePaths } from '../paths.ts';
import type { ConsentPageState } from '../standing.ts';
import { type Agreement, type PastPayment, toComeOf } from '../views.ts';
import { describeDay, describePlainDate } from '../words.ts';
import { managePage } from './manage.ts';

// A monthly schedule of £20 under a consent for £20 a month, and payments in any state.

const LONDON = 'Europe/London';
const FIRST = Temporal.Instant.from('2026-03-10T09:00:00Z');
const MAX = 20;

const TERMS: Terms = {
  version: 1,
  amountPence: 2000,
  amountMode: 'fixed',
  currency: 'GBP',
  startDate: FIRST,
  series: {
    frequency: { type: 'monthly', day: 10, interval: 1 },
    firstAt: FIRST,
    timeZone: LONDON,
    endAt: null,
  },
  limits: AS_NEEDED,
};
const PARAMS = controlParameters(TERMS, FIRST);

type State = 'due' | 'retry' | 'planned' | 'unsent' | 'sent' | 'success' | 'failed';
interface Made {
  state: State;
  amountPence: number;
  /** Days since it was due; of a retry, until it comes. */
  days: number;
  /** Why it is not sent, if it is not. */
  reason: NotSentReason;
}

const aPayment: fc.Arbitrary<Made> = fc.record({
  state: fc.constantFrom('due', 'retry', 'planned', 'unsent', 'sent', 'success', 'failed'),
  amountPence: fc.constantFrom(1, 500, 2000),
  days: fc.integer({ min: 0, max: 40 }),
  reason: fc.constantFrom(...NOT_SENT_REASONS),
});

const STATUS: Readonly<Record<State, PaymentRow['status']>> = {
  due: 'pending',
  retry: 'pending',
  planned: 'pending',
  unsent: 'processing',
  sent: 'processing',
  success: 'success',
  failed: 'failed',
};

/** Returns a payment's row, and when it counts against the limits as the database reads it. */
function madeAt({ state, amountPence, days, reason }: Made, now: Temporal.Instant) {
  const [before, after] = [now.subtract({ hours: 24 * days }), now.add({ hours: 24 * days + 1 })];
  const row = {
    paymentId: 'pay_1',
    scheduleId: 'sch_1',
    amountPence,
    status: STATUS[state],
    dueDate: state === 'planned' ? after : before,
    nextRetryAt: state === 'retry' ? after : null,
    errorCode: state === 'retry' || state === 'failed' ? 'insufficient_funds' : null,
    adHoc: state === 'planned' ? 'pay_1' : null,
    description: null,
    returnedAt: null,
    returnedPence: null,
  } as PaymentRow;
  const isWaiting = row.status === 'pending' || state === 'unsent';
  const notSent =
    state === 'unsent'
      ? { reason, until: now.add({ minutes: 10 }), bankId: 'alder', bankName: 'Alder Bank' }
      : null;
  return {
    row,
    notSent,
    counted: { at: row.nextRetryAt ?? row.dueDate, amountPence, isWaiting },
  };
}

/** Whether the schedule is paused, and in how many hours it resumes automatically. */
interface Pausing {
  status: 'active' | 'paused';
  resumesIn: number | null;
}

interface Shown {
  agreement: Agreement;
  text: string;
}

function show(made: readonly Made[], { status, resumesIn }: Pausing, now: Temporal.Instant): Shown {
  const dueAt = status === 'active' ? nextDue(now) : null;
  const resumeAt = status === 'paused' && resumesIn !== null ? now.add({ hours: resumesIn }) : null;
  const about = { scheduleId: 'sch_1', description: 'Gas' };
  const schedule = { ...about, status, dueAt, resumeAt } as Schedule;
  const collecting = [{ schedule, terms: TERMS, changes: NO_CHANGES }];
  const all = made.map((one) => madeAt(one, now));
  const rows = all.map(({ row }) => row);
  const counted = all.filter(({ row }) => row.status !== 'failed').map((one) => one.counted);
  const agreement = {
    collecting,
    coming: comingPayments(collecting, rows, now, MAX),
    past: all
      .filter(({ row }) => isPast(row, now))
      .map(
        ({ row, notSent }) =>
          ({
            ...row,
            waitsForCustomer: false,
            notSent,
            waitsForPerson: false,
            unexpectedPence: 0,
            refunds: [],
          }) as unknown as PastPayment,
      ),
    headroom: limitUses({ params: PARAMS, used: counted, toCome: toComeOf(collecting) }, now),
    notice: null,
    limits: null,
    bankName: 'Alder Bank',
    payingAccountEnding: null,
    payee: null,
    grantedAt: FIRST,
    newTermsUrl: null,
  } as unknown as Agreement;
  const standing = {
    token: 'token',
    merchant: { name: 'Fernhill', legalName: '', website: '', terms: '', timeZone: LONDON },
  } as ConsentPageState;
  const merchant = { ...standing.merchant, email: '', address: '' };
  const page = managePage(
    makePaths(readConfig({ BASE_URL: 'http://localhost' })),
    { ...standing, merchant },
    agreement,
  );
  return { agreement, text: page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ') };
}

function nextDue(now: Temporal.Instant): Temporal.Instant {
  const local = now.toZonedDateTimeISO(LONDON);
  const inMonth = local.with({ day: 10 }).withPlainTime('09:00');
  const later = Temporal.ZonedDateTime.compare(inMonth, local) > 0;
  const next = later ? inMonth : inMonth.add({ months: 1 });
  const at = next.toInstant();
  return Temporal.Instant.compare(at, FIRST) < 0 ? FIRST : at;
}

const aPage = fc
  .record({
    made: fc.array(aPayment, { maxLength: 5 }),
    status: fc.constantFrom('active' as const, 'paused' as const),
    resumesIn: fc.option(fc.integer({ min: 1, max: 24 * 40 })),
    hour: fc.integer({ min: 0, max: 24 * 70 }),
  })
  .map(({ made, hour, ...pause }) => ({
    made,
    now: FIRST.add({ hours: hour }),
    ...show(made, pause, FIRST.add({ hours: hour })),
  }));

const isUntil = (at: Temporal.Instant, end: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(at.toZonedDateTimeISO(LONDON).toPlainDate(), end) <= 0;

test('nothing more can be collected only where no payment is shown as coming in that time', () => {
  fc.assert(
    fc.property(aPage, ({ agreement, text }) => {
      const [room] = agreement.headroom;
      assert.ok(room);
      const until = describePlainDate(room.periodEnd);
      const saysNothing = text.includes(`Nothing more can be collected until the end of ${until}`);
      const coming = agreement.coming.filter(({ dueDate }) => isUntil(dueDate, room.periodEnd));
      if (saysNothing) assert.deepEqual(coming, [], text);
      const sum = coming.reduce((total, one) => total + one.amountPence, 0);
      assert.ok(sum <= room.planned, text);
      if (sum > 0) assert.ok(text.includes(`${describeAmount(room.planned)} planned`), text);
      assert.ok(text.includes(`${describeAmount(room.used)} of `), text);
    }),
    { numRuns: 300 },
  );
});

test('every next attempt that the past payments tell of is among the upcoming ones, and the next payment is the first', () => {
  fc.assert(
    fc.property(aPage, ({ agreement, text }) => {
      const [, upcoming = ''] = text.split('Upcoming payments');
      const list = upcoming.split('Past payments')[0] ?? '';
      for (const [, day = ''] of text.matchAll(/Next attempt: ([^.]*)\./g))
        assert.ok(list.includes(day), `${day} in ${list}`);
      const [first] = agreement.coming;
      if (first === undefined) assert.match(list, /No upcoming payments/);
      else
        assert.ok(
          text.includes(
            `Next payment ${describeAmount(first.amountPence)} on ${describeDay(first.dueDate, LONDON)}`,
          ),
          text,
        );
    }),
    { numRuns: 300 },
  );
});

test('only what is with the bank or paid is used', () => {
  fc.assert(
    fc.property(aPage, ({ agreement, made, now }) => {
      const [room] = agreement.headroom;
      assert.ok(room);
      const from = room.periodStart.toZonedDateTime(LONDON).toInstant();
      const used = made
        .filter(({ state }) => state === 'sent' || state === 'success')
        .filter(
          ({ days }) => Temporal.Instant.compare(now.subtract({ hours: 24 * days }), from) >= 0,
        )
        .reduce((sum, one) => sum + one.amountPence, 0);
      assert.equal(room.used, used);
    }),
    { numRuns: 300 },
  );
});

test('what was not sent is never said to be on its way, whatever keeps it', () => {
  fc.assert(
    fc.property(aPage, ({ agreement, made, text }) => {
      const count = (words: RegExp): number => [...text.matchAll(words)].length;
      const of = (state: State): number => made.filter((one) => one.state === state).length;
      assert.equal(count(/On its way/g), of('sent'), text);
      assert.equal(count(/Not sent yet|Being sent/g), of('unsent'), text);
      const waits = agreement.past.filter(({ notSent }) => notSent?.reason === 'bank_down').length;
      assert.equal(count(/Alder Bank is not responding\./g), waits, text);
    }),
    { numRuns: 300 },
  );
});
