import type { Attention } from '../../api/attention.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { REASONS } from './dispute-words.ts';

type Disputes = Attention['disputes'];

/** The open disputes, the one that has to be answered first first. */
export function DisputesCard({ disputes }: { disputes: Disputes }) {
  return (
    <div id="disputes">
      <Card
        title="Disputed payments"
        lead="Refund each or answer it by its deadline. The nearest comes first."
        isFlush
      >
        <DataTable<Disputes[number]>
          label="Disputed payments"
          rows={disputes}
          rowKey={(row) => row.id}
          rowHref={(row) => `/disputes/${row.id}`}
          columns={[
            { header: 'Reason', cell: (row) => REASONS[row.reason] },
            { header: 'Raised', cell: (row) => <When at={row.created_at} as="datetime" /> },
            { header: 'Answer by', cell: (row) => <When at={row.deadline} as="datetime" /> },
            { header: 'Amount', align: 'end', cell: (row) => <Money amount={row.amount} /> },
          ]}
        />
      </Card>
    </div>
  );
}
