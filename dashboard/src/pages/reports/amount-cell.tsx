import { Link } from 'react-router';
import { formatMoney } from '../../ui/values/money.tsx';
import { countWords } from '../overview/figures.ts';

interface AmountCellProps {
  sum: { value: number; count: number };
  currency: string;
  /** The payments that it is the sum of. */
  to?: string;
}

/** An amount with the number of payments below it, as a link where there is a list of them. */
export function AmountCell({ sum, currency, to }: AmountCellProps) {
  if (sum.count === 0) return <span className="quiet">–</span>;
  const amount = formatMoney({ value: sum.value, currency });
  return (
    <span className="stacked">
      {to === undefined ? (
        <span className="money nowrap">{amount}</span>
      ) : (
        <Link to={to} className="money nowrap">
          {amount}
        </Link>
      )}
      <span className="quiet nowrap">{countWords(sum.count, 'payment')}</span>
    </span>
  );
}
