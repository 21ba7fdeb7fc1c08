import type { Merchant } from '@recollect/sdk';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useChangeMerchant } from '../../api/merchant.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { applyApiError } from '../../ui/form-errors.tsx';
import { KeyValue } from '../../ui/key-value.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';

type Account = Merchant['settlement_account'];

const ALIASES = {
  'settlement_account.name': 'name',
  'settlement_account.sort_code': 'sort_code',
  'settlement_account.account_number': 'account_number',
} as const;

/** `123456` as people write a sort code: `12-34-56`. */
function formatSortCode(digits: string): string {
  return digits.replace(/^(\d{2})(\d{2})(\d{2})$/, '$1-$2-$3');
}

function AccountFacts({ account }: { account: Account }) {
  return (
    <KeyValue
      items={[
        ['Account holder', account.name],
        ['Sort code', formatSortCode(account.sort_code)],
        ['Account number', account.account_number],
      ]}
    />
  );
}

interface ChangeProps {
  account: Account;
  onClose: () => void;
}

/** Two steps: the new account, then what will happen. */
function ChangeAccount({ account, onClose }: ChangeProps) {
  const [wanted, setWanted] = useState<Account | null>(null);
  const change = useChangeMerchant();
  const form = useForm<Account>({ defaultValues: account });
  const confirm = async () => {
    if (wanted === null) return;
    try {
      await change.mutateAsync({ settlement_account: wanted });
    } catch (error) {
      applyApiError(form, error, ALIASES);
      return;
    }
    toast('Settlements go to the new account.', 'success');
    onClose();
  };
  return (
    <>
      <Dialog isOpen={wanted === null} onClose={onClose} title="Change the settlement account">
        <Form form={form} onSubmit={async (values) => setWanted(values)}>
          <TextField
            control={form.control}
            name="name"
            label="Account holder"
            isRequired
            maxLength={70}
          />
          <div className="form-row">
            <TextField
              control={form.control}
              name="sort_code"
              label="Sort code"
              inputMode="numeric"
              isRequired
              rules={{
                pattern: { value: /^(\D*\d){6}\D*$/, message: 'A sort code has 6 digits.' },
              }}
            />
            <TextField
              control={form.control}
              name="account_number"
              label="Account number"
              inputMode="numeric"
              isRequired
              rules={{
                pattern: { value: /^\s*\d{6,8}\s*$/, message: 'An account number has 8 digits.' },
              }}
            />
          </div>
          <DialogActions>
            <Button onPress={onClose}>Cancel</Button>
            <Button variant="primary" type="submit">
              Go on
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
      <ConfirmDialog
        isOpen={wanted !== null}
        onClose={() => setWanted(null)}
        title="Pay settlements to this account?"
        confirmLabel="Pay settlements there"
        cancelLabel="Back"
        onConfirm={confirm}
      >
        <AccountFacts account={wanted ?? account} />
        <p>
          Every settlement that has not been sent yet goes to this account. Check it digit by digit:
          money that went to a wrong account may not come back.
        </p>
      </ConfirmDialog>
    </>
  );
}

/** Where settlements are paid to. */
export function AccountCard({ merchant, isLocked }: { merchant: Merchant; isLocked: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title="Settlement account"
      lead="What was collected is paid out here, the next working day."
      actions={
        isLocked ? undefined : (
          <Button size="small" onPress={() => setOpen(true)}>
            Change…
          </Button>
        )
      }
    >
      <AccountFacts account={merchant.settlement_account} />
      {isOpen ? (
        <ChangeAccount account={merchant.settlement_account} onClose={() => setOpen(false)} />
      ) : null}
    </Card>
  );
}
