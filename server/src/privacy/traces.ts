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
const BRITISH = '+44';

/** Returns the texts by which a person is recognised in a text, in lower case. */
export function tracesOf({ phone, bankAccount, name, email, reference }: Person): string[] {
  const national = phone?.startsWith(BRITISH) ? `0${phone.slice(BRITISH.length)}` : null;
  return [phone?.slice(1), national, bankAccount?.slice(SORT_CODE), name, email, reference]
    .map((trace) => trace?.trim().toLowerCase() ?? '')
    .filter((trace) => trace.length >= SHORTEST);
}

/** Whether a text, or the query of an address, has one of these traces. */
export function mentions(text: string, traces: readonly string[]): boolean {
  const lower = text.toLowerCase();
  const decoded = new URLSearchParams(lower).toString().replaceAll('+', ' ');
  const texts = [lower, decodeURIComponent(decoded)];
  return traces.some((trace) => texts.some((one) => one.includes(trace)));
}
