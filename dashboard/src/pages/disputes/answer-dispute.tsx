import type { Dispute } from '@recollect/sdk';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useRefundDispute, useRejectDispute, useWithdrawDispute } from '../../api/disputes.ts';
import { useCan } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { AmountField } from '../../ui/fields/amount-field.tsx';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { formatMoney } from '../../ui/values/money.tsx';

const LONGEST_ANSWER = 500;

interface AnswerProps {
  dispute: Dispute;
  /** Who disputes it, as the team knows them. */
  customer: string;
}

type Act = 'refund' | 'reject' | 'withdraw';

/** What can be done about an open dispute; hidden without the permission. */
export function AnswerDispute({ dispute, customer }: AnswerProps) {
  const [act, setAct] = useState<Act | null>(null);
  const onClose = () => setAct(null);
  if (!useCan('refund_payments') || dispute.status !== 'open') return null;
  const isPaid = dispute.left.value === 0;
  const isWaiting = dispute.refund_id !== null;
  return (
    <>
      {dispute.raised_by === 'merchant' ? (
        <Button onPress={() => setAct('withdraw')}>Withdraw</Button>
      ) : null}
      <Button onPress={() => setAct('reject')}>Reject</Button>
      {isWaiting ? null : (
        <Button variant="primary" onPress={() => setAct('refund')}>
          {isPaid ? 'Close as refunded' : `Refund ${formatMoney(dispute.left)}`}
        </Button>
      )}
      {act === 'refund' ? <RefundDialog {...{ dispute, customer, onClose }} /> : null}
      {act === 'reject' ? <RejectDialog {...{ dispute, customer, onClose }} /> : null}
      <WithdrawDialog dispute={dispute} isOpen={act === 'withdraw'} onClose={onClose} />
    </>
  );
}

type DialogProps = AnswerProps & { onClose: () => void };

function RefundDialog({ dispute, customer, onClose }: DialogProps) {
  const refund = useRefundDispute(dispute.id);
  const { left } = dispute;
  const isPaid = left.value === 0;
  const form = useForm<{ amount: number | null }>({ defaultValues: { amount: left.value } });
  const { control } = form;
  const amount = useWatch({ control, name: 'amount' });
  const money = { value: amount ?? 0, currency: left.currency };
  const submit = async () => {
    const { status } = await refund.mutateAsync(isPaid ? {} : { amount: money });
    if (status === 'open') toast('The refund waits for money in your wallet.', 'success');
    else toast('The dispute is closed, and the customer is told.', 'success');
  };
  return (
    <FormDialog
      title={isPaid ? 'Close this dispute as refunded' : `Refund ${customer}`}
      form={form}
      onSubmit={submit}
      confirmLabel={isPaid ? 'Close as refunded' : `Refund ${formatMoney(money)} to ${customer}`}
      cancelLabel="Not now"
      onClose={onClose}
    >
      {isPaid ? (
        <p>All that it asks for came back already. Nothing more is paid.</p>
      ) : (
        <>
          <p>
            The money goes back to the account that paid, and the dispute is closed. It is taken
            from your wallet now, and from your next settlement. If your wallet has less, the refund
            waits for the next collections.
          </p>
          <AmountField
            control={control}
            name="amount"
            label="Amount"
            description={`The dispute asks for ${formatMoney(left)}.`}
            most={left.value}
            isRequired
          />
        </>
      )}
    </FormDialog>
  );
}

function RejectDialog({ dispute, customer, onClose }: DialogProps) {
  const reject = useRejectDispute(dispute.id);
  const form = useForm<{ answer: string }>({ defaultValues: { answer: '' } });
  const submit = async ({ answer }: { answer: string }) => {
    await reject.mutateAsync({ answer: answer.trim() });
    toast('The dispute is closed, and the customer is told.', 'success');
  };
  return (
    <FormDialog
      title="Reject this dispute"
      form={form}
      onSubmit={submit}
      tone="danger"
      confirmLabel={`Reject ${formatMoney(dispute.amount)}`}
      cancelLabel="Not now"
      onClose={onClose}
    >
      <p>
        Nothing is given back
        {dispute.refund_id === null ? '' : ', and the waiting refund is stopped'}. We send your
        answer to {customer}.
      </p>
      <TextArea
        control={form.control}
        name="answer"
        label="Your answer"
        description="The customer reads it. Say what they agreed to, when, and what they got for it."
        maxLength={LONGEST_ANSWER}
        isRequired
      />
    </FormDialog>
  );
}

interface WithdrawProps {
  dispute: Dispute;
  isOpen: boolean;
  onClose: () => void;
}

function WithdrawDialog({ dispute, isOpen, onClose }: WithdrawProps) {
  const withdraw = useWithdrawDispute(dispute.id);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Withdraw this dispute?"
      confirmLabel="Withdraw it"
      tone="primary"
      onConfirm={async () => {
        await withdraw.mutateAsync();
        toast('The dispute was withdrawn.', 'success');
      }}
    >
      For one that your team raised by mistake. Nothing is given back
      {dispute.refund_id === null ? '' : ', and the waiting refund is stopped'}.
    </ConfirmDialog>
  );
}
