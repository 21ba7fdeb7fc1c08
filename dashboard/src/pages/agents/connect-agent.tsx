import type { NewApiKey, Scope } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { useCreateKey } from '../../api/developers.ts';
import { useMe } from '../../app/session.tsx';
import { CheckboxGroup } from '../../ui/fields/checkbox-group.tsx';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { SCOPE_TEXTS } from '../developers/scopes.ts';
import { LIMIT_ALIASES, LimitFields, type LimitValues, limitsIn } from './limit-fields.tsx';

interface ConnectValues extends LimitValues {
  name: string;
  scopes: Scope[];
}

/** What an agent usually needs. It never gets `keys`: it could make a key without limits. */
const USUAL: readonly Scope[] = ['schedules', 'payments', 'settlements', 'customers'];
const PER_ACT = 10_000;
const PER_DAY = 50_000;

/** Makes a key for an agent: named, with scopes and limits. */
export function ConnectAgent({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (key: NewApiKey) => void;
}) {
  const { permissions } = useMe().merchant;
  const offered = SCOPE_TEXTS.filter(
    ({ scope, needs }) => scope !== 'keys' && permissions.includes(needs),
  );
  const form = useForm<ConnectValues>({
    defaultValues: {
      name: '',
      scopes: offered.map(({ scope }) => scope).filter((scope) => USUAL.includes(scope)),
      per_act: PER_ACT,
      per_day: PER_DAY,
    },
  });
  const create = useCreateKey();
  return (
    <FormDialog
      onClose={onClose}
      title="Connect an agent"
      form={form}
      aliases={LIMIT_ALIASES}
      onSubmit={async ({ name, scopes, ...limits }) => {
        const made = { name: name.trim(), scopes, allowed_ips: null, limits: limitsIn(limits) };
        onMade(await create.mutateAsync(made));
      }}
      confirmLabel="Create its key"
    >
      <TextField
        control={form.control}
        name="name"
        label="Name"
        description="Each agent gets a key of its own, for example “Accounts assistant”."
        maxLength={100}
        isRequired
        autoFocus
      />
      <LimitFields control={form.control} />
      <CheckboxGroup
        control={form.control}
        name="scopes"
        label="Permissions"
        description="Select only what the agent needs."
        rules={{
          validate: (scopes) =>
            (Array.isArray(scopes) && scopes.length > 0) || 'Choose at least one permission.',
        }}
        options={offered.map(({ scope, sentence }) => ({
          value: scope,
          label: scope,
          description: sentence,
        }))}
      />
    </FormDialog>
  );
}
