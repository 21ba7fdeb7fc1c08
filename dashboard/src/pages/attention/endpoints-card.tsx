import type { Attention } from '../../api/attention.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';

type Endpoint = Attention['endpoints'][number];

/** Endpoints whose events did not arrive, or are on hold. */
export function EndpointsCard({ endpoints }: { endpoints: Endpoint[] }) {
  return (
    <Card
      title="Webhooks that did not arrive"
      lead="Retries have not helped. Open an endpoint to see why, and to replay its events."
      isFlush
    >
      <DataTable<Endpoint>
        label="Webhooks that did not arrive"
        rows={endpoints}
        rowKey={(row) => row.endpoint_id}
        rowHref={(row) => `/webhooks/endpoints/${row.endpoint_id}`}
        columns={[
          { header: 'Endpoint', cell: (row) => <span className="address">{row.url}</span> },
          { header: 'Last error', cell: (row) => row.last_error ?? `It is ${row.status}.` },
          { header: 'Events', align: 'end', cell: (row) => row.undelivered },
        ]}
      />
    </Card>
  );
}
