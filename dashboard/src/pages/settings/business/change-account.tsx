import type { Merchant } from '@recollect/sdk';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type NewAccount, useAskForAccount } from '../../../api/settlement-account.ts';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { ProofDialog } from '../proof/proof-dialog.tsx';
import { AccountFacts } from './account-facts.tsx';
import { AccountFields } from './account-fields.tsx';

const FIELDS = { name: 'name', sort_code: 'sort_code', account_number: 'account_number' } as const;

interface ChangeProps {
  merchant: Merchant;
  hasSecondFactor: boolean;
  onClose: () => void;
}

/** Two steps: the new account, then the consequences and the user's proof of identity. */
export function ChangeAccount({ merchant, hasSecondFactor, onClose }: ChangeProps) {
  const [wanted, setWanted] = useState<NewAccount | null>(null);
  const form = useForm<NewAccount>({ defaultValues: merchant.settlement_account });
  if (wanted !== null)
    return (
      <Confirm
        {...{ wanted, hasSecondFactor, onClose }}
        isInTheWay={merchant.pending_settlement_account !== null}
        onBack={() => setWanted(null)}
      />
    );
  return (
    <FormDialog
      onClose={onClose}
      title="Change the settlement account"
      form={form}
      onSubmit={async (values) => {
        setWanted(values);
        return false;
      }}
      confirmLabel="Continue"
    >
      <AccountFields control={form.control} names={FIELDS} />
    </FormDialog>
  );
}

interface ConfirmProps {
  wanted: NewAccount;
  hasSecondFactor: boolean;
  /** Whether another change is pending, which this one replaces. */
  isInTheWay: boolean;
  onBack: () => void;
  onClose: () => void;
}

function Confirm({ wanted, hasSecondFactor, isInTheWay, onBack, onClose }: ConfirmProps) {
  const ask = useAskForAccount();
  return (
    <ProofDialog
      onClose={onClose}
      title="Pay settlements to this account?"
      withCode={hasSecondFactor}
      onProof={async (proof) => {
        await ask.mutateAsync({ ...wanted, ...proof });
        toast('The account changes in 24 hours.', 'success');
      }}
      confirmLabel="Confirm account"
      cancelLabel="Back"
      onCancel={onBack}
    >
      <AccountFacts account={wanted} />
      <p>
        Check every digit: money sent to the wrong account may be lost. The change takes effect in
        24 hours, or as soon as another owner confirms it. Until then, every owner can see it here
        and cancel it.
      </p>
      {isInTheWay ? <p>This replaces the change that is pending now.</p> : null}
    </ProofDialog>
  );
}
