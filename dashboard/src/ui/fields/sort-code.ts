/** Formats a sort code: `123456` as `12-34-56`. A masked one stays unchanged. */
export function formatSortCode(digits: string): string {
  return digits.replace(/^(\d{2})(\d{2})(\d{2})$/, '$1-$2-$3');
}
