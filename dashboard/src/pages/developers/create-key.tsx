import type { NewApiKey } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { useCreateKey } from '../../api/developers.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { TextField } from '../../ui/text-field.tsx';

interface Props {
  onClose: () => void;
  onMade: (key: NewApiKey) => void;
}

/** Asks for a name, and makes a key. */
export function CreateKey({ onClose, onMade }: Props) {
  const form = useForm({ defaultValues: { name: '' } });
  const create = useCreateKey();
  const { isSubmitting } = form.formState;
  return (
    <Dialog isOpen onClose={onClose} title="Create an API key" size="small" isBusy={isSubmitting}>
      <Form
        form={form}
        onSubmit={async ({ name }) => {
          const key = await create.mutateAsync({ name: name.trim() });
          onClose();
          onMade(key);
        }}
      >
        <TextField
          control={form.control}
          name="name"
          label="Name"
          description="To tell your keys apart, such as “Billing server”."
          maxLength={100}
          isRequired
          autoFocus
        />
        <DialogActions>
          <Button onPress={onClose} isDisabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" isPending={isSubmitting}>
            Create the key
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
