import { foldText, plainText } from '../platform/values/normal.ts';

/** What identifies a person, unsealed. */
export interface Person {
  /** E.164. */
  phone: string | null;
  /** Sort code and account number together: 14 digits. */
  bankAccount: string | null;
  name: string | null;
  email: string | null;
  reference: string | null;
}

/** Shorter ones are found in what concerns somebody else. */
const SHORTEST = 4;
const SORT_CODE = 6;
/** A phone number, which people group as they like; shorter ones are found by chance in other digits. */
const WHOLE_NUMBER = /^\d{10,}$/;
const UK_PREFIX = '+44';

/** Returns the texts by which a person is recognised in a text, folded as `foldText` does. */
export function tracesOf({ phone, bankAccount, name, email, reference }: Person): string[] {
  const national = phone?.startsWith(UK_PREFIX) ? `0${phone.slice(UK_PREFIX.length)}` : null;
  return [phone?.slice(1), national, bankAccount?.slice(SORT_CODE), name, email, reference]
    .map((trace) => foldText(trace?.trim() ?? ''))
    .filter((trace) => trace.length >= SHORTEST);
}

/** Whether a text, or the query of an address, has one of these traces, however it is written. */
export function mentions(text: string, traces: readonly string[]): boolean {
  const decoded = new URLSearchParams(text.toLowerCase()).toString().replaceAll('+', ' ');
  const texts = [foldText(text), foldText(decodeURIComponent(decoded))];
  const numbers = plainText(text).replace(/[\s().-]/g, '');
  return traces.some(
    (trace) =>
      texts.some((one) => one.includes(trace)) ||
      (WHOLE_NUMBER.test(trace) && numbers.includes(trace)),
  );
}
