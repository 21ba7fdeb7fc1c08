import { useListTotals } from '../../api/list-query.ts';
import { formatMoney } from '../../ui/values/money.tsx';
import { countWords } from '../overview/figures.ts';

interface ListTotalsProps {
  /** The address of the list, such as `/api/v1/payments`. */
  of: string;
  filter: Readonly<Record<string, string | number | undefined>>;
  /** What one item is called. */
  noun: string;
  /** Its items have no amounts. */
  isCountOnly?: boolean;
}

/** How many items of a list match its filter, and what their amounts add up to. */
export function ListTotals({ of, filter, noun, isCountOnly = false }: ListTotalsProps) {
  const totals = useListTotals(of, filter, !isCountOnly).data;
  if (totals === undefined || totals.total === 0) return null;
  const { total, total_amount: amount } = totals;
  const count = countWords(total, noun);
  return (
    <p className="list-totals" role="status">
      {amount === undefined ? count : `${count}, ${formatMoney(amount)} together`}
    </p>
  );
}
