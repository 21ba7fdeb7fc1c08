import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { When } from '../../ui/when.tsx';
import { type Operator, useOperators } from '../api/operators.ts';
import { For } from '../session.tsx';
import { NewOperatorDialog } from './new-operator.tsx';
import { RequestsCard } from './requests-card.tsx';

/** /operators */
export function OperatorsPage() {
  const operators = useOperators();
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Operators"
      lead="Who runs the service. Every change is recorded under a name."
      actions={
        <For may="security">
          <Button variant="primary" onPress={() => setCreating(true)}>
            New operator
          </Button>
        </For>
      }
    >
      <RequestsCard />
      <QueryView query={operators}>
        {({ data }) => (
          <Card isFlush>
            <DataTable<Operator>
              label="Operators"
              rows={data}
              rowKey={({ id }) => id}
              rowHref={({ id }) => `/operators/${id}`}
              columns={[
                { header: 'Name', cell: ({ name }) => name },
                {
                  header: 'State',
                  cell: ({ removed_at }) =>
                    removed_at === null ? (
                      <Badge tone="success">Active</Badge>
                    ) : (
                      <Badge tone="neutral">Removed</Badge>
                    ),
                },
                { header: 'Roles', cell: ({ roles }) => roles.join(', ') },
                {
                  header: 'Email',
                  cell: ({ email }) => email ?? <span className="quiet">–</span>,
                },
                { header: 'Keys', cell: ({ keys }) => String(keys) },
                {
                  header: 'Last key ends',
                  cell: ({ keys_end_at }) => <When at={keys_end_at} as="date" clock="real" />,
                },
                {
                  header: 'Since',
                  cell: ({ created_at }) => <When at={created_at} as="date" clock="real" />,
                },
                { header: 'Created by', cell: ({ created_by }) => created_by },
              ]}
            />
            <LoadMore query={operators} />
          </Card>
        )}
      </QueryView>
      {isCreating ? <NewOperatorDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}
