import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { AllowedIps, RANGE_ALIASES, rangesIn } from '../../../pages/developers/allowed-ips.tsx';
import { SCOPE_TEXTS } from '../../../pages/developers/scopes.ts';
import { CheckboxGroup } from '../../../ui/fields/checkbox-group.tsx';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { DoneDialog } from '../../../ui/overlays/dialog.tsx';
import { Secret } from '../../../ui/values/copy-button.tsx';
import { useCreateMerchantKey } from '../../api/merchant-keys.ts';
import type { Merchant } from '../../api/merchants.ts';
import { ReasonField } from '../../decision-dialog.tsx';

/** Asks what a new key of a merchant may do and why, and shows the key once. */
export function NewMerchantKey({ merchant, onClose }: { merchant: Merchant; onClose: () => void }) {
  const [made, setMade] = useState<string | null>(null);
  if (made === null) return <KeyForm merchant={merchant} onClose={onClose} onMade={setMade} />;
  return (
    <DoneDialog isOpen onClose={onClose} title="The key is ready">
      <p>
        Hand it to <strong>{merchant.name}</strong> over a channel you trust.
      </p>
      <Secret value={made} label="Copy key" />
      <Notice tone="warning">This key will not be shown again.</Notice>
    </DoneDialog>
  );
}

interface KeyFormProps {
  merchant: Merchant;
  onClose: () => void;
  onMade: (key: string) => void;
}

function KeyForm({ merchant, onClose, onMade }: KeyFormProps) {
  const create = useCreateMerchantKey(merchant.id);
  const form = useForm({
    defaultValues: {
      name: '',
      scopes: SCOPE_TEXTS.map(({ scope }) => scope).filter((scope) => scope !== 'keys'),
      allowed_ips: '',
      reason: '',
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="New API key"
      form={form}
      aliases={RANGE_ALIASES}
      onSubmit={async ({ name, scopes, allowed_ips, reason }) => {
        const wanted = { name: name.trim(), scopes, allowed_ips: rangesIn(allowed_ips) };
        onMade((await create.mutateAsync({ ...wanted, reason: reason.trim() })).key);
        return false;
      }}
      confirmLabel="Create key"
    >
      <TextField
        control={form.control}
        name="name"
        label="Name"
        maxLength={100}
        rules={{ validate: (text) => String(text).trim() !== '' || 'Enter a name.' }}
        autoFocus
      />
      <CheckboxGroup
        control={form.control}
        name="scopes"
        label="Permissions"
        description="The key works until somebody revokes it. The merchant’s owners are told by email."
        rules={{
          validate: (scopes) =>
            (Array.isArray(scopes) && scopes.length > 0) || 'Choose at least one scope.',
        }}
        options={SCOPE_TEXTS.map(({ scope, sentence }) => ({
          value: scope,
          label: scope,
          description: sentence,
        }))}
      />
      <AllowedIps control={form.control} name="allowed_ips" />
      <ReasonField control={form.control} name="reason" />
    </FormDialog>
  );
}
