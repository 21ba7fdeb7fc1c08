import { useForm } from 'react-hook-form';
import { type SavedView, useViewActions } from '../../api/saved-views.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';

interface SaveViewProps {
  list: SavedView['list'];
  query: string;
  onClose: () => void;
}

/** Asks for the name of a view, and saves it for the team. */
export function SaveView({ list, query, onClose }: SaveViewProps) {
  const form = useForm({ defaultValues: { name: '' } });
  const { save } = useViewActions();
  const { isSubmitting } = form.formState;
  return (
    <Dialog isOpen onClose={onClose} title="Save this view" size="small" isBusy={isSubmitting}>
      <Form
        form={form}
        onSubmit={async ({ name }) => {
          await save.mutateAsync({ list, name, query });
          onClose();
          toast('View saved for your team.', 'success');
        }}
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
        <DialogActions>
          <Button onPress={onClose} isDisabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" isPending={isSubmitting}>
            Save view
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
