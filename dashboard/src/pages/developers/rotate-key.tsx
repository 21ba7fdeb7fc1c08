import type { ApiKey, NewApiKey } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { useRotateKey } from '../../api/developers.ts';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';

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
  return (
    <FormDialog
      onClose={onClose}
      title={`Rotate “${apiKey.name}”`}
      form={form}
      onSubmit={async ({ overlap_hours: hours }) => {
        const key = await rotate.mutateAsync({ overlap_hours: Number(hours) });
        onMade(key);
      }}
      confirmLabel="Create new key"
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
          validate: (value) => isHours(value) || `Enter a whole number from 0 to ${LONGEST_HOURS}.`,
        }}
      />
    </FormDialog>
  );
}

function isHours(text: string): boolean {
  return /^\d{1,3}$/.test(text.trim()) && Number(text) <= LONGEST_HOURS;
}
