import type { SandboxAccount, SandboxBank } from '@recollect/sdk';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useAccounts, useDecide } from '../../../api/sandbox.ts';
import { useMe } from '../../../app/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { Form } from '../../../ui/fields/form.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { FlaskConical } from '../../../ui/icons.tsx';
import { Dialog, DialogActions } from '../../../ui/overlays/dialog.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { formatMoney } from '../../../ui/values/money.tsx';
import { useGranter } from '../../sandbox/granter.ts';

interface Play {
  bank_id: string;
  /** The number of the account that agrees. */
  account: string;
  decision: 'grant' | 'deny';
}

const DECISIONS = [
  { value: 'grant', label: 'Agree' },
  { value: 'deny', label: 'Decline' },
];

/** In the sandbox: decides for the customer, on the portal and at the bank. */
export function PlayCustomer({ scheduleId }: { scheduleId: string }) {
  const [isOpen, setOpen] = useState(false);
  if (useMe().mode !== 'sandbox') return null;
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <FlaskConical aria-hidden="true" /> Play the customer
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Play the customer">
        <Choice scheduleId={scheduleId} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function Choice(props: { scheduleId: string; onClose: () => void }) {
  const accounts = useAccounts();
  return <QueryView query={accounts}>{(banks) => <PlayForm {...props} banks={banks} />}</QueryView>;
}

interface PlayFormProps {
  scheduleId: string;
  banks: SandboxBank[];
  onClose: () => void;
}

function PlayForm({ scheduleId, banks, onClose }: PlayFormProps) {
  const decide = useDecide();
  const first = banks[0];
  const form = useForm<Play>({
    defaultValues: {
      bank_id: first?.bank_id ?? '',
      account: first?.accounts[0]?.account_number ?? '',
      decision: 'grant',
    },
  });
  const granter = useGranter(scheduleId, banks);
  const { isDirty, isSubmitting } = form.formState;
  const [grantersBank, grantersAccount] = [granter?.bankId, granter?.account.account_number];
  const { setValue } = form;
  useEffect(() => {
    if (grantersBank === undefined || grantersAccount === undefined || isDirty) return;
    setValue('bank_id', grantersBank);
    setValue('account', grantersAccount);
  }, [grantersBank, grantersAccount, isDirty, setValue]);
  const bankId = useWatch({ control: form.control, name: 'bank_id' });
  const chosen = useWatch({ control: form.control, name: 'account' });
  const decision = useWatch({ control: form.control, name: 'decision' });
  const accounts = banks.find((bank) => bank.bank_id === bankId)?.accounts ?? [];
  const account = accounts.find((one) => one.account_number === chosen);
  const submit = async (play: Play) => {
    await decide.mutateAsync({ scheduleId, ...play });
    toast(play.decision === 'grant' ? 'The customer agreed.' : 'The customer declined.', 'success');
    onClose();
  };
  return (
    <Form form={form} onSubmit={submit}>
      <SelectField
        control={form.control}
        name="bank_id"
        label="Bank"
        options={banks.map((bank) => ({ value: bank.bank_id, label: bank.name }))}
      />
      <SelectField
        control={form.control}
        name="account"
        label="Account"
        description={account === undefined ? undefined : `${account.summary}.`}
        options={accounts.map(optionOf)}
      />
      <SelectField control={form.control} name="decision" label="Decision" options={DECISIONS} />
      <DialogActions>
        <Button onPress={onClose} isDisabled={isSubmitting}>
          Not now
        </Button>
        <Button variant="primary" type="submit" isPending={isSubmitting}>
          {decision === 'grant' ? 'Agree' : 'Decline'}
        </Button>
      </DialogActions>
    </Form>
  );
}

function optionOf({ account, account_number, holder, nickname, balance }: SandboxAccount) {
  const money = formatMoney({ value: balance, currency: 'GBP' });
  return { value: account_number, label: `${holder} (${account}), ${nickname}, ${money}` };
}
