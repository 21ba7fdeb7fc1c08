import type { ReactNode } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { applyApiError, FormErrors } from './form-errors.tsx';
import { useUnsavedGuard } from './unsaved.ts';

interface FormProps<V extends FieldValues> {
  form: UseFormReturn<V>;
  /** If it throws, `applyApiError` shows the error at the fields. */
  onSubmit: (values: V) => Promise<unknown>;
  /** The form's field for a path of the API, if the names differ. */
  aliases?: Readonly<Partial<Record<string, FieldPath<V>>>>;
  /** Asks before the page is left with changes that are not saved. */
  guardsChanges?: boolean;
  children: ReactNode;
}

/** A form whose errors are shown at its fields, or above them; `form.formState.isSubmitting` while it is submitted. */
export function Form<V extends FieldValues>(props: FormProps<V>) {
  const { form, onSubmit, aliases, guardsChanges = false, children } = props;
  const { isSubmitting } = form.formState;
  useUnsavedGuard(form, guardsChanges);
  const submit = form.handleSubmit(async (values) => {
    try {
      await onSubmit(values);
    } catch (error) {
      applyApiError(form, error, aliases);
    }
  });
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        if (isSubmitting) event.preventDefault();
        else void submit(event);
      }}
    >
      <FormErrors form={form} />
      {children}
    </form>
  );
}

/** The buttons at the bottom of a form. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className="form-actions">{children}</div>;
}
