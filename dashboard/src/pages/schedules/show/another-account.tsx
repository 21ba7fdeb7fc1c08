import type { Customer } from '@recollect/sdk';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useCustomerLabel } from '../../../api/customers.ts';
import { requestAnotherAccount, useSchedule, useScheduleConsent } from '../../../api/schedules.ts';
import { useCan } from '../../../app/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { CustomerName } from './customer-name.tsx';

interface AnotherAccountProps {
  scheduleId: string;
  variant?: 'primary';
}

/** Asks the customer of a schedule to pay from another account, after confirmation; hidden without the permission. */
export function AnotherAccount({ scheduleId, variant }: AnotherAccountProps) {
  const [isAsking, setAsking] = useState(false);
  const { data: schedule } = useSchedule(scheduleId);
  const isReachable = useScheduleConsent(scheduleId).data?.is_reachable ?? true;
  const customer = useCustomerLabel(schedule?.customer.id ?? '');
  const navigate = useNavigate();
  const mayManage = useCan('manage_schedules');
  if (!mayManage || schedule === undefined || schedule.status === 'cancelled') return null;
  return (
    <>
      <Button {...(variant === undefined ? {} : { variant })} onPress={() => setAsking(true)}>
        Ask for another account
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Ask ${customer} for another account?`}
        confirmLabel={isReachable ? 'Send a new link' : 'Create a new link'}
        tone="primary"
        onConfirm={async () => {
          const isSent = await requestAnotherAccount(scheduleId);
          await navigate(`/schedules/${scheduleId}`);
          if (isSent) toast('We’ve sent the customer the new link.', 'success');
          else toast('The new link is below. Send it to the customer yourself.', 'info');
        }}
      >
        <Consequences
          customer={schedule.customer}
          description={schedule.description}
          isInForce={schedule.consented !== null}
        />
      </ConfirmDialog>
    </>
  );
}

interface ConsequencesProps {
  customer: Customer;
  description: string;
  isInForce: boolean;
}

function Consequences({ customer, description, isInForce }: ConsequencesProps) {
  return (
    <ul>
      <li>
        <CustomerName customer={customer} /> gets a new link, and agrees there to the same payments
        for “{description}” from any account. Any earlier link stops working.
      </li>
      {isInForce ? (
        <>
          <li>
            Until they agree, we collect from the present account. If they decline, nothing changes.
          </li>
          <li>
            Once they agree, the old consent is deleted at its bank. What waits is collected from
            the new account if its limits have room, and you can retry what failed.
          </li>
        </>
      ) : null}
    </ul>
  );
}
