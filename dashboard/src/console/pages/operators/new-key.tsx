import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { DoneDialog } from '../../../ui/overlays/dialog.tsx';
import { Secret } from '../../../ui/values/copy-button.tsx';
import type { NewKey } from '../../api/operators.ts';

interface NewKeyDialogProps {
  title: string;
  label: string;
  onClose: () => void;
  onCreate: (name: string) => Promise<NewKey>;
}

/** Asks for a name, and shows the new key once. */
export function NewKeyDialog({ title, label, onClose, onCreate }: NewKeyDialogProps) {
  const [made, setMade] = useState<NewKey | null>(null);
  const form = useForm({ defaultValues: { name: '' } });
  if (made !== null)
    return (
      <DoneDialog isOpen onClose={onClose} title="The key is ready">
        <p>
          It is yours, <strong>{made.operator.name}</strong>, and valid for 90 days. Give it to
          nobody.
        </p>
        <Secret value={made.secret} label="Copy key" />
        <Notice tone="warning">This key will not be shown again.</Notice>
      </DoneDialog>
    );
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      size="small"
      form={form}
      onSubmit={async ({ name }) => {
        setMade(await onCreate(name.trim()));
        return false;
      }}
      confirmLabel="Create"
    >
      <TextField
        control={form.control}
        name="name"
        label={label}
        maxLength={70}
        rules={{ required: 'Enter a name.' }}
        autoFocus
      />
    </FormDialog>
  );
}
