import type { Attention } from '../../api/attention.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { When } from '../../ui/values/when.tsx';

type ToConfirm = Attention['to_confirm'];

/** The schedules that wait until their customers have confirmed the consent at their bank. */
export function ToConfirmCard({ waiting }: { waiting: ToConfirm }) {
  return (
    <div id="to_confirm">
      <Card
        title="Consents to be confirmed again"
        lead="The bank wants the customer to confirm. Open a schedule to copy the link to their page."
        isFlush
      >
        <DataTable<ToConfirm[number]>
          label="Consents to be confirmed again"
          rows={waiting}
          rowKey={(row) => row.schedule.id}
          rowHref={(row) => `/schedules/${row.schedule.id}`}
          columns={[
            { header: 'Schedule', cell: (row) => row.schedule.description },
            { header: 'Customer', cell: (row) => row.customer.label },
            { header: 'Waiting since', cell: (row) => <When at={row.since} as="datetime" /> },
          ]}
        />
      </Card>
    </div>
  );
}
