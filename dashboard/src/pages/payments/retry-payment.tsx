import type { Payment } from '@recollect/sdk';
import { useState } from 'react';
import { useCustomerLabel } from '../../api/customers.ts';
import { useRetryPayment } from '../../api/payments.ts';
import { useScheduleConsent } from '../../api/schedules.ts';
import { useCan } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { useNow } from '../../ui/values/time-zone.tsx';
import { When } from '../../ui/values/when.tsx';
import { isAccountReason } from '../lists/reasons.ts';
import { AnotherAccount } from '../schedules/show/another-account.tsx';

/**
 * What can be done about a failed payment: a retry; or, where it failed for its account, another account until the customer has
 * agreed to one.
 */
export function RetryPayment({ payment }: { payment: Payment }) {
  const { data: consent } = useScheduleConsent(payment.schedule_id);
  if (!isAccountReason(payment.error?.code ?? '')) return <Retry payment={payment} />;
  if (consent === undefined) return null;
  const since = consent.agreement?.granted_at ?? null;
  const isAgreed = since !== null && Date.parse(since) > Date.parse(payment.failed_at ?? '');
  if (isAgreed) return <Retry payment={payment} />;
  return consent.link?.is_for_another_account === true ? (
    <LinkButton to={`/schedules/${payment.schedule_id}`}>Asked for another account</LinkButton>
  ) : (
    <AnotherAccount scheduleId={payment.schedule_id} variant="primary" />
  );
}

/** Retries a failed payment, now or on its due date, after confirmation; hidden without the permission. */
function Retry({ payment }: { payment: Payment }) {
  const [isAsking, setAsking] = useState(false);
  const retry = useRetryPayment(payment.id);
  const customer = useCustomerLabel(payment.customer_id);
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
        title={`Collect ${amount} from ${customer} again?`}
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
