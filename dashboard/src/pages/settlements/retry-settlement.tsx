import type { Settlement } from '@recollect/sdk';
import { useState } from 'react';
import { useRetrySettlement } from '../../api/settlements.ts';
import { useCan } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { formatMoney } from '../../ui/values/money.tsx';

/** Retries the pay-out of a failed settlement, after confirmation; hidden without the permission. */
export function RetrySettlement({ settlement }: { settlement: Settlement }) {
  const [isAsking, setAsking] = useState(false);
  const retry = useRetrySettlement(settlement.id);
  if (!useCan('retry_settlements')) return null;
  const amount = formatMoney(settlement.amount);
  return (
    <>
      <Button variant="primary" onPress={() => setAsking(true)}>
        Retry now
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Pay ${amount} out again?`}
        confirmLabel={`Pay out ${amount}`}
        tone="primary"
        onConfirm={async () => {
          await retry.mutateAsync();
          toast('The settlement is being paid out.', 'success');
        }}
      >
        <p>
          {amount} is paid from your wallet now, to the settlement account in your settings. If the
          last attempt failed because of the account, check it first.
        </p>
      </ConfirmDialog>
    </>
  );
}
