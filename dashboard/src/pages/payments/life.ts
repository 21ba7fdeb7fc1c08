import type { Attempt, Payment, Refund, Settlement } from '@recollect/sdk';
import type { LedgerEntry } from '../../../../server/src/dashboard/payments/view.ts';
import { formatMoney } from '../../ui/values/format-money.ts';
import { type Around, isUnderWay, type Next, nextOf } from './life-next.ts';
import { notSentWords } from './outcome-words.ts';
import { waitingWords } from './uncertain-words.ts';

/** `now`: it is being done. `problem`: it went wrong, and goes on. `stopped`: it ended there. `later`: nothing has happened. */
export type Progress = 'done' | 'now' | 'problem' | 'stopped' | 'later';

/** One point of a payment's life. */
export interface Point {
  title: string;
  progress: Progress;
  /** When it happened, or is planned; null: that is not known. */
  at: string | null;
  detail: string | null;
  /** The page of what it stands for. */
  to: string | null;
}

export interface Life {
  points: Point[];
  next: Next | null;
}

const LATER = { progress: 'later', at: null, detail: null, to: null } as const;

/** Returns the points from the due date to the pay-out, and what comes next. One that failed ends where it stopped. */
export function lifeOf(payment: Payment, around: Around): Life {
  const { attempts, status } = payment;
  const live = liveAttempt(payment);
  const before = attempts.filter(
    (one) => one.status === 'failed' && one.number < (live?.number ?? Number.POSITIVE_INFINITY),
  );
  const isAwaited = status === 'pending' && attempts.length === 0;
  const due: Point = {
    title: 'Due',
    progress: isAwaited ? 'now' : 'done',
    at: payment.due_date,
    detail: null,
    to: `/schedules/${payment.schedule_id}`,
  };
  const rest =
    status === 'failed'
      ? failedPoints(payment, around)
      : [sentPoint(payment, live, around), ...moneyPoints(payment, live, around)];
  return {
    points: [due, ...failedAttempts(before), ...rest],
    next: nextOf(payment, live, around),
  };
}

/** The attempt that has paid or may still pay; of a failed payment, the last one, if its failure ended the payment. */
function liveAttempt({ attempts, status, error }: Payment): Attempt | undefined {
  const last = attempts.at(-1);
  if (status === 'pending') return undefined;
  if (status === 'failed') return last?.error?.code === error?.code ? last : undefined;
  return attempts.find((one) => one.status === 'success') ?? last;
}

function failedAttempts(failed: readonly Attempt[]): Point[] {
  const last = failed.at(-1);
  if (last === undefined) return [];
  return [
    {
      title:
        failed.length === 1 ? `Attempt ${last.number} failed` : `${failed.length} attempts failed`,
      progress: 'problem',
      at: last.finished_at,
      detail: last.error?.message ?? null,
      to: null,
    },
  ];
}

function failedPoints(payment: Payment, { bankName }: Around): Point[] {
  const sentAt = liveAttempt(payment)?.sent_at ?? null;
  const failed: Point = {
    title: 'Failed',
    progress: 'stopped',
    at: payment.failed_at,
    detail: payment.error?.message ?? null,
    to: null,
  };
  return sentAt === null ? [failed] : [sent(payment, sentAt, bankName), failed];
}

function sent({ bank_id: bankId }: Payment, at: string | null, bankName: string): Point {
  const to = `/payments?bank_id=${encodeURIComponent(bankId)}`;
  return { title: `Sent to ${bankName}`, progress: 'done', at, detail: null, to };
}

function sentPoint(payment: Payment, live: Attempt | undefined, { bankName }: Around): Point {
  const { not_sent: notSent, next_retry_at: retry, waits_for_operator: waits } = payment;
  if (live === undefined)
    return {
      ...LATER,
      title: payment.attempts.length === 0 ? `Sent to ${bankName}` : 'Next attempt',
      at: retry,
    };
  if (notSent === null || live.status === 'success') return sent(payment, live.sent_at, bankName);
  const isUsual = notSent.reason === 'being_sent' || notSent.reason === 'retrying';
  const isLong = waits?.reason === 'not_sent';
  return {
    title: notSent.reason === 'being_sent' ? `Being sent to ${bankName}` : 'Not sent yet',
    progress: isUsual && !isLong ? 'now' : 'problem',
    at: isLong ? waits.since : null,
    detail: isLong ? waitingWords('not_sent') : notSentWords(notSent.reason, bankName),
    to: null,
  };
}

