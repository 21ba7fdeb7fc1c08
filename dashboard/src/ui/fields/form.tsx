import { RecollectError } from '@recollect/sdk';
import type { ReactNode } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { errorText } from '../error-text.ts';
import { Notice } from '../notice.tsx';
import { withoutPence } from './pounds.ts';
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

function sentence(text: string): string {
  const trimmed = withoutPence(text.trim());
  const begun = trimmed.slice(0, 1).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

const isInvalid = (error: unknown): error is RecollectError =>
  error instanceof RecollectError && error.status === 400;

/**
 * Shows the service's errors (`details`: dotted path → problem) at the fields of the form, and those without a field at the top,
 * where `FormErrors` shows them. `aliases` gives the form's field for a path of the API.
 */
export function applyApiError<V extends FieldValues>(
  form: Pick<UseFormReturn<V>, 'setError' | 'getValues'>,
  error: unknown,
  aliases: Readonly<Partial<Record<string, FieldPath<V>>>> = {},
): void {
  // A refusal of another kind has details that its message says already: `limit_exceeded` what is left.
  const details = isInvalid(error) ? Object.entries(error.details ?? {}) : [];
  const others: string[] = [];
  let isFirst = true;
  for (const [path, problem] of details) {
    const name = aliases[path] ?? (path as FieldPath<V>);
    if (form.getValues(name) === undefined) {
      others.push(sentence(`${path} ${problem}`));
      continue;
    }
    form.setError(name, { type: 'server', message: sentence(problem) }, { shouldFocus: isFirst });
    isFirst = false;
  }
  if (details.length > 0 && others.length === 0) return;
  const { title, advice } = errorText(error);
  const message = others.length > 0 ? others.join(' ') : advice;
  form.setError('root.server', {
    type: others.length > 0 ? 'Something went wrong' : title,
    message,
  });
}

/** The errors of the form as a whole. Goes at its top. */
function FormErrors<V extends FieldValues>({ form }: { form: UseFormReturn<V> }) {
  const problem = form.formState.errors.root?.server;
  if (problem === undefined) return null;
  return (
    <Notice tone="danger" title={String(problem.type)}>
      {problem.message}
    </Notice>
  );
}
