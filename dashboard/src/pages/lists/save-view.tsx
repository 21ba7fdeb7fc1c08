import { useForm } from 'react-hook-form';
import { type SavedView, useViewActions } from '../../api/saved-views.ts';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { toast } from '../../ui/overlays/toast.tsx';

interface SaveViewProps {
  list: SavedView['list'];
  query: string;
  onClose: () => void;
}

/** Asks for the name of a view, and saves it for the team. */
export function SaveView({ list, query, onClose }: SaveViewProps) {
  const form = useForm({ defaultValues: { name: '' } });
  const { save } = useViewActions();
  return (
    <FormDialog
      onClose={onClose}
      title="Save this view"
      size="small"
      form={form}
      onSubmit={async ({ name }) => {
        await save.mutateAsync({ list, name, query });
        toast('View saved for your team.', 'success');
      }}
      confirmLabel="Save view"
    >
      <TextField
        control={form.control}
        name="name"
        label="Name"
        description="Your whole team sees it above the list. A view of the same name is replaced."
        maxLength={40}
        isRequired
        autoFocus
      />
    </FormDialog>
  );
}
