import type { Merchant, PayeeCheck } from '@recollect/sdk';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import {
  type NewAccount,
  useAskForAccount,
  useCheckAccount,
} from '../../../api/settlement-account.ts';
import { errorText } from '../../../ui/error-text.ts';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { PayeeNotice } from '../../../ui/payee-notice.tsx';
import { ProofDialog } from '../proof/proof-dialog.tsx';
import { AccountFacts } from './account-facts.tsx';
import { AccountFields } from './account-fields.tsx';

const FIELDS = { name: 'name', sort_code: 'sort_code', account_number: 'account_number' } as const;

interface ChangeProps {
  merchant: Merchant;
  hasSecondFactor: boolean;
  onClose: () => void;
}

/** An account that is about to be asked for, and what the bank says of its name. */
interface Wanted {
  account: NewAccount;
  check: PayeeCheck;
}

/** Two steps: the new account, then what the bank says, the consequences and the user's proof of identity. */
export function ChangeAccount({ merchant, hasSecondFactor, onClose }: ChangeProps) {
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const form = useForm<NewAccount>({ defaultValues: merchant.settlement_account });
  const checking = useCheckAccount();
  const want = async ({ name, sort_code, account_number }: NewAccount): Promise<void> => {
    const account = { name, sort_code, account_number };
    setWanted({ account, check: await checking.mutateAsync(account) });
  };
  if (wanted !== null)
    return (
      <Confirm
        {...{ wanted, hasSecondFactor, onClose }}
        isChecking={checking.isPending}
        onUseName={(name) => {
          form.setValue('name', name);
          want({ ...wanted.account, name }).catch((error: unknown) =>
            toast(errorText(error).advice, 'danger'),
          );
        }}
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
        await want(values);
        return false;
      }}
      confirmLabel="Continue"
    >
      <AccountFields control={form.control} names={FIELDS} />
    </FormDialog>
  );
}

interface ConfirmProps {
  wanted: Wanted;
  isChecking: boolean;
  /** Takes over the name that the bank has. */
  onUseName: (name: string) => void;
  hasSecondFactor: boolean;
  /** Whether another change is pending, which this one replaces. */
  isInTheWay: boolean;
  onBack: () => void;
  onClose: () => void;
}

function Confirm(props: ConfirmProps) {
  const { wanted, hasSecondFactor, isInTheWay, onBack, onClose } = props;
  const ask = useAskForAccount();
  return (
    <ProofDialog
      onClose={onClose}
      title="Pay settlements to this account?"
      withCode={hasSecondFactor}
      onProof={async (proof) => {
        await ask.mutateAsync({ ...wanted.account, ...proof });
        toast('The account changes in 24 hours.', 'success');
      }}
      confirmLabel="Confirm account"
      cancelLabel="Back"
      onCancel={onBack}
    >
      <AccountFacts account={wanted.account} />
      <PayeeNotice check={wanted.check} onUseName={props.onUseName} isBusy={props.isChecking} />
      <p>
        Check every digit: money sent to the wrong account may be lost. The change takes effect in
        24 hours, or as soon as another owner confirms it. Until then, every owner can see it here
        and cancel it.
      </p>
      {isInTheWay ? <p>This replaces the change that is pending now.</p> : null}
    </ProofDialog>
  );
}
