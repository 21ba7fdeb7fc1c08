import type { Settlement } from '@recollect/sdk';
import { useState } from 'react';
import { useRetrySettlement } from '../../api/settlements.ts';
import { useCan } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { toast } from '../../ui/toast.tsx';

/** Pays a failed settlement out again, once that was confirmed; nothing for those who may not. */
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
          {amount} leave your wallet at once for the settlement account that your settings name now.
          Check it first if the last try failed because of the account.
        </p>
      </ConfirmDialog>
    </>
  );
}
