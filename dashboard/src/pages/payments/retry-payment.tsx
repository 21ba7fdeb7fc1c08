import type { Payment } from '@recollect/sdk';
import { useState } from 'react';
import { useRetryPayment } from '../../api/payments.ts';
import { useCan } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { useNow } from '../../ui/values/time-zone.tsx';
import { When } from '../../ui/values/when.tsx';

/** Retries a failed payment, now or on its due date, after confirmation; hidden without the permission. */
export function RetryPayment({ payment }: { payment: Payment }) {
  const [isAsking, setAsking] = useState(false);
  const retry = useRetryPayment(payment.id);
  const isEarly = Date.parse(payment.due_date) > useNow();
  if (!useCan('retry_payments')) return null;
  const amount = formatMoney(payment.amount);
  return (
    <>
      <Button variant="primary" onPress={() => setAsking(true)}>
        {isEarly ? 'Retry on its date' : 'Retry now'}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Collect ${amount} again?`}
        confirmLabel={`Collect ${amount}`}
        tone="primary"
        onConfirm={async () => {
          await retry.mutateAsync();
          toast(
            isEarly ? 'The payment waits for its date.' : 'The payment is being retried.',
            'success',
          );
        }}
      >
        <p>
          We ask the customer’s bank for {amount} {isEarly ? <When at={payment.due_date} /> : 'now'}
          . This attempt does not count towards the schedule’s <code>max_retries</code>. A payment
          is never collected twice.
        </p>
        {payment.error === null ? null : <p>The last attempt failed: {payment.error.message}</p>}
      </ConfirmDialog>
    </>
  );
}
