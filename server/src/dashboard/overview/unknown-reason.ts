const UNKNOWN = 'unknown: ';

/** Returns why a law's check was inconclusive, for one merchant: other merchants are mentioned but not named. */
export function unknownReason(detail: string | null, merchantId: string): string {
  const line = detail?.split('\n').find((one) => one.startsWith(UNKNOWN)) ?? UNKNOWN;
  const parts = line.slice(UNKNOWN.length).split('; ');
  const shown = parts.map((part) =>
    /mer_/.test(part.replaceAll(merchantId, '')) ? 'a wallet of another merchant' : part,
  );
  return [...new Set(shown)].filter((part) => part !== '').join('; ') || 'not known';
}
