/** Returns why a law's check was inconclusive, for every merchant's eyes: merchants are mentioned but not named. */
export function publicReason(unknown: string): string {
  const parts = unknown
    .split('; ')
    .map((part) => (/mer_/.test(part) ? 'a wallet of a merchant' : part));
  return [...new Set(parts)].filter((part) => part !== '').join('; ') || 'not known';
}
