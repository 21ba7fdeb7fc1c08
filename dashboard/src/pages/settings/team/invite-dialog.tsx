import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { type NewInvitationView, useInvite } from '../../../api/people/team.ts';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { DoneDialog } from '../../../ui/overlays/dialog.tsx';
import { ROLE_TEXTS, type Role, roleLabel } from '../../../ui/role.ts';
import { SecretLink } from './secret-link.tsx';

/** The roles to choose from. */
export const ROLE_OPTIONS = Object.entries(ROLE_TEXTS).map(([value, { label }]) => ({
  value,
  label,
}));

interface InviteValues {
  email: string;
  role: Role;
}

/** Asks whom to invite, then shows the invitation link. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewInvitationView | null>(null);
  const form = useForm<InviteValues>({ defaultValues: { email: '', role: 'developer' } });
  const role = useWatch({ control: form.control, name: 'role' });
  const invite = useInvite();
  if (made === null)
    return (
      <FormDialog
        title="Invite a member"
        form={form}
        onSubmit={async (wanted) => {
          setMade(await invite.mutateAsync(wanted));
          return false;
        }}
        confirmLabel="Create invitation"
        onClose={onClose}
      >
        <TextField
          control={form.control}
          name="email"
          label="Email address"
          type="email"
          rules={{ required: 'Enter the email address of the new member.' }}
          autoFocus
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
  return (
    <DoneDialog isOpen onClose={onClose} title="The invitation is ready">
      <p>
        Send this link to <strong>{made.email}</strong>. It lets them join as {roleLabel(made.role)}
        ; we send no email ourselves.
      </p>
      <SecretLink url={made.url} expiresAt={made.expires_at} />
    </DoneDialog>
  );
}
