import { useState } from 'react';
import {
  type PendingChange,
  useCancelAccountChange,
  useConfirmAccount,
} from '../../../api/settlement-account.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { PayeeNotice } from '../../../ui/payee-notice.tsx';
import { When } from '../../../ui/values/when.tsx';
import { ProofDialog } from '../proof/proof-dialog.tsx';
import { AccountFacts } from './account-facts.tsx';

interface PendingProps {
  change: PendingChange;
  hasSecondFactor: boolean;
  /** The member is not an owner. */
  isLocked: boolean;
}

/** The pending change: its details, who requested it, and an owner's actions. */
export function PendingAccount({ change, hasSecondFactor, isLocked }: PendingProps) {
  const [open, setOpen] = useState<'none' | 'confirm' | 'take-back'>('none');
  const close = () => setOpen('none');
  return (
    <Notice tone="warning" title="This account is about to change">
      <p>
        {change.requested_by.name} requested it on <When at={change.requested_at} />. From{' '}
        <When at={change.takes_effect_at} />
        {change.waits_for_second ? ', if a second operator agrees' : ''}, settlements will go to:
      </p>
      <AccountFacts account={change.full_account ?? change.new_account} />
      <PayeeNotice check={change.payee_check} />
      {isLocked ? null : (
        <>
          <p>
            If you do not recognise this, cancel it and ask all owners of this team to change their
            passwords.
          </p>
          <div className="actions">
            <Button size="small" onPress={() => setOpen('take-back')}>
              Cancel the change…
            </Button>
            {change.why_not_confirm === null ? (
              <Button size="small" onPress={() => setOpen('confirm')}>
                Confirm it now…
              </Button>
            ) : null}
          </div>
          {change.why_not_confirm === null ? null : (
            <p className="quiet small">{change.why_not_confirm}</p>
          )}
        </>
      )}
      {open === 'confirm' ? (
        <ConfirmChange {...{ change, hasSecondFactor }} onClose={close} />
      ) : null}
      {open === 'take-back' ? <CancelChange change={change} onClose={close} /> : null}
    </Notice>
  );
}

function CancelChange({ change, onClose }: { change: PendingChange; onClose: () => void }) {
  const takeBack = useCancelAccountChange(change.id);
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Cancel the change?"
      confirmLabel="Cancel the change"
      cancelLabel="Keep it"
      onConfirm={async () => {
        await takeBack.mutateAsync();
        toast('Settlements keep going to the current account.', 'success');
      }}
    >
      <AccountFacts account={change.full_account ?? change.new_account} />
      <p>
        This account will not be used. Settlements keep going to {change.old_account.account_number}
        .
      </p>
    </ConfirmDialog>
  );
}

interface ConfirmProps {
  change: PendingChange;
  hasSecondFactor: boolean;
  onClose: () => void;
}

function ConfirmChange({ change, hasSecondFactor, onClose }: ConfirmProps) {
  const confirm = useConfirmAccount(change.id);
  return (
    <ProofDialog
      onClose={onClose}
      title="Change the account now?"
      withCode={hasSecondFactor}
      onProof={async (proof) => {
        await confirm.mutateAsync(proof);
        toast('Settlements now go to the new account.', 'success');
      }}
      confirmLabel="Change it now"
    >
      <AccountFacts account={change.full_account ?? change.new_account} />
      <PayeeNotice check={change.payee_check} />
      <p>
        You are confirming what {change.requested_by.name} requested. Call them first and compare
        every digit: all new settlements will go there from now on.
      </p>
    </ProofDialog>
  );
}
