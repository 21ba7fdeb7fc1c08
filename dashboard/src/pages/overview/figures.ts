import type { OverviewView } from '../../../../server/src/dashboard/overview/view.ts';
import { dayWords } from '../../ui/values/days.ts';

export const SPANS = [7, 30, 90] as const;
export type Span = (typeof SPANS)[number];

const DEFAULT_SPAN: Span = 30;

/** Returns the span in an address, or the default if it names none of the choices. */
export function spanOf(text: string | null): Span {
  return SPANS.find((span) => String(span) === text) ?? DEFAULT_SPAN;
}

type Day = OverviewView['days'][number];

/** Several days taken together; `to` is the last of them. */
export interface Bucket extends Day {
  to: string;
}

const WEEK = 7;
/** More bars than this are unreadable. */
const MAX_BARS = 31;

/** Groups the days for a chart: one by one, or by week if there are many. The last week ends with the last day. */
export function bucketsOf(days: readonly Day[]): Bucket[] {
  const size = days.length > MAX_BARS ? WEEK : 1;
  const first = days.length % size;
  const starts = Array.from({ length: Math.ceil(days.length / size) }, (_, n) =>
    first === 0 ? n * size : Math.max(0, first + (n - 1) * size),
  );
  return starts.flatMap((start, n) => togetherOf(days.slice(start, starts[n + 1])));
}

function togetherOf(days: readonly Day[]): Bucket[] {
  const [first] = days;
  if (first === undefined) return [];
  const sum = (kind: 'collected' | 'failed' | 'settled') => ({
    value: days.reduce((total, day) => total + day[kind].value, 0),
    count: days.reduce((total, day) => total + day[kind].count, 0),
  });
  const sums = { collected: sum('collected'), failed: sum('failed'), settled: sum('settled') };
  return [{ date: first.date, to: days.at(-1)?.date ?? first.date, ...sums }];
}

/** Returns the address of the payments that were due in a bucket. */
export function paymentsOf({ date, to }: Bucket): string {
  return `/payments?from=${date}&to=${to}`;
}

/** Formats a bucket: "Monday 30 March 2026", or "30 Mar – 5 Apr". */
export function bucketWords({ date, to }: Bucket): string {
  return date === to
    ? dayWords(date, 'long')
    : `${dayWords(date, 'short')} – ${dayWords(to, 'short')}`;
}

/** Formats a rate: 0.984 → "98.4%"; never "100%" if any failed. */
export function percentWords(rate: number): string {
  const thousandths = rate < 1 ? Math.min(Math.round(rate * 1000), 999) : 1000;
  return `${thousandths / 10}%`;
}

/** A rise beyond this is said in times: nobody reads 185,225%. */
const MANY_TIMES = 10;

/** Compares a figure with the one of as many days before: "12% more than in the previous 30 days". */
export function changeWords(value: number, before: number, span: Span): string {
  if (before === 0) return '';
  const percent = Math.round((Math.abs(value - before) / before) * 100);
  const than = `in the previous ${span} days`;
  if (percent === 0) return `Same as ${than}`;
  if (value > MANY_TIMES * before) return `More than ${MANY_TIMES} times as much as ${than}`;
  return `${percent.toLocaleString('en-GB')}% ${value > before ? 'more' : 'less'} than ${than}`;
}

/** Formats a count: 1 → "1 payment", 1200 → "1,200 payments". */
export function countWords(count: number, noun: string): string {
  return `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a law's name: "debits-equal-credits" → "Debits equal credits". */
export function lawWords(law: string): string {
  const words = law.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Formats pence as a short axis label: 125000 → "£1.3k"; the exact number is shown beside it. */
export function axisWords(pence: number, currency: string): string {
  const isExact = pence < 1000 && pence % 100 !== 0;
  const format = new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    notation: 'compact',
    minimumFractionDigits: isExact ? 2 : 0,
    maximumFractionDigits: isExact ? 2 : 1,
  });
  return format.format(pence / 100);
}

/** The next step of a new merchant; null once a payment was requested. */
export type FirstStep = 'create' | 'agree' | 'move_clock' | null;

/** Returns the next step of a merchant who has never collected. */
export function firstStep(overview: OverviewView): FirstStep {
  const { schedules, collected, failed, settled, wallet } = overview;
  const hasMoved =
    collected.count + failed.count + settled.count > 0 ||
    wallet.value > 0 ||
    overview.next_settlement !== null;
  if (hasMoved || schedules.paused + schedules.cancelled > 0) return null;
  if (schedules.active > 0) return 'move_clock';
  return schedules.pending_consent > 0 ? 'agree' : 'create';
}
