import '../../../pages/lists/lists.css';
import { useState } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/data/data-table.tsx';
import { Empty } from '../../../ui/data/empty.tsx';
import { ListCard } from '../../../ui/data/list-card.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { When } from '../../../ui/values/when.tsx';
import {
  type MerchantKey,
  useMerchantKeys,
  useRevokeMerchantKey,
} from '../../api/merchant-keys.ts';
import type { Merchant } from '../../api/merchants.ts';
import { DecisionDialog } from '../../decision-dialog.tsx';
import { For } from '../../session.tsx';
import { NewMerchantKey } from './new-merchant-key.tsx';

const shownKey = ({ mode, hint }: MerchantKey): string => `rk_${mode}_…${hint}`;

function KeyEnd({ apiKey, onRevoke }: { apiKey: MerchantKey; onRevoke: () => void }) {
  if (apiKey.revoked_at !== null)
    return (
      <span className="stacked">
        <Badge tone="neutral">Revoked</Badge>
        <span className="quiet small">
          <When at={apiKey.revoked_at} />
        </span>
      </span>
    );
  return (
    <span className="stacked">
      <For may="security">
        <Button size="small" onPress={onRevoke}>
          Revoke…
        </Button>
      </For>
      {apiKey.expires_at === null ? null : (
        <span className="quiet small">
          ends <When at={apiKey.expires_at} />
        </span>
      )}
    </span>
  );
}

function columns(onRevoke: (key: MerchantKey) => void): Column<MerchantKey>[] {
  return [
    {
      header: 'Key',
      cell: (key) => (
        <span className="stacked">
          <strong>{key.name}</strong>
          <code className="nowrap">{shownKey(key)}</code>
        </span>
      ),
    },
    {
      header: 'Permissions',
      cell: ({ scopes }) => <span className="small">{scopes.join(', ')}</span>,
    },
    {
      header: 'Made by',
      cell: ({ made_by: by, created_at: at }) => (
        <span className="stacked">
          <span>{by === null ? 'Operator' : 'Member'}</span>
          <span className="quiet small nowrap">
            <When at={at} as="date" />
          </span>
        </span>
      ),
    },
    { header: 'Last used', cell: ({ last_used_at: at }) => <When at={at} /> },
    {
      header: 'State',
      align: 'end',
      cell: (key) => <KeyEnd apiKey={key} onRevoke={() => onRevoke(key)} />,
    },
  ];
}

/** The merchant's API keys: made and revoked for a merchant that cannot do it in its dashboard. */
export function MerchantKeysCard({ merchant }: { merchant: Merchant }) {
  const revoke = useRevokeMerchantKey(merchant.id);
  const [open, setOpen] = useState<MerchantKey | 'new' | null>(null);
  const close = () => setOpen(null);
  return (
    <ListCard
      title="API keys"
      actions={
        <For may="security">
          <Button size="small" onPress={() => setOpen('new')}>
            New key…
          </Button>
        </For>
      }
      query={useMerchantKeys(merchant.id)}
      columns={columns(setOpen)}
      empty={<Empty title="No keys" />}
    >
      {open === 'new' ? <NewMerchantKey merchant={merchant} onClose={close} /> : null}
      {open === null || open === 'new' ? null : (
        <DecisionDialog
          title={`Revoke “${open.name}”?`}
          confirmLabel="Revoke key"
          tone="danger"
          onClose={close}
          onDecide={async (reason) => {
            await revoke.mutateAsync({ id: open.id, reason });
            toast('The key is revoked.', 'success');
          }}
        >
          The key ending in <code>{open.hint}</code> stops working at once, and this cannot be
          undone. The merchant’s owners are told by email.
        </DecisionDialog>
      )}
    </ListCard>
  );
}
