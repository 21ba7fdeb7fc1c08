import type { ApiKey, NewApiKey } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { useRotateKey } from '../../api/developers.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { TextField } from '../../ui/text-field.tsx';

interface Props {
  apiKey: ApiKey;
  onClose: () => void;
  onMade: (key: NewApiKey) => void;
}

const LONGEST_HOURS = 168;

/** Replaces a key; the old one keeps working for the chosen hours. */
export function RotateKey({ apiKey, onClose, onMade }: Props) {
  const form = useForm({ defaultValues: { overlap_hours: '24' } });
  const rotate = useRotateKey(apiKey.id);
  const { isSubmitting } = form.formState;
  return (
    <Dialog isOpen onClose={onClose} title={`Rotate “${apiKey.name}”`} isBusy={isSubmitting}>
      <Form
        form={form}
        onSubmit={async ({ overlap_hours: hours }) => {
          const key = await rotate.mutateAsync({ overlap_hours: Number(hours) });
          onClose();
          onMade(key);
        }}
      >
        <p>
          You get a new key. The one ending in <code>{apiKey.hint}</code> keeps working while you
          replace it on your servers, then expires.
        </p>
        <TextField
          control={form.control}
          name="overlap_hours"
          label="Hours until the old key expires"
          description={`0 to ${LONGEST_HOURS}. With 0, the old key expires immediately.`}
          inputMode="numeric"
          isRequired
          rules={{
            validate: (value) =>
              isHours(value) || `Enter a whole number from 0 to ${LONGEST_HOURS}.`,
          }}
        />
        <DialogActions>
          <Button onPress={onClose} isDisabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" isPending={isSubmitting}>
            Create new key
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function isHours(text: string): boolean {
  return /^\d{1,3}$/.test(text.trim()) && Number(text) <= LONGEST_HOURS;
}
