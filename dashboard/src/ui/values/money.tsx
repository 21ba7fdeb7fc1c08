import { type Amount, formatMoney } from './format-money.ts';

export { formatMoney } from './format-money.ts';

/** An amount, with digits of equal width. */
export function Money({ amount }: { amount: Amount }) {
  return <span className="money">{formatMoney(amount)}</span>;
}
