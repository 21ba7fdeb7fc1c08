import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import {
  addPasskey,
  canUsePasskeys,
  deletePasskey,
  listPasskeys,
  type Passkey,
} from '../../../api/people/passkeys.ts';
import { hasTwoFactor } from '../../../api/people/sign-in.ts';
import { renew } from '../../../app/query-client.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { When } from '../../../ui/values/when.tsx';
import { PasswordDialog } from '../proof/password-dialog.tsx';
import { CodeField, type ProofValues, proofOf } from '../proof/proof-fields.tsx';
import { YourPassword } from '../proof/your-password.tsx';

function AddDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const twoFactor = useQuery({ queryKey: ['security', 'two-factor'], queryFn: hasTwoFactor });
  const form = useForm({ defaultValues: { name: '', password: '', code: '' } });
  const add = async ({ name, ...proof }: ProofValues & { name: string }) => {
    if (!(await addPasskey(name.trim(), proofOf(proof)))) return false;
    void renew(client);
    toast('Passkey added.', 'success');
    return true;
  };
  return (
    <FormDialog
      onClose={onClose}
      title="Add a passkey"
      size="small"
      form={form}
      onSubmit={add}
      confirmLabel="Continue"
    >
      <p>
        Your browser will ask for your fingerprint, face, device PIN or security key. When you sign
        in with the passkey, you do not need a second factor.
      </p>
      <TextField
        control={form.control}
        name="name"
        label="Name"
        description="Helps you tell your passkeys apart, for example “Work laptop”."
        maxLength={100}
        rules={{ required: 'Enter a name.' }}
        autoFocus
      />
      <YourPassword control={form.control} name="password" />
      {twoFactor.data === true ? <CodeField control={form.control} name="code" /> : null}
    </FormDialog>
  );
}

function RemoveDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <PasswordDialog
      title={`Remove “${passkey.name}”?`}
      size="small"
      confirmLabel="Remove passkey"
      tone="danger"
      onClose={onClose}
      onPassword={async (password) => {
        await deletePasskey(passkey.id, password);
        void renew(client);
        toast('Passkey removed.', 'info');
      }}
    >
      <p>
        You will no longer be able to sign in with it. Your password and your other passkeys keep
        working.
      </p>
    </PasswordDialog>
  );
}

function PasskeyLines({ passkeys }: { passkeys: readonly Passkey[] }) {
  const [chosen, setChosen] = useState<Passkey | null>(null);
  return (
    <>
      <ul className="lines">
        {passkeys.map((passkey) => (
          <li key={passkey.id}>
            <span className="line-text">
              <span className="line-title">{passkey.name}</span>
              <span className="quiet small">
                Added <When at={passkey.created_at} as="relative" clock="real" />, last used{' '}
                {passkey.last_used_at === null ? (
                  'never'
                ) : (
                  <When at={passkey.last_used_at} as="relative" clock="real" />
                )}
              </span>
            </span>
            <Button
              size="small"
              aria-label={`Remove ${passkey.name}`}
              onPress={() => setChosen(passkey)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {chosen === null ? null : <RemoveDialog passkey={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

/** Signing in without a password. */
export function PasskeysCard() {
  const passkeys = useQuery({ queryKey: ['security', 'passkeys'], queryFn: listPasskeys });
  const [isAdding, setAdding] = useState(false);
  return (
    <Card title="Passkeys">
      <p className="quiet">
        Sign in with your fingerprint, face or a security key. Unlike a password, a passkey cannot
        be phished.
      </p>
      <QueryView query={passkeys}>
        {(data) => (data.length === 0 ? null : <PasskeyLines passkeys={data} />)}
      </QueryView>
      {canUsePasskeys ? (
        <div className="actions">
          <Button onPress={() => setAdding(true)}>Add a passkey…</Button>
        </div>
      ) : (
        <p className="quiet small">
          This browser does not support passkeys, or this page is not on https.
        </p>
      )}
      {isAdding ? <AddDialog onClose={() => setAdding(false)} /> : null}
    </Card>
  );
}
