import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/data/data-table.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { ListCard } from '../../ui/data/list-card.tsx';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { Page } from '../../ui/page.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import {
  type Difference,
  type Report,
  useDifferences,
  useReconcile,
  useReports,
  useResolve,
} from '../api/reconciliation.ts';
import { DecisionDialog } from '../decision-dialog.tsx';
import { For } from '../session.tsx';

function columns(choose: (difference: Difference) => void): Column<Difference>[] {
  return [
    { header: 'Day', cell: ({ date }) => <When at={date} as="date" /> },
    { header: 'What', cell: ({ what }) => what },
    {
      header: 'Amount',
      align: 'end',
      cell: ({ amount_pence: value }) =>
        value === null ? '–' : formatMoney({ value, currency: 'GBP' }),
    },
    {
      header: 'Actions',
      align: 'end',
      cell: (difference) => (
        <For may="payments">
          <Button size="small" onPress={() => choose(difference)}>
            Resolve…
          </Button>
        </For>
      ),
    },
  ];
}

function Differences() {
  const resolve = useResolve();
  const [chosen, setChosen] = useState<Difference | null>(null);
  return (
    <ListCard
      title="Open differences"
      query={useDifferences()}
      columns={columns(setChosen)}
      empty={<Empty title="Our books and the issuer’s agree" />}
    >
      {chosen === null ? null : (
        <DecisionDialog
          title="Resolve this difference?"
          confirmLabel="Resolve"
          onClose={() => setChosen(null)}
          onDecide={async (resolution) => {
            await resolve.mutateAsync({ item: chosen.item, resolution });
            toast('The difference is resolved.', 'success');
          }}
        >
          {chosen.what}
        </DecisionDialog>
      )}
    </ListCard>
  );
}

function result({ open_differences: open, unknown }: Report) {
  if (unknown !== null) return <Badge tone="warning">Could not be compared</Badge>;
  if (open === 0) return <Badge tone="success">Agrees</Badge>;
  return <Badge tone="danger">{open === 1 ? '1 difference' : `${open} differences`}</Badge>;
}

function RunDialog({ onClose }: { onClose: () => void }) {
  const reconcile = useReconcile();
  const form = useForm({ defaultValues: { date: '' } });
  return (
    <FormDialog
      onClose={onClose}
      title="Reconcile a day"
      size="small"
      form={form}
      onSubmit={async ({ date }) => {
        await reconcile.mutateAsync(date);
        toast('The day is reconciled.', 'success');
      }}
      confirmLabel="Reconcile"
    >
      <TextField
        control={form.control}
        name="date"
        label="Day"
        type="date"
        rules={{ required: 'Choose a day.' }}
      />
    </FormDialog>
  );
}

const REPORT_COLUMNS: readonly Column<Report>[] = [
  { header: 'Day', cell: ({ date }) => <When at={date} as="date" /> },
  { header: 'Result', cell: result },
  { header: 'Lines', cell: ({ lines }) => String(lines) },
  { header: 'Made', cell: ({ made_at }) => <When at={made_at} /> },
  {
    header: 'Note',
    cell: ({ unknown }) => unknown ?? <span className="quiet">–</span>,
  },
];

/** /reconciliation */
export function ReconciliationPage() {
  const [isRunning, setRunning] = useState(false);
  return (
    <Page
      title="Reconciliation"
      lead="Our books against the e-money issuer’s statement, day by day."
      actions={
        <For may="payments">
          <Button onPress={() => setRunning(true)}>Reconcile a day…</Button>
        </For>
      }
    >
      <Differences />
      <ListCard
        title="Reports"
        query={useReports()}
        columns={REPORT_COLUMNS}
        empty={<Empty title="No report yet" />}
      />
      {isRunning ? <RunDialog onClose={() => setRunning(false)} /> : null}
    </Page>
  );
}
