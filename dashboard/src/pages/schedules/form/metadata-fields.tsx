import { type Control, useFieldArray, useFormState } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Plus, Trash2 } from '../../../ui/icons.tsx';
import type { ScheduleValues } from './schedule-form.ts';

/** The merchant's own data, row by row. */
export function MetadataFields({ control }: { control: Control<ScheduleValues> }) {
  const { fields, append, remove } = useFieldArray({ control, name: 'metadata' });
  const { errors } = useFormState({ control });
  const problem = errors.metadata?.message ?? errors.metadata?.root?.message;
  return (
    <fieldset className="metadata-fields">
      <legend className="field-label">
        Metadata <span className="field-optional">(optional)</span>
      </legend>
      <p className="field-description">
        Your own data, for example an order number. The API returns it with the schedule; customers
        do not see it.
      </p>
      {fields.map((field, index) => (
        <div key={field.id} className="metadata-row">
          <TextField control={control} name={`metadata.${index}.key`} label="Key" maxLength={128} />
          <TextField control={control} name={`metadata.${index}.value`} label="Value" />
          <Button
            variant="ghost"
            aria-label={`Remove row ${index + 1}`}
            onPress={() => remove(index)}
          >
            <Trash2 aria-hidden="true" />
          </Button>
        </div>
      ))}
      {problem === undefined ? null : <p className="field-error">{problem}</p>}
      <div>
        <Button size="small" onPress={() => append({ key: '', value: '' })}>
          <Plus aria-hidden="true" /> Add a row
        </Button>
      </div>
    </fieldset>
  );
}
