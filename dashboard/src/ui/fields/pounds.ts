const SHAPE = /^(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d{0,2})?$/;

/** Parses a text such as `1,234.5` or `£49.99` into pence, by its digits; null if it is not an amount of pounds. */
export function parsePounds(text: string): number | null {
  const bare = text.trim().replace(/^£\s*/, '');
  if (!/\d/.test(bare) || !SHAPE.test(bare)) return null;
  const [pounds = '', pence = ''] = bare.replaceAll(',', '').split('.');
  const value = Number(`${pounds}${pence.padEnd(2, '0')}`);
  return Number.isSafeInteger(value) ? value : null;
}

/** Formats pence for editing: 4999 is `49.99`. */
export function formatPounds(pence: number): string {
  const digits = String(pence).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Leaves out the pence that a message gives beside the pounds: "at least 5000 (£50.00)" becomes "at least £50.00". */
export function withoutPence(text: string): string {
  return text.replaceAll(/\b\d+ \((£[\d,.]+)\)/g, '$1');
}
