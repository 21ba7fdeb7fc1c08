import type { NewApiKey, Scope } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { useCreateKey } from '../../api/developers.ts';
import { useMe } from '../../app/session.tsx';
import { CheckboxGroup } from '../../ui/fields/checkbox-group.tsx';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { AllowedIps, RANGE_ALIASES, rangesIn } from './allowed-ips.tsx';
import { SCOPE_TEXTS } from './scopes.ts';

interface Props {
  onClose: () => void;
  onMade: (key: NewApiKey) => void;
}

/** Asks for a key's name and scopes, and creates it. Members cannot grant a scope that they do not have. */
export function CreateKey({ onClose, onMade }: Props) {
  const { permissions } = useMe().merchant;
  const offered = SCOPE_TEXTS.filter(({ needs }) => permissions.includes(needs));
  const form = useForm<{ name: string; scopes: Scope[]; allowed_ips: string }>({
    defaultValues: {
      name: '',
      allowed_ips: '',
      scopes: offered.map(({ scope }) => scope).filter((scope) => scope !== 'keys'),
    },
  });
  const create = useCreateKey();
  return (
    <FormDialog
      onClose={onClose}
      title="Create an API key"
      form={form}
      aliases={RANGE_ALIASES}
      onSubmit={async ({ name, scopes, allowed_ips }) => {
        const key = await create.mutateAsync({
          name: name.trim(),
          scopes,
          allowed_ips: rangesIn(allowed_ips),
        });
        onMade(key);
      }}
      confirmLabel="Create key"
    >
      <TextField
        control={form.control}
        name="name"
        label="Name"
        description="Helps you tell your keys apart, for example “Billing server”."
        maxLength={100}
        isRequired
        autoFocus
      />
      <CheckboxGroup
        control={form.control}
        name="scopes"
        label="Permissions"
        description="Select only what your software needs. The key stops working when you leave the team."
        rules={{
          validate: (scopes) =>
            (Array.isArray(scopes) && scopes.length > 0) || 'Choose at least one scope.',
        }}
        options={offered.map(({ scope, sentence }) => ({
          value: scope,
          label: scope,
          description: sentence,
        }))}
      />
      <AllowedIps control={form.control} name="allowed_ips" />
    </FormDialog>
  );
}
