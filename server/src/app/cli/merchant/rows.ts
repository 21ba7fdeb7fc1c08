import type { Frequency, Payment, SandboxMoved, Schedule, Settlement } from '@recollect/sdk';
import { describeAmount, describeFrequency } from '../../../schedules/terms/describe.ts';

/** What a line of a table, or the lines about one object, show: a name and a text each. Empty ones are left out. */
export type Shown = Readonly<Record<string, unknown>>;

/** How objects are shown: in which time zone, and in which colours. */
export interface Style {
  timeZone: string;
  paint(colour: Colour, text: string): string;
}
export type Colour = 'green' | 'yellow' | 'red' | 'dim';

type Money = { value: number; currency: string };

const amount = ({ value, currency }: Money): string => describeAmount(value, currency);
/** An amount that is worth a line. */
const some = (money: Money): string => (money.value === 0 ? '' : amount(money));

/** Formats a day as people write it: "Wed 7 Jan 2026". */
function dayOf(at: string | null, { timeZone }: Pick<Style, 'timeZone'>): string {
  if (at === null) return '';
  return Temporal.Instant.from(at)
    .toZonedDateTimeISO(timeZone)
    .toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
    .replace(',', '');
}

/** The same with the time of day: "Wed 7 Jan 2026, 09:00". */
function momentOf(at: string | null, style: Pick<Style, 'timeZone'>): string {
  if (at === null) return '';
  const time = Temporal.Instant.from(at).toZonedDateTimeISO(style.timeZone).toPlainTime();
  return `${dayOf(at, style)}, ${time.toString({ smallestUnit: 'minute' })}`;
}

/** Formats a calendar day. */
const dateOf = (date: string): string =>
  dayOf(`${date.slice(0, 10)}T12:00:00Z`, { timeZone: 'UTC' });

const COLOURS: Readonly<Record<string, Colour>> = {
  active: 'green',
  success: 'green',
  pending: 'yellow',
  processing: 'yellow',
  pending_consent: 'yellow',
  paused: 'yellow',
  failed: 'red',
  cancelled: 'dim',
};

const statusOf = (status: string, { paint }: Style): string =>
  paint(COLOURS[status] ?? 'dim', status.replaceAll('_', ' '));

/** Says how often, as for customers: "every month on the 1st". */
function oftenOf(frequency: Frequency, from: string | null, { timeZone }: Style): string {
  const day = 'day' in frequency ? (frequency.day ?? null) : null;
  const first = Temporal.Instant.from(from ?? '2026-01-01T12:00:00Z').toZonedDateTimeISO(timeZone);
  return describeFrequency({ ...frequency, day }, first.toPlainDate());
}

/** Names a customer by what says most of them. */
function customerOf({ customer }: Schedule): string {
  const { name, reference, id } = customer;
  return [name ?? reference ?? ('value' in customer ? customer.value : id)].join();
}

/** Returns the line of a schedule in a list. */
export function scheduleRow(schedule: Schedule, style: Style): Shown {
  return {
    schedule: schedule.id,
    customer: customerOf(schedule),
    amount: schedule.amount_mode === 'fixed' ? amount(schedule.amount) : 'varies',
    every: oftenOf(schedule.frequency, schedule.start_date, style).replace(/^every /, ''),
    status: statusOf(schedule.status, style),
    next: dayOf(schedule.next_payment_date, style),
  };
}

/** Returns the lines about a schedule. */
export function scheduleLines(schedule: Schedule, style: Style): Shown {
  const { every, next, ...row } = scheduleRow(schedule, style);
  return {
    ...row,
    collects: oftenOf(schedule.frequency, schedule.start_date, style),
    next: momentOf(schedule.next_payment_date, style),
    description: schedule.description,
    'customer id': schedule.customer.id,
    reference: schedule.reference,
    from: dayOf(schedule.start_date, style),
    until: dayOf(schedule.end_date, style),
    'resumes on': dayOf(schedule.resume_at, style),
    'consent link': schedule.consent_url,
    warning: schedule.warnings.map(({ message }) => message),
    created: momentOf(schedule.created_at, style),
  };
}

/** Returns the line of a payment in a list. */
export function paymentRow(payment: Payment, style: Style): Shown {
  return {
    payment: payment.id,
    due: dayOf(payment.due_date, style),
    amount: amount(payment.amount),
    status: statusOf(payment.status, style),
    why: payment.status === 'success' ? '' : (payment.error?.code ?? '').replaceAll('_', ' '),
    schedule: payment.schedule_id,
  };
}

/** Returns the lines about a payment, with its attempts. */
export function paymentLines(payment: Payment, style: Style): Shown {
  return {
    payment: payment.id,
    status: statusOf(payment.status, style),
    amount: amount(payment.amount),
    why: payment.error?.message,
    due: momentOf(payment.due_date, style),
    'next retry': momentOf(payment.next_retry_at, style),
    'no retry': payment.no_retry_reason?.replaceAll('_', ' '),
    schedule: payment.schedule_id,
    customer: payment.customer_reference ?? payment.customer_id,
    bank: payment.bank_id,
    settlement: payment.settlement_id,
    refunded: some(payment.refunded),
    attempts: payment.attempts.map((attempt) => ({
      attempt: attempt.number,
      started: momentOf(attempt.started_at, style),
      status: statusOf(attempt.status, style),
      why: attempt.error?.message,
      'at the bank': attempt.bank_payment_id,
    })),
  };
}

/** Returns the line of a settlement in a list. */
export function settlementRow(settlement: Settlement, style: Style): Shown {
  return {
    settlement: settlement.id,
    day: dateOf(settlement.settlement_date),
    collected: amount(settlement.gross),
    fees: some(settlement.fees),
    'paid out': amount(settlement.amount),
    status: statusOf(settlement.status, style),
    reference: settlement.statement_reference,
  };
}

/** Returns what a move of the clock has brought: the events by kind, and what did not reach an endpoint. */
export function movedLines(moved: SandboxMoved, style: Style): Shown {
  const counts = (names: readonly string[]) =>
    [...Map.groupBy(names, (name) => name)].map(([event, all]) => ({ event, times: all.length }));
  const failed = moved.happened.flatMap((one) =>
    one.kind === 'delivery_attempt' && one.error !== null ? [one.error] : [],
  );
  return {
    from: momentOf(moved.from, style),
    to: momentOf(moved.to, style),
    stopped: moved.stopped ? style.paint('yellow', 'before its target') : '',
    'not delivered': failed.length === 0 ? '' : `${failed.length}: ${failed.at(-1)}`,
    events: counts(moved.happened.flatMap((one) => (one.kind === 'event' ? [one.event] : []))),
  };
}
