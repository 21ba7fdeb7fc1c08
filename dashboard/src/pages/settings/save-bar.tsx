import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { FormActions } from '../../ui/form.tsx';

/** For `form.reset`, whose own options keep what is typed when newer values arrive: here they take its place. */
export const CLEAN = { keepDirtyValues: false } as const;

interface SaveBarProps<V extends FieldValues> {
  form: UseFormReturn<V>;
  isLocked: boolean;
  label?: string;
}

/** Save and undo; both rest while there is nothing to save. Nothing for those who may not change it. */
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
