import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ListPage } from '../../../pages/lists/list-page.tsx';
import { Button } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/data/data-table.tsx';
import { CheckboxField } from '../../../ui/fields/checkbox-field.tsx';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { Id } from '../../../ui/values/id.tsx';
import { Money } from '../../../ui/values/money.tsx';
import { useFailPayment, useWaiting, type WaitingPayment } from '../../api/waiting.ts';
import { ReasonField } from '../../decision-dialog.tsx';
import { For } from '../../session.tsx';

const WAITS: Readonly<Record<WaitingPayment['waits_for'], string>> = {
  no_outcome: 'The bank has not reported the outcome',
  credited_without_money: 'The bank has paid, and the money has not arrived',
  wrong_amount: 'Another amount arrived',
  not_transferred: 'Its money cannot be transferred to the merchant',
  not_sent: 'Nothing could be sent for a week',
};

function FailDialog({ payment, onClose }: { payment: WaitingPayment; onClose: () => void }) {
  const fail = useFailPayment(payment.payment_id);
  const form = useForm({ defaultValues: { reason: '', evidence: '', isSilent: false } });
  return (
    <FormDialog
      onClose={onClose}
      title="Mark this payment as failed?"
      form={form}
      onSubmit={async ({ reason, evidence, isSilent }) => {
        await fail.mutateAsync({
          reason: reason.trim(),
          ...(evidence.trim() === '' ? {} : { evidence: evidence.trim() }),
          ...(isSilent ? { bank_is_silent: true } : {}),
        });
        toast('The payment has failed. Money that comes later is booked as usual.', 'success');
      }}
      confirmLabel="Mark as failed"
      tone="danger"
    >
      <p>
        The bank and the issuer are asked once more first. Money that comes later is booked as
        usual.
      </p>
      <ReasonField control={form.control} name="reason" />
      <TextArea
        control={form.control}
        name="evidence"
        label="Evidence"
        description="Proof that it has ended, if the bank still reports the payment as open."
        rows={2}
        isRequired={false}
      />
      <CheckboxField
        control={form.control}
        name="isSilent"
        label="The bank no longer responds about this payment"
        isRequired={false}
      />
    </FormDialog>
  );
}

function columns(choose: (payment: WaitingPayment) => void): Column<WaitingPayment>[] {
  return [
    { header: 'Payment', cell: ({ payment_id }) => <Id value={payment_id} /> },
    { header: 'Why', cell: ({ waits_for }) => WAITS[waits_for] },
    { header: 'Age', cell: ({ age }) => age },
    { header: 'Bank', cell: ({ bank_id }) => bank_id },
    {
      header: 'Amount',
      align: 'end',
      cell: ({ amount }) => <Money amount={amount} />,
    },
    {
      header: 'Actions',
      align: 'end',
      cell: (payment) => (
        <For may="payments">
          <Button size="small" onPress={() => choose(payment)}>
            Mark as failed…
          </Button>
        </For>
      ),
    },
  ];
}

/** /payments */
export function PaymentsPage() {
  const [chosen, setChosen] = useState<WaitingPayment | null>(null);
  return (
    <ListPage
      title="Unknown outcomes"
      label="Payments that need an operator"
      lead="Payments that cannot end on their own, oldest first."
      query={useWaiting()}
      columns={columns(setChosen)}
      empty={{ title: 'Nothing to do' }}
    >
      {chosen === null ? null : <FailDialog payment={chosen} onClose={() => setChosen(null)} />}
    </ListPage>
  );
}
