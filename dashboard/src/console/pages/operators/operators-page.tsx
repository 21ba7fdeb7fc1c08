import { useState } from 'react';
import { ListPage } from '../../../pages/lists/list-page.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/data/data-table.tsx';
import { When } from '../../../ui/values/when.tsx';
import { type Operator, useOperators } from '../../api/operators.ts';
import { For } from '../../session.tsx';
import { RequestsCard } from '../requests-card.tsx';
import { NewOperatorDialog } from './new-operator.tsx';

const COLUMNS: readonly Column<Operator>[] = [
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
];

/** /operators */
export function OperatorsPage() {
  const [isCreating, setCreating] = useState(false);
  return (
    <ListPage
      title="Operators"
      lead="Who runs the service. Every change is recorded under a name."
      actions={
        <For may="security">
          <Button variant="primary" onPress={() => setCreating(true)}>
            New operator
          </Button>
        </For>
      }
      tools={<RequestsCard />}
      query={useOperators()}
      columns={COLUMNS}
      rowPath="/operators"
    >
      {isCreating ? <NewOperatorDialog onClose={() => setCreating(false)} /> : null}
    </ListPage>
  );
}
