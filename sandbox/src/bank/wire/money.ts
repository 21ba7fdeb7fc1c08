/** Amounts of the open banking API are decimal strings; everything inside the bank is whole pence. */

const DECIMAL = /^\d{1,13}(?:\.\d{1,5})?$/;

/** Converts "49.99" to 4999; null if it is not a whole number of pence or too large. */
export function penceOf(amount: string): number | null {
  if (!DECIMAL.test(amount)) return null;
  const [pounds = '0', fraction = ''] = amount.split('.');
  if (/[1-9]/.test(fraction.slice(2))) return null;
  const pence = Number(pounds) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'));
  return Number.isSafeInteger(pence) ? pence : null;
}

/** Formats 4999 as "49.99", as the API does. */
export function decimalOf(pence: number): string {
  const sign = pence < 0 ? '-' : '';
  const digits = String(Math.abs(pence)).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Formats 250000 as "£2,500.00", for display. */
export function poundsOf(pence: number): string {
  const [pounds = '0', fraction = '00'] = decimalOf(Math.abs(pence)).split('.');
  const grouped = pounds.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${pence < 0 ? '−' : ''}£${grouped}.${fraction}`;
}
