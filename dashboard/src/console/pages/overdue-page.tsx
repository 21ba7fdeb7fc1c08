import '../../pages/lists/lists.css';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { type Column, DataTable } from '../../ui/data/data-table.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { ListCard } from '../../ui/data/list-card.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { Page } from '../../ui/page.tsx';
import { Id } from '../../ui/values/id.tsx';
import {
  type Overdue,
  type OverdueState,
  useEndOverdue,
  useOverdue,
  useOverdueStates,
} from '../api/overdue.ts';
import { ReasonField } from '../decision-dialog.tsx';
import { For } from '../session.tsx';

/** What each state means to an operator: `server/src/laws/invariants/lives.ts`. */
const MEANING: Readonly<Record<string, string>> = {
  'consents pending': 'The customer has not decided',
  'consents authorising': 'The customer has not come back from the bank',
  'consents authorised': 'Its wallet is not open',
  'bank deletions waiting': 'The bank has not confirmed the deletion',
  'wallets planned': 'Not opened by the issuer',
  'wallets reserved': 'Not opened by the issuer',
  'wallets closing': 'Not closed by the issuer',
  'payments pending': 'Not sent',
  'payments submit': 'Not known whether the bank has it',
  'payments track': 'No outcome from the bank',
  'payments move': 'Not transferred to the merchant',
  'refunds waiting': 'Waiting for the merchant’s money',
  'refunds pending': 'Not ordered',
  'refunds asked': 'Not known whether the issuer has it',
  'refunds track': 'Not paid by the issuer',
  'settlements pending': 'Not ordered',
  'settlements asked': 'Not known whether the issuer has it',
  'settlements track': 'Not paid out by the issuer',
  'settlements differs': 'Differs from what the issuer says',
  'settlements failed': 'Pay-out failed',
  'fee transfers waiting': 'Not transferred by the issuer',
  'covers owed': 'Not repaid by the merchant',
  'covers netted': 'Not transferred by the issuer',
  'deliveries pending': 'Not delivered',
  'notices pending': 'Not sent',
};

const meaningOf = ({ noun, state }: { noun: string; state: string }): string =>
  MEANING[`${noun} ${state}`] ?? state;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What is overdue, and in which state. */
function OverdueObject({ of }: { of: { noun: string; state: string } }) {
  return (
    <span className="stacked">
      {capitalised(of.noun)}
      <span className="quiet small">{meaningOf(of)}</span>
    </span>
  );
}

/** Leads to where an operator decides: some nouns have a list of their own, all else is the merchant's. */
function DecisionLink({ of }: { of: Overdue }) {
  if (of.noun === 'payments') return <Link to="/payments">Unknown outcomes</Link>;
  if (of.noun === 'settlements' && ['differs', 'failed'].includes(of.state))
    return <Link to="/settlements">Pay-outs in doubt</Link>;
  return <Link to={`/merchants/${of.merchant_id}`}>Its merchant</Link>;
}

function States({ rows }: { rows: readonly OverdueState[] }) {
  return (
    <Card title="By state" isFlush>
      <DataTable<OverdueState>
        label="Overdue by state"
        rows={rows}
        rowKey={({ noun, state }) => `${noun} ${state}`}
        columns={[
          { header: 'What', cell: (one) => <OverdueObject of={one} /> },
          { header: 'Oldest', cell: ({ oldest }) => oldest.age },
          { header: 'Ends by', cell: ({ oldest }) => capitalised(oldest.ends_by) },
          { header: 'How many', align: 'end', cell: ({ count }) => count },
        ]}
      />
    </Card>
  );
}

const OUTCOMES = [
  { value: 'done', label: 'It has happened' },
  { value: 'not_done', label: 'It has not happened, and will not' },
] as const;

function EndDialog({ of, onClose }: { of: Overdue; onClose: () => void }) {
  const end = useEndOverdue(of);
  const form = useForm({
    defaultValues: { outcome: '' as '' | 'done' | 'not_done', reason: '', evidence: '' },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="End this by your word?"
      form={form}
      onSubmit={async ({ outcome, reason, evidence }) => {
        if (outcome === '') return;
        const proof = evidence.trim();
        await end.mutateAsync({
          outcome,
          reason: reason.trim(),
          ...(proof === '' ? {} : { evidence: proof }),
        });
        toast('It has ended.', 'success');
      }}
      confirmLabel="End it"
      tone="danger"
    >
      <p>Ask the issuer or the bank first. What they know themselves is recorded automatically.</p>
      <SelectField
        control={form.control}
        name="outcome"
        label="Outcome"
        placeholder="Choose"
        options={OUTCOMES}
        isRequired
      />
      <ReasonField control={form.control} name="reason" />
      <TextArea
        control={form.control}
        name="evidence"
        label="Evidence"
        description="What proves it, such as a letter or a reference."
        rows={2}
        isRequired={false}
      />
    </FormDialog>
  );
}

const columns = (choose: (chosen: Overdue) => void): Column<Overdue>[] => [
  { header: 'What', cell: (one) => <OverdueObject of={one} /> },
  { header: 'ID', cell: ({ id }) => <Id value={id} /> },
  { header: 'Age', cell: ({ age }) => age },
  { header: 'Where', cell: (one) => <DecisionLink of={one} /> },
  {
    header: 'Actions',
    align: 'end',
    cell: (one) =>
      one.noun === 'payments' ? null : (
        <For may="payments">
          <Button size="small" onPress={() => choose(one)}>
            End…
          </Button>
        </For>
      ),
  },
];

/** /overdue */
export function OverduePage() {
  const states = useOverdueStates();
  const overdue = useOverdue();
  const [chosen, setChosen] = useState<Overdue | null>(null);
  return (
    <Page
      title="Overdue"
      lead="What has waited for too long. Ask the issuer or the bank, then end it with their word."
    >
      <QueryView query={states}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <Empty title="Nothing is overdue" />
            </Card>
          ) : (
            <States rows={data} />
          )
        }
      </QueryView>
      <QueryView query={overdue}>
        {(rows) =>
          rows.length === 0 ? null : (
            <ListCard
              title="Oldest first"
              label="Overdue"
              query={overdue}
              columns={columns(setChosen)}
            />
          )
        }
      </QueryView>
      {chosen === null ? null : <EndDialog of={chosen} onClose={() => setChosen(null)} />}
    </Page>
  );
}
