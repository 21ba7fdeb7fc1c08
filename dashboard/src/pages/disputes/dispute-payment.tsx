import type { Dispute, Payment } from '@recollect/sdk';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { useDisputePayment, useDisputes } from '../../api/disputes.ts';
import { useCan } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { AmountField } from '../../ui/fields/amount-field.tsx';
import { choicesOf } from '../../ui/fields/choices.ts';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { REASONS } from './dispute-words.ts';

const LONGEST_NOTE = 500;

interface Disputing {
  reason: Dispute['reason'] | '';
  amount: number | null;
  note: string;
}

/** Records that a customer disputes a collected payment, or leads to the dispute that it has. */
export function DisputePayment({ payment }: { payment: Payment }) {
  const [isOpen, setOpen] = useState(false);
  const isCollected = payment.status === 'success';
  const { data } = useDisputes({ payment_id: payment.id }, isCollected);
  const standing = data?.find(({ status }) => status !== 'rejected' && status !== 'withdrawn');
  const left =
    payment.amount.value - payment.refunded.value - (payment.returned?.amount.value ?? 0);
  const mayDispute = useCan('refund_payments');
  const newest = standing ?? data?.[0];
  const link =
    newest === undefined ? null : <LinkButton to={`/disputes/${newest.id}`}>Dispute</LinkButton>;
  if (!isCollected || data === undefined) return null;
  if (standing !== undefined || !mayDispute || left <= 0) return link;
  return (
    <>
      {link}
      <Button onPress={() => setOpen(true)}>Record a dispute</Button>
      {isOpen ? (
        <DisputeDialog payment={payment} left={left} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

interface DisputeProps {
  payment: Payment;
  /** What it has not given back, in pence. */
  left: number;
  onClose: () => void;
}

function DisputeDialog({ payment, left, onClose }: DisputeProps) {
  const dispute = useDisputePayment(payment.id);
  const navigate = useNavigate();
  const form = useForm<Disputing>({ defaultValues: { reason: '', amount: left, note: '' } });
  const { control } = form;
  const { currency } = payment.amount;
  const submit = async ({ reason, amount, note }: Disputing) => {
    if (reason === '') return false;
    const made = await dispute.mutateAsync({
      reason,
      amount: { value: amount ?? 0, currency },
      ...(note.trim() === '' ? {} : { note: note.trim() }),
    });
    toast('The dispute was recorded.', 'success');
    await navigate(`/disputes/${made.id}`);
    return true;
  };
  return (
    <FormDialog
      title="Record a dispute"
      form={form}
      onSubmit={submit}
      confirmLabel="Record the dispute"
      cancelLabel="Not now"
      onClose={onClose}
    >
      <p>
        For a customer who does not recognise this payment, or does not agree with it. Nothing is
        refunded yet.
      </p>
      <SelectField
        control={control}
        name="reason"
        label="Reason"
        options={choicesOf(REASONS)}
        placeholder="Choose a reason"
        isRequired
      />
      <AmountField
        control={control}
        name="amount"
        label="Amount"
        description={`${formatMoney({ value: left, currency })} were not given back yet.`}
        most={left}
        isRequired
      />
      <TextArea
        control={control}
        name="note"
        label="What the customer said"
        maxLength={LONGEST_NOTE}
        isRequired={false}
      />
    </FormDialog>
  );
}
