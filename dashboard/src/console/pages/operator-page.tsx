import { useState } from 'react';
import { useParams } from 'react-router';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { toast } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import {
  type Operator,
  type OperatorKey,
  useCreateKey,
  useKeys,
  useOperatorById,
  useRemoveOperator,
  useRevokeKey,
} from '../api/operators.ts';
import { useMe } from '../session.tsx';
import { NewKeyDialog } from './new-key.tsx';
import { SignOnCard } from './sign-on-card.tsx';

function Keys({ operator }: { operator: Operator }) {
  const keys = useKeys(operator.id);
  const revoke = useRevokeKey(operator.id);
  const [chosen, setChosen] = useState<OperatorKey | null>(null);
  return (
    <Card title="Keys" isFlush>
      <QueryView query={keys}>
        {({ data }) => (
          <>
            <DataTable<OperatorKey>
              label="Keys"
              rows={data}
              rowKey={({ id }) => id}
              columns={[
                { header: 'Name', cell: ({ name }) => name },
                { header: 'Ends in', cell: ({ hint }) => <code>{hint}</code> },
                {
                  header: 'Last used',
                  cell: ({ last_used_at }) => <When at={last_used_at} as="relative" clock="real" />,
                },
                {
                  header: 'State',
                  align: 'end',
                  cell: (key) =>
                    key.revoked_at === null ? (
                      <Button size="small" onPress={() => setChosen(key)}>
                        Revoke…
                      </Button>
                    ) : (
                      <Badge tone="neutral">Revoked</Badge>
                    ),
                },
              ]}
            />
            <LoadMore query={keys} />
          </>
        )}
      </QueryView>
      {chosen === null ? null : (
        <ConfirmDialog
          isOpen
          onClose={() => setChosen(null)}
          title={`Revoke ${chosen.name}?`}
          confirmLabel="Revoke"
          onConfirm={async () => {
            await revoke.mutateAsync(chosen.id);
            toast('The key is revoked.', 'success');
          }}
        >
          <p>It stops working at once, here and on the command line.</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}

function Shown({ operator }: { operator: Operator }) {
  const me = useMe();
  const create = useCreateKey(operator.id);
  const remove = useRemoveOperator();
  const [open, setOpen] = useState<'key' | 'remove' | null>(null);
  const isPresent = operator.removed_at === null;
  return (
    <Page
      title={operator.name}
      back={{ to: '/operators', label: 'Operators' }}
      badge={isPresent ? undefined : <Badge tone="neutral">Removed</Badge>}
      actions={
        isPresent ? (
          <>
            <Button onPress={() => setOpen('key')}>New key</Button>
            {operator.id === me.id ? null : (
              <Button variant="danger" onPress={() => setOpen('remove')}>
                Remove
              </Button>
            )}
          </>
        ) : undefined
      }
    >
      {operator.confirms_from === null ? null : (
        <p className="quiet">
          Another operator gave them a way in, so they count as a second person from{' '}
          <When at={operator.confirms_from} /> on.
        </p>
      )}
      <SignOnCard operator={operator} />
      <Keys operator={operator} />
      {open === 'key' ? (
        <NewKeyDialog
          title={`New key for ${operator.name}`}
          label="Name of the key"
          onClose={() => setOpen(null)}
          onCreate={(name) => create.mutateAsync(name)}
        />
      ) : null}
      {open === 'remove' ? (
        <ConfirmDialog
          isOpen
          onClose={() => setOpen(null)}
          title={`Remove ${operator.name}?`}
          confirmLabel="Remove"
          onConfirm={async () => {
            await remove.mutateAsync(operator.id);
            toast(`${operator.name} is removed.`, 'success');
          }}
        >
          <p>Their keys stop working at once. The name stays in the audit trail.</p>
        </ConfirmDialog>
      ) : null}
    </Page>
  );
}

/** /operators/:id */
export function OperatorPage() {
  const { id = '' } = useParams();
  const operator = useOperatorById(id);
  return <QueryView query={operator}>{(data) => <Shown operator={data} />}</QueryView>;
}
