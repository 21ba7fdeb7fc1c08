import { useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import {
  type Member,
  type ResetLinkView,
  useChangeRole,
  useKeepOwner,
  useRemoveMember,
  useResetLink,
  useUnlink,
} from '../../../api/people/team.ts';
import { BASE } from '../../../app/base.ts';
import { useMe } from '../../../app/session.tsx';
import { CheckboxField } from '../../../ui/fields/checkbox-field.tsx';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { DoneDialog } from '../../../ui/overlays/dialog.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { ROLE_TEXTS, type Role, roleLabel } from '../../../ui/role.ts';
import { ROLE_OPTIONS } from './invite-dialog.tsx';
import { SecretLink } from './secret-link.tsx';

interface MemberDialogProps {
  member: Member;
  onClose: () => void;
}

export function ChangeRoleDialog({ member, onClose }: MemberDialogProps) {
  const change = useChangeRole();
  const form = useForm<{ role: Role }>({ defaultValues: { role: member.role } });
  const role = useWatch({ control: form.control, name: 'role' });
  const me = useMe();
  const waits = member.role === 'owner' && member.user_id !== me.user.id;
  const save = async (wanted: { role: Role }) => {
    const { leaving } = await change.mutateAsync({ userId: member.user_id, role: wanted.role });
    const when = leaving === null ? 'is now' : 'in 24 hours will be';
    toast(`${member.name}’s role ${when} ${roleLabel(wanted.role)}.`, 'success');
  };
  return (
    <FormDialog
      onClose={onClose}
      title={`Change ${member.name}’s role`}
      size="small"
      form={form}
      onSubmit={save}
      confirmLabel="Change role"
      needsChange
    >
      <SelectField
        control={form.control}
        name="role"
        label="Role"
        description={ROLE_TEXTS[role].may}
        options={ROLE_OPTIONS}
      />
      <p className="quiet small">
        {waits
          ? 'An owner stays one for 24 hours, and can take the change back until then.'
          : 'This takes effect immediately, even where they are already signed in.'}
      </p>
    </FormDialog>
  );
}

export function ResetLinkDialog({ member, onClose }: MemberDialogProps) {
  const make = useResetLink();
  const [link, setLink] = useState<ResetLinkView | null>(null);
  const isMade = useRef(false);
  if (link === null)
    return (
      <ConfirmDialog
        isOpen
        // Once the link is created, it replaces the question.
        onClose={() => {
          if (!isMade.current) onClose();
        }}
        title={`Create a link for ${member.name}?`}
        confirmLabel="Create link"
        tone="primary"
        onConfirm={async () => {
          const made = await make.mutateAsync(member.user_id);
          isMade.current = true;
          setLink(made);
        }}
      >
        <p>
          Anyone who opens the link can set a new password for {member.email}. When it is used, they
          are signed out everywhere. Until then the old password still works.
        </p>
      </ConfirmDialog>
    );
  return (
    <DoneDialog isOpen onClose={onClose} title="The link is ready">
      <p>
        Send it to <strong>{member.email}</strong>.
      </p>
      <SecretLink url={link.url} expiresAt={link.expires_at} />
    </DoneDialog>
  );
}

export function UnlinkDialog({ member, onClose }: MemberDialogProps) {
  const unlink = useUnlink();
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Unlink ${member.name} from single sign-on?`}
      confirmLabel={`Unlink ${member.name}`}
      tone="primary"
      onConfirm={async () => {
        await unlink.mutateAsync(member.user_id);
        toast(`${member.name} is unlinked.`, 'success');
      }}
    >
      <p>
        Do this if their account at your provider was replaced. They are signed out, and the next
        account with the verified address {member.email} is linked to them.
      </p>
    </ConfirmDialog>
  );
}

export function RemoveMemberDialog({ member, onClose }: MemberDialogProps) {
  const me = useMe();
  const remove = useRemoveMember();
  const isSelf = member.user_id === me.user.id;
  const waits = member.role === 'owner' && !isSelf;
  const form = useForm({ defaultValues: { keepKeys: false } });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={isSelf ? `Leave ${me.merchant.name}?` : `Remove ${member.name}?`}
      confirmLabel={isSelf ? 'Leave the team' : `Remove ${member.name}`}
      onConfirm={async () => {
        const { keepKeys } = form.getValues();
        const { deleted } = await remove.mutateAsync({ userId: member.user_id, keepKeys });
        if (isSelf) location.assign(`${BASE}/`);
        else if (deleted) toast(`${member.name} is no longer on the team.`, 'success');
        else toast(`${member.name} leaves the team in 24 hours.`, 'success');
      }}
    >
      <p>
        {isSelf ? 'You lose' : `${member.name} loses`} access to {me.merchant.name}{' '}
        {waits
          ? 'in 24 hours, and can take it back until then. Everybody who was an owner lately hears of it.'
          : 'immediately.'}{' '}
        The API keys that {isSelf ? 'you' : 'they'} created stop working. Schedules are not
        affected. Coming back requires a new invitation.
      </p>
      {isSelf ? null : (
        <CheckboxField
          control={form.control}
          name="keepKeys"
          label="Keep their API keys"
          description="They become yours and keep working. Select this if your servers use them."
          isRequired={false}
        />
      )}
    </ConfirmDialog>
  );
}

export function KeepOwnerDialog({ member, onClose }: MemberDialogProps) {
  const keep = useKeepOwner();
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Keep ${member.name} as an owner?`}
      confirmLabel="Keep as owner"
      cancelLabel="Cancel"
      tone="primary"
      onConfirm={async () => {
        await keep.mutateAsync(member.user_id);
        toast(`${member.name} stays an owner.`, 'success');
      }}
    >
      <p>What was asked for is taken back, and every owner hears of it.</p>
    </ConfirmDialog>
  );
}
