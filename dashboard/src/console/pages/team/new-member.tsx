import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { ROLE_OPTIONS } from '../../../pages/settings/team/invite-dialog.tsx';
import { SecretLink } from '../../../pages/settings/team/secret-link.tsx';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { DoneDialog } from '../../../ui/overlays/dialog.tsx';
import { ROLE_TEXTS, type Role } from '../../../ui/role.ts';
import type { Merchant } from '../../api/merchants.ts';
import { type CreatedUser, useCreateUser } from '../../api/users.ts';
import { For } from '../../session.tsx';

/** The button that puts somebody on a merchant's team, and its dialog. */
export function NewMember({ merchant }: { merchant: Merchant }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <For may="security">
      <Button size="small" onPress={() => setOpen(true)}>
        Add to the team…
      </Button>
      {isOpen ? <MemberDialog merchant={merchant} onClose={() => setOpen(false)} /> : null}
    </For>
  );
}

interface MemberDialogProps {
  merchant: Merchant;
  onClose: () => void;
}

/** Asks who joins in which role, then shows the link once. */
function MemberDialog({ merchant, onClose }: MemberDialogProps) {
  const [made, setMade] = useState<CreatedUser | null>(null);
  const create = useCreateUser(merchant.id);
  const form = useForm<{ name: string; email: string; role: Role }>({
    defaultValues: { name: '', email: '', role: 'owner' },
  });
  const role = useWatch({ control: form.control, name: 'role' });
  if (made !== null) return <Made user={made} onClose={onClose} />;
  return (
    <FormDialog
      onClose={onClose}
      title={`Add someone to the team of ${merchant.name}`}
      form={form}
      onSubmit={async (wanted) => {
        setMade(await create.mutateAsync(wanted));
        return false;
      }}
      confirmLabel="Create link"
    >
      <TextField
        control={form.control}
        name="name"
        label="Name"
        maxLength={100}
        rules={{ required: 'Enter a name.' }}
        autoFocus
      />
      <TextField
        control={form.control}
        name="email"
        label="Email address"
        type="email"
        rules={{ required: 'Enter an email address.' }}
      />
      <SelectField
        control={form.control}
        name="role"
        label="Role"
        description={ROLE_TEXTS[role].may}
        options={ROLE_OPTIONS}
      />
    </FormDialog>
  );
}

const Made = ({ user, onClose }: { user: CreatedUser; onClose: () => void }) => (
  <DoneDialog isOpen onClose={onClose} title="The link is ready">
    <p>
      Hand this link to <strong>{user.email}</strong>, where only they can see it.
    </p>
    <SecretLink url={user.url} expiresAt={user.expires_at} />
    {user.existing_account === null ? null : (
      <Notice tone="warning">
        This address has an account already. Its person joins with the password of that account; if
        they did not make it, ask for a reset first.
      </Notice>
    )}
  </DoneDialog>
);
