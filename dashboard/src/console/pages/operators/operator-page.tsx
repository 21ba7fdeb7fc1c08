import { useState } from 'react';
import { useParams } from 'react-router';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/data/data-table.tsx';
import { ListCard } from '../../../ui/data/list-card.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { Page } from '../../../ui/page.tsx';
import { When } from '../../../ui/values/when.tsx';
import {
  type Operator,
  type OperatorKey,
  useAskFirstKey,
  useCreateKey,
  useKeys,
  useOperatorById,
  useRemoveOperator,
  useRevokeKey,
} from '../../api/operators.ts';
import { DecisionDialog } from '../../decision-dialog.tsx';
import { useMay, useMe } from '../../session.tsx';
import { NewKeyDialog } from './new-key.tsx';
import { RolesCard } from './roles-card.tsx';
import { SignOnCard } from './sign-on-card.tsx';

interface KeyStateProps {
  item: OperatorKey;
  mayRevoke: boolean;
  onRevoke: (key: OperatorKey) => void;
}

function KeyState({ item, mayRevoke, onRevoke }: KeyStateProps) {
  if (item.revoked_at !== null) return <Badge tone="neutral">Revoked</Badge>;
  if (Date.parse(item.expires_at) <= Date.now()) return <Badge tone="neutral">Ended</Badge>;
  if (!mayRevoke) return <Badge tone="success">Valid</Badge>;
  return (
    <Button size="small" onPress={() => onRevoke(item)}>
      Revoke…
    </Button>
  );
}

function Keys({ operator }: { operator: Operator }) {
  const revoke = useRevokeKey(operator.id);
  const [chosen, setChosen] = useState<OperatorKey | null>(null);
  const isOwn = useMe().id === operator.id;
  const mayRevoke = useMay('security') || isOwn;
  const columns: Column<OperatorKey>[] = [
    { header: 'Name', cell: ({ name }) => name },
    { header: 'Ends in', cell: ({ hint }) => <code>{hint}</code> },
    {
      header: 'Last used',
      cell: ({ last_used_at }) => <When at={last_used_at} as="relative" clock="real" />,
    },
    {
      header: 'Valid until',
      cell: ({ expires_at }) => <When at={expires_at} as="date" clock="real" />,
    },
    {
      header: 'From',
      cell: ({ allowed_ips }) => allowed_ips?.join(', ') ?? 'anywhere',
    },
    {
      header: 'State',
      align: 'end',
      cell: (key) => <KeyState item={key} mayRevoke={mayRevoke} onRevoke={setChosen} />,
    },
  ];
  return (
    <ListCard title="Keys" query={useKeys(operator.id)} columns={columns}>
      {chosen === null ? null : (
        <ConfirmDialog
          isOpen
          onClose={() => setChosen(null)}
          title={`Revoke ${chosen.name}?`}
          confirmLabel="Revoke key"
          onConfirm={async () => {
            await revoke.mutateAsync(chosen.id);
            toast('The key is revoked.', 'success');
          }}
        >
          <p>It stops working at once, here and on the command line.</p>
        </ConfirmDialog>
      )}
    </ListCard>
  );
}

function OperatorDetails({ operator }: { operator: Operator }) {
  const me = useMe();
  const create = useCreateKey(operator.id);
  const remove = useRemoveOperator();
  const first = useAskFirstKey(operator.id);
  const maySecure = useMay('security');
  const [open, setOpen] = useState<'key' | 'first' | 'remove' | null>(null);
  const isOwn = operator.id === me.id;
  const isPresent = operator.removed_at === null;
  return (
    <Page
      title={operator.name}
      back={{ to: '/operators', label: 'Operators' }}
      badge={isPresent ? undefined : <Badge tone="neutral">Removed</Badge>}
      actions={
        isPresent ? (
          <>
            {isOwn ? <Button onPress={() => setOpen('key')}>New key</Button> : null}
            {isOwn || !maySecure ? null : (
              <>
                <Button onPress={() => setOpen('first')}>Send a first key…</Button>
                <Button variant="danger" onPress={() => setOpen('remove')}>
                  Remove
                </Button>
              </>
            )}
          </>
        ) : undefined
      }
    >
      {operator.newcomer_until === null ? null : (
        <p className="quiet">
          Others let them in, so they have no say in what takes two operators until{' '}
          <When at={operator.newcomer_until} />.
        </p>
      )}
      <RolesCard operator={operator} />
      <SignOnCard operator={operator} />
      <Keys operator={operator} />
      {open === 'key' ? (
        <NewKeyDialog
          title="New key of your own"
          label="Name of the key"
          onClose={() => setOpen(null)}
          onCreate={(name) => create.mutateAsync(name)}
        />
      ) : null}
      {open === 'first' ? (
        <DecisionDialog
          title={`Send ${operator.name} a new first key?`}
          confirmLabel="Ask for it"
          onClose={() => setOpen(null)}
          onDecide={async (reason) => {
            await first.mutateAsync(reason);
            toast('A second operator must agree within seven days.', 'success');
          }}
        >
          A second operator has to agree. It goes to their email address alone, and for 72 hours
          they have no say in what takes two operators.
        </DecisionDialog>
      ) : null}
      {open === 'remove' ? (
        <ConfirmDialog
          isOpen
          onClose={() => setOpen(null)}
          title={`Remove ${operator.name}?`}
          confirmLabel={`Remove ${operator.name}`}
          onConfirm={async () => {
            await remove.mutateAsync(operator.id);
            toast(`${operator.name} is removed.`, 'success');
          }}
        >
          <p>
            Their keys and sessions end at once, and what waits on their word is taken back. The
            name stays in the audit trail.
          </p>
        </ConfirmDialog>
      ) : null}
    </Page>
  );
}

/** /operators/:id */
export function OperatorPage() {
  const { id = '' } = useParams();
  const operator = useOperatorById(id);
  return <QueryView query={operator}>{(data) => <OperatorDetails operator={data} />}</QueryView>;
}
