import { percentWords } from '../overview/figures.ts';

interface Sum {
  value: number;
  count: number;
}

/** Formats a month: `2026-03` is "March 2026"; anything else, which an address may hold, stays as it is. */
export function monthWords(month: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return month;
  return format(`${month}-01`, { month: 'long', year: 'numeric' });
}

/** Formats a range of days: "2 – 8 Mar 2026" in full, as "2 Mar 2026 – 8 Mar 2026". */
export function rangeWords(from: string, to: string): string {
  const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', day).formatRange(new Date(from), new Date(to));
}

function format(date: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(date));
}

/** Formats a share, or a dash where nothing has ended yet. */
export function shareWords(share: number | null): string {
  return share === null ? '–' : percentWords(share);
}

/** Returns the list of failed payments that were due on these days; a null day does not limit. */
export function failedPayments(filter: {
  from: string | null;
  to: string | null;
  customerId?: string;
  reason?: string;
  bankId?: string;
  /** Pence; null: no bound. */
  amounts?: { from: number | null; below: number | null };
}): string {
  const query = new URLSearchParams({ status: 'failed' });
  if (filter.customerId !== undefined) query.set('customer_id', filter.customerId);
  if (filter.reason !== undefined) query.set('error_code', filter.reason);
  if (filter.bankId !== undefined) query.set('bank_id', filter.bankId);
  const { from: least = null, below = null } = filter.amounts ?? {};
  if (least !== null) query.set('amount_from', (least / 100).toFixed(2));
  if (below !== null) query.set('amount_to', ((below - 1) / 100).toFixed(2));
  if (filter.from !== null) query.set('from', filter.from);
  if (filter.to !== null) query.set('to', filter.to);
  return `/payments?${query}`;
}

/** What a line of the statement is. */
export const STATEMENT_WORDS = {
  payments: 'Payments collected',
  refunds: 'Refunds',
  fees: 'Fees',
  recalled: 'Recalled payments, netted',
  settlements: 'Settlements to your account',
  came_back: 'Settlements and refunds that came back',
  other: 'Other',
} as const;

/** Returns the month of a local time and the twelve before it, latest first, as `2026-03`. */
export function lastMonths(local: string): string[] {
  const [year = 0, month = 0] = local.slice(0, 7).split('-').map(Number);
  return Array.from({ length: 13 }, (_, i) =>
    new Date(Date.UTC(year, month - 1 - i, 1)).toISOString().slice(0, 7),
  );
}

/** Whether a sum is of anything. */
export const isAny = ({ count }: Sum): boolean => count > 0;
