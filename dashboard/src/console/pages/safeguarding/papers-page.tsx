import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Column, DataTable } from '../../../ui/data/data-table.tsx';
import { Empty } from '../../../ui/data/empty.tsx';
import { ListCard } from '../../../ui/data/list-card.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Download } from '../../../ui/icons.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { useNow } from '../../../ui/values/time-zone.tsx';
import { When } from '../../../ui/values/when.tsx';
import {
  type Entry,
  type Figure,
  PACK_FILE,
  useEnd,
  useEnter,
  useMonth,
  useRegister,
} from '../../api/safeguarding.ts';
import { DecisionDialog } from '../../decision-dialog.tsx';
import { For } from '../../session.tsx';
import { SafeguardingPage } from './safeguarding-page.tsx';

const KINDS: Readonly<Record<Entry['kind'], string>> = {
  account: 'Account',
  letter: 'Acknowledgement letter',
  agreement: 'Agreement',
  agent: 'Agent or distributor',
  bank: 'Bank or custodian',
  insurance: 'Insurance or guarantee',
  group_member: 'Member of the group',
  subcontractor: 'Subcontractor',
  person: 'Responsible person',
  document: 'Other document',
};

function EnterDialog({ onClose }: { onClose: () => void }) {
  const enter = useEnter();
  const form = useForm<{ kind: Entry['kind']; name: string; identifier: string; note: string }>({
    defaultValues: { kind: 'account', name: '', identifier: '', note: '' },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Enter in the register"
      form={form}
      onSubmit={async ({ kind, name, identifier, note }) => {
        await enter.mutateAsync({
          kind,
          name: name.trim(),
          identifier: identifier.trim() || null,
          note: note.trim() || null,
        });
        toast('It is in the register.', 'success');
      }}
      confirmLabel="Enter"
    >
      <SelectField
        control={form.control}
        name="kind"
        label="What it is"
        options={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
      />
      <TextField
        control={form.control}
        name="name"
        label="Name"
        maxLength={200}
        rules={{ required: 'Enter a name.' }}
      />
      <TextField
        control={form.control}
        name="identifier"
        label="Number, reference or place"
        description="An account number, a reference, or where the document lies."
        maxLength={200}
      />
      <TextArea control={form.control} name="note" label="Note" rows={3} maxLength={2000} />
    </FormDialog>
  );
}

function registerColumns(choose: (entry: Entry) => void): Column<Entry>[] {
  return [
    { header: 'What', cell: ({ kind }) => KINDS[kind] },
    { header: 'Name', cell: ({ name }) => name },
    {
      header: 'Number or place',
      cell: ({ identifier }) => identifier ?? <span className="quiet">–</span>,
    },
    { header: 'Note', cell: ({ note }) => note ?? <span className="quiet">–</span> },
    {
      header: 'Entered',
      cell: ({ added_at, added_by }) => (
        <>
          <When at={added_at} as="date" />, {added_by}
        </>
      ),
    },
    {
      header: 'Ended',
      cell: (entry) =>
        entry.ended_at === null ? (
          <For may="payments">
            <Button size="small" onPress={() => choose(entry)}>
              End…
            </Button>
          </For>
        ) : (
          <>
            <When at={entry.ended_at} as="date" />, {entry.ended_by}
          </>
        ),
    },
  ];
}

const FIGURES: readonly Column<Figure>[] = [
  { header: 'Section', align: 'end', cell: ({ section }) => String(section) },
  { header: 'What it asks', cell: ({ asks }) => asks },
  {
    header: 'Figure',
    cell: ({ value }) => value ?? <span className="quiet">Not known here</span>,
  },
  { header: 'How it is made', cell: ({ how }) => how },
];

/** The months of which figures are shown: this one and eleven before it. */
function monthsUntil(now: number): string[] {
  const date = new Date(now);
  return Array.from({ length: 12 }, (_, back) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1))
      .toISOString()
      .slice(0, 'yyyy-mm'.length),
  );
}

function MonthCard() {
  const months = monthsUntil(useNow());
  const [month, setMonth] = useState(months[1] ?? '');
  return (
    <Card
      title="Figures of a month"
      lead="For the return to the regulator (REP027). What these books do not know is named, and not invented."
      actions={
        <select
          className="input select"
          aria-label="Month"
          value={month}
          onChange={(event) => setMonth(event.target.value)}
        >
          {months.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      }
      isFlush
    >
      <QueryView query={useMonth(month)}>
        {({ figures }) => (
          <DataTable<Figure>
            label="Figures of a month"
            rows={figures}
            rowKey={({ section, asks }) => `${section} ${asks}`}
            columns={FIGURES}
          />
        )}
      </QueryView>
    </Card>
  );
}

/** /safeguarding/papers */
export function PapersPage() {
  const end = useEnd();
  const [isEntering, setEntering] = useState(false);
  const [ending, setEnding] = useState<Entry | null>(null);
  return (
    <SafeguardingPage
      lead="What an auditor or an insolvency practitioner asks for first."
      actions={
        <For may="support">
          <LinkButton href={PACK_FILE} isDownload>
            <Download aria-hidden="true" />
            Download resolution pack
          </LinkButton>
        </For>
      }
    >
      <ListCard
        title="Register"
        query={useRegister()}
        columns={registerColumns(setEnding)}
        actions={
          <For may="payments">
            <Button size="small" onPress={() => setEntering(true)}>
              Enter…
            </Button>
          </For>
        }
        empty={
          <Empty title="The register is empty">
            Enter each account and its acknowledgement letter, agreements, agents, banks and people.
          </Empty>
        }
      />
      <MonthCard />
      {isEntering ? <EnterDialog onClose={() => setEntering(false)} /> : null}
      {ending === null ? null : (
        <DecisionDialog
          title={`End “${ending.name}”?`}
          confirmLabel="End"
          onClose={() => setEnding(null)}
          onDecide={async (reason) => {
            await end.mutateAsync({ id: ending.id, reason });
            toast('The entry has ended.', 'success');
          }}
        >
          It stays in the register, as it was.
        </DecisionDialog>
      )}
    </SafeguardingPage>
  );
}
