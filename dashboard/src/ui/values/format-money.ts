export interface Amount {
  value: number;
  currency: string;
}

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat('en-GB', { style: 'currency', currency });
  formats.set(currency, made);
  return made;
}

/** Formats an amount in minor units: `{ value: 4999, currency: 'GBP' }` is £49.99. */
export function formatMoney({ value, currency }: Amount): string {
  const format = formatOf(currency);
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(value / 10 ** digits);
}

/** Names an act with its amount in pence: "Refund £25.00"; without one, the act alone. */
export function withAmount(act: string, pence: number | null): string {
  return pence === null || pence === 0
    ? act
    : `${act} ${formatMoney({ value: pence, currency: 'GBP' })}`;
}
