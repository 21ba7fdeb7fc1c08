import { parsePounds } from '../../ui/fields/pounds.ts';
import { instantsOf } from './day-range.ts';

/** The filters of dates and amounts in a list's address. */
export const RANGES = ['from', 'to', 'amount_from', 'amount_to'] as const;
export type Range = (typeof RANGES)[number];

/** The ranges as the service takes them. */
export interface RangeFilter {
  from?: string;
  to?: string;
  amount_from?: number;
  amount_to?: number;
}

/** Returns the ranges of an address: days of the merchant's calendar as instants, pounds as pence. */
export function rangesOf(values: Readonly<Record<Range, string>>, timeZone: string): RangeFilter {
  const [least, most] = [parsePounds(values.amount_from), parsePounds(values.amount_to)];
  return {
    ...instantsOf(values, timeZone),
    ...(least === null ? {} : { amount_from: least }),
    ...(most === null ? {} : { amount_to: most }),
  };
}