/** Where the money of a payment that has not failed is: at the bank, in the customer's wallet, in the merchant's, paid out. */
function moneyPoints(payment: Payment, live: Attempt | undefined, around: Around): Point[] {
  const { ledger } = around;
  const arrived = lastOf(ledger, ['pay_in', 'allocate']);
  const reported = lastOf(ledger, ['claim', 'claim_back']);
  const hasArrived = live?.status === 'success';
  const isReported = hasArrived || reported?.kind === 'claim' || isPaidFor(payment);
  const isSent = live !== undefined && payment.not_sent === null;
  const paidAt = reported?.kind === 'claim' ? reported.at : (arrived?.at ?? null);
  const isIn = payment.status === 'success';
  return [
    step(payment, `Paid by ${around.bankName}`, {
      isDone: isReported,
      isNow: isSent,
      at: paidAt,
      now: `With ${around.bankName}`,
      doubts: ['no_outcome'],
    }),
    step(payment, 'In the customer’s wallet', {
      isDone: hasArrived,
      isNow: isReported,
      at: arrived?.at ?? null,
      doubts: ['credited_without_money', 'wrong_amount'],
    }),
    step(payment, 'In your wallet', {
      isDone: isIn,
      isNow: hasArrived,
      at: lastOf(ledger, ['move'])?.at ?? payment.completed_at,
      doubts: ['not_transferred'],
    }),
    ...afterwards(payment, around),
  ];
}

/** Whether it is looked into because of its money, after the bank had paid. */
const isPaidFor = ({ waits_for_operator: waits }: Payment): boolean =>
  waits !== null && waits.reason !== 'no_outcome' && waits.reason !== 'not_sent';

interface Step {
  isDone: boolean;
  isNow: boolean;
  at: string | null;
  /** Its title while it is being done, where that is another one. */
  now?: string;
  /** The reasons to look into a payment that concern this step. */
  doubts: readonly NonNullable<Payment['waits_for_operator']>['reason'][];
}

function step({ waits_for_operator: waits }: Payment, title: string, its: Step): Point {
  if (waits !== null && its.doubts.includes(waits.reason))
    return {
      title: its.now ?? title,
      progress: 'problem',
      at: waits.since,
      detail: waitingWords(waits.reason),
      to: null,
    };
  if (its.isDone) return { title, progress: 'done', at: its.at, detail: null, to: null };
  return its.isNow ? { ...LATER, title: its.now ?? title, progress: 'now' } : { ...LATER, title };
}

/** The pay-out, refunds and recalls: what has happened in its order, then the rest. */
function afterwards(payment: Payment, around: Around): Point[] {
  if (payment.status !== 'success') return [{ ...LATER, title: 'Settled' }];
  const points = [
    settledPoint(payment, around.settlement),
    ...refundPoints(payment, around.refunds),
    ...recallPoints(payment),
  ];
  return points.sort((one, other) => sortKeyOf(one) - sortKeyOf(other));
}

/** Returns by what points are sorted: what has happened by its moment, then what is being done, then what is to come. */
function sortKeyOf({ at, progress }: Point): number {
  if (progress === 'later') return Number.MAX_SAFE_INTEGER;
  return progress === 'now' || at === null ? Number.MAX_SAFE_INTEGER - 1 : Date.parse(at);
}

function settledPoint({ settlement_id: id }: Payment, settlement: Settlement | undefined): Point {
  if (id === null) return { ...LATER, title: 'Settled' };
  const point = { to: `/settlements/${id}`, at: null, detail: null };
  if (settlement?.status === 'success')
    return {
      ...point,
      title: 'Settled',
      progress: 'done',
      at: settlement.completed_at,
      detail: `${settlement.statement_reference} on your bank statement`,
    };
  if (settlement?.status === 'failed')
    return {
      ...point,
      title: 'The pay-out failed',
      progress: 'problem',
      at: settlement.failed_at,
      detail: settlement.error?.message ?? null,
    };
  return { ...point, title: 'In a settlement', progress: 'now' };
}

function refundPoints({ refunded }: Payment, refunds: readonly Refund[]): Point[] {
  const last = refunds[0];
  if (refunded.value === 0)
    return last === undefined
      ? []
      : [
          {
            title: 'A refund failed',
            progress: 'problem',
            at: last.failed_at,
            detail: last.error?.message ?? null,
            to: null,
          },
        ];
  const done = refunds.flatMap(({ completed_at: at, status }) =>
    status === 'success' && at !== null ? [at] : [],
  );
  const isDone = done.length > 0 && !refunds.some(isUnderWay);
  const amount = formatMoney(refunded);
  return [
    isDone
      ? { ...LATER, title: `${amount} refunded`, progress: 'done', at: done.sort().at(-1) ?? null }
      : { ...LATER, title: `Refund of ${amount}`, progress: 'now' },
  ];
}

function recallPoints({ returned }: Payment): Point[] {
  if (returned === null) return [];
  return [
    {
      title: `${formatMoney(returned.amount)} recalled`,
      progress: 'problem',
      at: returned.at,
      detail: returned.reason === '' ? null : returned.reason,
      to: null,
    },
  ];
}

function lastOf(
  ledger: readonly LedgerEntry[],
  kinds: readonly LedgerEntry['kind'][],
): LedgerEntry | undefined {
  return ledger.findLast(({ kind }) => kinds.includes(kind));
}
