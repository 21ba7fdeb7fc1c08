// How our names and amounts are written at Modulr, and read back.

/** A merchant's wallet: 53 characters, where Modulr takes 50 without a slash. */
const OWN_NAME = /^mer_(\w{22})\/(wal_\w{22})$/;
const MODULR_NAME = /^(\w{22})-(wal_\w{22})$/;

/** Returns the external reference of an account: at most 50 letters, digits, underscores, hyphens and spaces. */
export function toAccountReference(externalReference: string): string {
  return externalReference.replace(OWN_NAME, '$1-$2').replaceAll('/', ' ');
}

/** Returns our name of an account; null: it is no wallet of ours. */
export function fromAccountReference(reference: string | undefined): string | null {
  if (reference === undefined || !/^[\w-]+( [\w-]+)?$/.test(reference)) return null;
  return reference.replace(MODULR_NAME, 'mer_$1/$2').replaceAll(' ', '/');
}

/** Returns what stands on a statement: 6 to 18 letters and digits, of two kinds at least. Two references may look alike. */
export function toStatementText(reference: string): string {
  const text = reference.replaceAll(/[^A-Za-z0-9]/g, '').slice(-18);
  const isFit = text.length >= 6 && new Set(text).size > 1;
  return isFit ? text : `REF ${text.slice(-14)}`.padEnd(6, '0');
}

/** Returns an amount in pounds, as Modulr writes it. */
export const toPounds = (pence: number): number => pence / 100;

/** Returns whole pence. Throws if the amount has parts of a penny, or is too large to be exact. */
export function toPence(pounds: number | string): number {
  const pence = Math.round(Number(pounds) * 100);
  if (!Number.isSafeInteger(pence) || Math.abs(Number(pounds) * 100 - pence) > 0.001)
    throw new Error(`${pounds} is no amount in pounds and pence`);
  return pence;
}

/** Returns an instant as Modulr's queries take it, to the second: `2016-01-01T01:01:01+0000`. */
export function toQueryTime(at: Temporal.Instant): string {
  return at.toString({ smallestUnit: 'second', roundingMode: 'floor' }).replace('Z', '+0000');
}
