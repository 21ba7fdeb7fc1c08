import type { Settlement } from '@recollect/sdk';
import type { PaymentItem } from '../../../../server/src/dashboard/payments/view.ts';
import { useSettlementLedger, useSettlementPayments } from '../../api/settlements.ts';
import type { Column } from '../../ui/data/data-table.tsx';
import { ListCard } from '../../ui/data/list-card.tsx';
import { Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { countWords } from '../overview/figures.ts';
import { MetadataText } from './metadata-text.tsx';

/** Returns the columns, with the sums of the whole settlement, however much of the list is shown. */
function columnsOf({ gross, fees }: Settlement, count: number | undefined): Column<PaymentItem>[] {
  const hasFees = fees.value > 0;
  return [
    {
      header: 'Customer',
      cell: ({ shown }) => shown.customer,
      ...(count === undefined ? {} : { total: countWords(count, 'payment') }),
    },
    {
      header: 'Description',
      cell: ({ description, shown }) => description ?? shown.description,
    },
    {
      header: 'Customer reference',
      cell: ({ customer_reference: reference }) => reference ?? '–',
    },
    { header: 'Your data', cell: ({ metadata }) => <MetadataText metadata={metadata} /> },
    {
      header: 'Collected',
      cell: ({ completed_at: at }) => (
        <span className="nowrap">
          <When at={at} as="date" />
        </span>
      ),
    },
    ...(hasFees
      ? [
          {
            header: 'Fee',
            align: 'end' as const,
            cell: ({ fee }: PaymentItem) => (fee === null ? '–' : <Money amount={fee} />),
            total: <Money amount={fees} />,
          },
        ]
      : []),
    {
      header: 'Amount',
      align: 'end',
      cell: ({ amount }) => <Money amount={amount} />,
      total: <Money amount={gross} />,
    },
  ];
}

/** The payments of a settlement: whose they are, what for, and what they come to. */
export function SettlementPayments({ settlement }: { settlement: Settlement }) {
  const ledger = useSettlementLedger(settlement.id);
  return (
    <ListCard
      title="Payments"
      label="Payments in this settlement"
      query={useSettlementPayments(settlement.id)}
      columns={columnsOf(settlement, ledger.data?.payments.count)}
      rowPath="/payments"
    />
  );
}
