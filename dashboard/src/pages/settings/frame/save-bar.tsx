import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { FormActions } from '../../../ui/fields/form.tsx';

/** For `form.reset`: by default the form keeps edited values when newer ones arrive; here the newer ones replace them. */
export const CLEAN = { keepDirtyValues: false } as const;

interface SaveBarProps<V extends FieldValues> {
  form: UseFormReturn<V>;
  isLocked: boolean;
  label?: string;
}

/** Save and undo, both disabled while there is nothing to save. Hidden without the permission. */
export function SaveBar<V extends FieldValues>({ form, isLocked, label }: SaveBarProps<V>) {
  const { isDirty, isSubmitting } = form.formState;
  if (isLocked) return null;
  return (
    <FormActions>
      <Button variant="primary" type="submit" isPending={isSubmitting} isDisabled={!isDirty}>
        {label ?? 'Save'}
      </Button>
      {isDirty ? (
        <Button
          variant="ghost"
          onPress={() => form.reset(undefined, CLEAN)}
          isDisabled={isSubmitting}
        >
          Discard changes
        </Button>
      ) : null}
    </FormActions>
  );
}
