import { useState } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { Eye, EyeOff } from '../icons.tsx';
import { FieldFrame, type FieldProps, rulesOf, useFieldIds } from './field.tsx';

interface PasswordFieldProps<V extends FieldValues> extends FieldProps<V> {
  /** `new-password` for choosing one; then its length is checked. */
  autoComplete: 'current-password' | 'new-password';
  autoFocus?: boolean;
}

const SHORTEST = 10;
const TOO_SHORT = `Use at least ${SHORTEST} characters. A few words in a row are easy to remember.`;

/** A password, which can be made visible. */
export function PasswordField<V extends FieldValues>(props: PasswordFieldProps<V>) {
  const { control, name, label, autoComplete } = props;
  const [isShown, setShown] = useState(false);
  const isNew = autoComplete === 'new-password';
  const description =
    props.description ?? (isNew ? `Use at least ${SHORTEST} characters.` : undefined);
  const long = isNew ? { minLength: { value: SHORTEST, message: TOO_SHORT } } : {};
  const { field, fieldState } = useController({
    control,
    name,
    rules: { ...rulesOf({ ...props, isRequired: true }), ...long },
  });
  const error = fieldState.error?.message;
  const { id, control: aria } = useFieldIds(description !== undefined, error);
  return (
    <FieldFrame {...{ id, label, description, error }}>
      <div className="password-group">
        <input
          {...aria}
          {...field}
          value={field.value ?? ''}
          className="input"
          type={isShown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={128}
          aria-required
          // biome-ignore lint/a11y/noAutofocus: only where a page or a dialog is this one question
          autoFocus={props.autoFocus}
        />
        <button
          type="button"
          className="icon-button icon-button-small"
          aria-label={isShown ? 'Hide the password' : 'Show the password'}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
        </button>
      </div>
    </FieldFrame>
  );
}
