import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { When } from '../../ui/when.tsx';
import { type Operator, useCreateOperator, useOperators } from '../api/operators.ts';
import { NewKeyDialog } from './new-key.tsx';

/** /operators */
export function OperatorsPage() {
  const operators = useOperators();
  const create = useCreateOperator();
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Operators"
      lead="Who runs the service. Every change is recorded under a name."
      actions={
        <Button variant="primary" onPress={() => setCreating(true)}>
          New operator
        </Button>
      }
    >
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
                {
                  header: 'Single sign-on',
                  cell: ({ email }) => email ?? <span className="quiet">–</span>,
                },
                { header: 'Keys', cell: ({ keys }) => String(keys) },
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
      {isCreating ? (
        <NewKeyDialog
          title="New operator"
          label="Name"
          onClose={() => setCreating(false)}
          onCreate={(name) => create.mutateAsync(name)}
        />
      ) : null}
    </Page>
  );
}
