import type { ApiKey } from '@recollect/sdk';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useChangeLimits, useKeys } from '../../api/developers.ts';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/data/data-table.tsx';
import { ListCard } from '../../ui/data/list-card.tsx';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { RevokeKey } from '../developers/revoke-key.tsx';
import { LIMIT_ALIASES, LimitFields, type LimitValues, limitsIn } from './limit-fields.tsx';

type Wish = { what: 'limits' | 'stop'; key: ApiKey };

const gbp = (value: number) => ({ value, currency: 'GBP' });

/** The keys with limits, which agents use: how much they may do, and what stops them. */
export function AgentKeys() {
  const [wish, setWish] = useState<Wish | null>(null);
  const query = useKeys();
  const live = query.data?.filter((key) => key.limits !== null && key.revoked_at === null);
  const columns: Column<ApiKey>[] = [
    {
      header: 'Agent’s key',
      cell: ({ name, hint }) => (
        <span className="stacked">
          <strong>{name}</strong>
          <code className="nowrap">…{hint}</code>
        </span>
      ),
    },
    {
      header: 'Each act',
      align: 'end',
      cell: ({ limits }) => <Pence value={limits?.per_act_pence} />,
    },
    {
      header: 'Each day',
      align: 'end',
      cell: ({ limits }) => <Pence value={limits?.per_day_pence} />,
    },
    {
      header: 'Used today',
      align: 'end',
      cell: ({ limits }) => <Pence value={limits?.used_today_pence} />,
    },
    {
      header: 'Last used',
      cell: ({ last_used_at: at }) => (at === null ? 'never' : <When at={at} as="datetime" />),
    },
    {
      header: 'Actions',
      align: 'end',
      cell: (key) => (
        <span className="row row-end">
          <Button
            size="small"
            aria-label={`Change the limits of ${key.name}`}
            onPress={() => setWish({ what: 'limits', key })}
          >
            Limits
          </Button>
          <Button
            size="small"
            variant="danger"
            aria-label={`Stop ${key.name}`}
            onPress={() => setWish({ what: 'stop', key })}
          >
            Stop
          </Button>
        </span>
      ),
    },
  ];
  const close = () => setWish(null);
  return (
    <ListCard<ApiKey>
      title="Agents’ keys"
      lead="A key does on its own what is within its limits, wherever it is used. Stopping it revokes it at once."
      lines={2}
      query={{ ...query, data: live }}
      columns={columns}
      empty={
        <p className="card-lead nothing-waits">
          No key has limits yet. Connect an agent to make one.
        </p>
      }
    >
      {wish?.what === 'limits' ? <ChangeLimits apiKey={wish.key} onClose={close} /> : null}
      {wish?.what === 'stop' ? <RevokeKey apiKey={wish.key} onClose={close} /> : null}
    </ListCard>
  );
}

function Pence({ value }: { value: number | undefined }) {
  return value === undefined ? null : <Money amount={gbp(value)} />;
}

function ChangeLimits({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { per_act_pence: perAct, per_day_pence: perDay } = apiKey.limits ?? {
    per_act_pence: 0,
    per_day_pence: 0,
  };
  const form = useForm<LimitValues>({ defaultValues: { per_act: perAct, per_day: perDay } });
  const change = useChangeLimits(apiKey.id);
  return (
    <FormDialog
      title={`Limits of “${apiKey.name}”`}
      form={form}
      aliases={LIMIT_ALIASES}
      onClose={onClose}
      onSubmit={async (values) => {
        await change.mutateAsync(limitsIn(values));
        toast('Limits saved.', 'success');
      }}
      confirmLabel="Save"
    >
      <p>What was used today stays used. Keys that replace this one share its limits.</p>
      <LimitFields control={form.control} />
    </FormDialog>
  );
}
