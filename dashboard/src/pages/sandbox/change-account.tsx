import type { SandboxAccount, SandboxBank } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { useChangeAccount } from '../../api/sandbox.ts';
import { AmountField } from '../../ui/fields/amount-field.tsx';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { BEHAVIOURS } from './behaviours.ts';

interface Props {
  bank: SandboxBank;
  account: SandboxAccount;
  onClose: () => void;
}

interface AccountValues {
  balance: number | null;
  behaviour: string;
}

/** Sets an account's balance and behaviour. */
export function ChangeAccount({ bank, account, onClose }: Props) {
  const before: AccountValues = { balance: account.balance, behaviour: account.behaviour };
  const form = useForm<AccountValues>({ defaultValues: before });
  const change = useChangeAccount();
  const behaviour = form.watch('behaviour');
  const summary = BEHAVIOURS.find((one) => one.name === behaviour)?.summary;
  return (
    <FormDialog
      onClose={onClose}
      title={`${account.holder} at ${bank.name}`}
      form={form}
      onSubmit={async (values) => {
        await change.mutateAsync({
          bankId: bank.bank_id,
          account: account.account_number,
          ...(values.balance === null || values.balance === before.balance
            ? {}
            : { balance: values.balance }),
          ...(values.behaviour === before.behaviour ? {} : { behaviour: values.behaviour }),
        });
        toast(`${account.holder}’s account updated.`, 'success');
      }}
      confirmLabel="Save account"
      needsChange
    >
      <AmountField
        most={Number.MAX_SAFE_INTEGER}
        control={form.control}
        name="balance"
        label="Balance"
        description="The account’s new balance."
        isRequired
        allowsZero
      />
      <SelectField
        control={form.control}
        name="behaviour"
        label="Behaviour"
        {...(summary === undefined ? {} : { description: summary })}
        options={BEHAVIOURS.map(({ name, label }) => ({ value: name, label }))}
      />
    </FormDialog>
  );
}
