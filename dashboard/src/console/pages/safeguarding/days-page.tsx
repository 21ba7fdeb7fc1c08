import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/data/data-table.tsx';
import { Empty } from '../../../ui/data/empty.tsx';
import { KeyValue } from '../../../ui/data/key-value.tsx';
import { ListCard } from '../../../ui/data/list-card.tsx';
import { AmountField } from '../../../ui/fields/amount-field.tsx';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { When } from '../../../ui/values/when.tsx';
import { type Day, useAnswer, useDays, useRunToday } from '../../api/safeguarding.ts';
import { For } from '../../session.tsx';
import { pounds, resultOf } from './day-words.ts';
import { SafeguardingPage } from './safeguarding-page.tsx';

const LONGEST = 500;

const factsOf = (day: Day): readonly (readonly [string, string])[] => [
  ['Owed to customers', pounds(day.customers_pence)],
  ['Owed to merchants', pounds(day.merchants_pence)],
  ['On its way out', pounds(day.paying_out_pence)],
  ['Of no client yet', pounds(day.unallocated_pence)],
  ['Requirement', pounds(day.requirement_pence)],
  ['Held, by our books', pounds(day.held_pence)],
  ['Held, by the issuer', day.issuer_pence === null ? 'not known' : pounds(day.issuer_pence)],
  ['Booked later by one side', day.timing_pence === null ? 'not known' : pounds(day.timing_pence)],
  ['Paid by the issuer for recalls', pounds(day.recalled_pence)],
  ['Fees to take out', pounds(day.fees_pence)],
];

function AnswerDialog({ day, onClose }: { day: Day; onClose: () => void }) {
  const answer = useAnswer();
  const form = useForm<{ answer: string; paidIn: number | null; takenOut: number | null }>({
    defaultValues: { answer: '', paidIn: null, takenOut: null },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`Answer ${day.date}`}
      form={form}
      onSubmit={async (given) => {
        await answer.mutateAsync({
          date: day.date,
          answer: given.answer.trim(),
          paid_in_pence: given.paidIn ?? 0,
          taken_out_pence: given.takenOut ?? 0,
        });
        toast('The day is answered.', 'success');
      }}
      confirmLabel="Answer"
    >
      <KeyValue items={factsOf(day)} isGrid />
      <TextArea
        control={form.control}
        name="answer"
        label="What was found, and what was done"
        description="Recorded with your name. A day is answered once."
        rows={3}
        maxLength={LONGEST}
        rules={{ validate: (text) => String(text).trim() !== '' || 'Say what was found.' }}
      />
      <AmountField
        control={form.control}
        name="paidIn"
        label="Own money paid in"
        description="For a shortfall, by the end of the day."
        allowsZero
      />
      <AmountField
        control={form.control}
        name="takenOut"
        label="Own money taken out"
        description="What was paid in before and is not short any more."
        allowsZero
      />
    </FormDialog>
  );
}

function columns(choose: (day: Day) => void): Column<Day>[] {
  return [
    { header: 'Day', cell: ({ date }) => <When at={date} as="date" /> },
    {
      header: 'Result',
      cell: (day) => {
        const [tone, text] = resultOf(day);
        return <Badge tone={tone}>{text}</Badge>;
      },
    },
    { header: 'Requirement', align: 'end', cell: (day) => pounds(day.requirement_pence) },
    { header: 'Our books', align: 'end', cell: (day) => pounds(day.held_pence) },
    {
      header: 'Issuer',
      align: 'end',
      cell: ({ issuer_pence: pence }) => (pence === null ? '–' : pounds(pence)),
    },
    { header: 'Clients', align: 'end', cell: ({ clients }) => clients.toLocaleString('en-GB') },
    {
      header: 'Answer',
      cell: (day) =>
        day.answered_at === null ? (
          <For may="payments">
            <Button size="small" onPress={() => choose(day)}>
              Answer…
            </Button>
          </For>
        ) : (
          <>
            {day.answered_by}: {day.answer}
            <div className="quiet">
              <When at={day.answered_at} />
            </div>
          </>
        ),
    },
  ];
}

/** /safeguarding */
export function DaysPage() {
  const [chosen, setChosen] = useState<Day | null>(null);
  const run = useRunToday();
  return (
    <SafeguardingPage
      lead="What is owed to customers and merchants against what is held, each business day as of one moment."
      actions={
        <For may="payments">
          <Button
            isPending={run.isPending}
            onPress={() =>
              run.mutate(undefined, {
                onSuccess: () => toast('Today is reconciled again.', 'success'),
                onError: (error) => toast(error.message, 'danger'),
              })
            }
          >
            Reconcile today again
          </Button>
        </For>
      }
    >
      <ListCard
        title="Reconciliation days"
        query={useDays()}
        columns={columns(setChosen)}
        empty={
          <Empty title="No day yet">
            The first is made on the next business day after the reconciliation point.
          </Empty>
        }
      />
      {chosen === null ? null : <AnswerDialog day={chosen} onClose={() => setChosen(null)} />}
    </SafeguardingPage>
  );
}
