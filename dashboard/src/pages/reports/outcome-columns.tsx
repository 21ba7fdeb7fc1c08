import type { Outcomes } from '../../../../server/src/dashboard/reports/view.ts';
import type { Column } from '../../ui/data/data-table.tsx';
import { AmountCell } from './amount-cell.tsx';
import { shareWords } from './report-words.ts';

/** Returns the columns of the outcomes of failures; `lostIn` a row: the list of its lost payments, if a filter finds them. */
export function outcomeColumns<T extends Outcomes>(
  currency: string,
  lostIn: (row: T) => string | undefined,
): Column<T>[] {
  const sum = (header: string, of: (row: T) => Outcomes['lost'], toOf?: typeof lostIn) => ({
    header,
    align: 'end' as const,
    cell: (row: T) => {
      const to = toOf?.(row);
      return <AmountCell sum={of(row)} currency={currency} {...(to === undefined ? {} : { to })} />;
    },
  });
  return [
    sum('Failed', ({ failed }) => failed),
    sum('Recovered', ({ recovered }) => recovered),
    sum('Still open', ({ waiting }) => waiting),
    sum('Lost', ({ lost }) => lost, lostIn),
    { header: 'Recovered share', align: 'end', cell: (row) => shareWords(row.recovered_share) },
  ];
}
