import { useForm } from 'react-hook-form';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { type Role, useAskOperator } from '../../api/operators.ts';
import { ReasonField } from '../../decision-dialog.tsx';
import { RolesField } from './roles-field.tsx';

/** Asks for a new operator, with whom a second one has to agree. */
export function NewOperatorDialog({ onClose }: { onClose: () => void }) {
  const ask = useAskOperator();
  const form = useForm({
    defaultValues: { name: '', email: '', roles: ['support'] as Role[], reason: '' },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="New operator"
      form={form}
      onSubmit={async ({ name, email, roles, reason }) => {
        await ask.mutateAsync({
          name: name.trim(),
          email: email.trim(),
          roles,
          reason: reason.trim(),
        });
        toast('A second operator must agree within seven days.', 'success');
      }}
      confirmLabel="Ask for it"
    >
      <p>
        A second operator has to agree. The first key then goes to this address, and is shown to
        nobody else. For 72 hours they have no say in what takes two operators.
      </p>
      <TextField
        control={form.control}
        name="name"
        label="Name"
        maxLength={70}
        rules={{ required: 'Enter a name.' }}
        autoFocus
      />
      <TextField
        control={form.control}
        name="email"
        label="Email address"
        type="email"
        rules={{ required: 'Enter their email address.' }}
      />
      <RolesField control={form.control} name="roles" />
      <ReasonField control={form.control} name="reason" />
    </FormDialog>
  );
}
