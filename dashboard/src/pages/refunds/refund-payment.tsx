import type { Payment } from '@recollect/sdk';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useCustomerLabel } from '../../api/customers.ts';
import { useRefundPayment } from '../../api/refunds.ts';
import { useCan } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { AmountField } from '../../ui/fields/amount-field.tsx';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { withAmount } from '../../ui/values/format-money.ts';
import { formatMoney } from '../../ui/values/money.tsx';

const LONGEST_REASON = 200;

interface Refunding {
  amount: number | null;
  reason: string;
}

/** Refunds a collected payment, whole or in part; hidden without the permission, and where nothing is left. */
export function RefundPayment({ payment }: { payment: Payment }) {
  const [isOpen, setOpen] = useState(false);
  const left =
    payment.amount.value - payment.refunded.value - (payment.returned?.amount.value ?? 0);
  if (!useCan('refund_payments') || payment.status !== 'success' || left <= 0) return null;
  return (
    <>
      <Button onPress={() => setOpen(true)}>Refund</Button>
      {isOpen ? (
        <RefundDialog payment={payment} left={left} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

interface RefundProps {
  payment: Payment;
  /** What can still be refunded, in pence. */
  left: number;
  onClose: () => void;
}

function RefundDialog({ payment, left, onClose }: RefundProps) {
  const refund = useRefundPayment(payment.id);
  const form = useForm<Refunding>({ defaultValues: { amount: left, reason: '' } });
  const { control } = form;
  const amount = useWatch({ control, name: 'amount' });
  const customer = useCustomerLabel(payment.customer_id);
  const { currency } = payment.amount;
  const submit = async ({ amount, reason }: Refunding) => {
    const money = { value: amount ?? 0, currency };
    const made = await refund.mutateAsync({
      amount: money,
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    });
    toast(`The refund of ${formatMoney(made.amount)} was requested.`, 'success');
  };
  return (
    <FormDialog
      title={`Refund ${customer}`}
      form={form}
      onSubmit={submit}
      confirmLabel={withAmount('Refund', amount)}
      cancelLabel="Not now"
      onClose={onClose}
    >
      <p>
        The money goes back to the account that paid. It is taken from your wallet now, and from
        your next settlement.
      </p>
      <AmountField
        control={control}
        name="amount"
        label="Amount"
        description={`${formatMoney({ value: left, currency })} can be refunded.`}
        most={left}
        isRequired
      />
      <TextField
        control={control}
        name="reason"
        label="Reason"
        description="For your team. The customer does not see it."
        maxLength={LONGEST_REASON}
        isRequired={false}
      />
    </FormDialog>
  );
}
