import type { HTMLInputAutoCompleteAttribute, HTMLInputTypeAttribute } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { FieldFrame, type FieldProps, rulesOf, useFieldIds } from './field.tsx';

interface TextFieldProps<V extends FieldValues> extends FieldProps<V> {
  type?: HTMLInputTypeAttribute;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  inputMode?: 'text' | 'numeric' | 'decimal' | 'tel' | 'email' | 'url';
  placeholder?: string;
  maxLength?: number;
  /** For figures and codes: all characters of equal width. */
  isCode?: boolean;
  autoFocus?: boolean;
}

/** A line of text. `isRequired={false}` marks it as optional. */
export function TextField<V extends FieldValues>(props: TextFieldProps<V>) {
  const { control, name, label, description, isRequired } = props;
  const { field, fieldState } = useController({ control, name, rules: rulesOf(props) });
  const error = fieldState.error?.message;
  const { id, control: aria } = useFieldIds(description !== undefined, error);
  return (
    <FieldFrame {...{ id, label, isRequired, description, error }}>
      <input
        {...aria}
        {...field}
        value={field.value ?? ''}
        className={props.isCode ? 'input input-code' : 'input'}
        type={props.type ?? 'text'}
        autoComplete={props.autoComplete ?? 'off'}
        inputMode={props.inputMode}
        placeholder={props.placeholder}
        maxLength={props.maxLength}
        disabled={props.isDisabled}
        aria-required={isRequired || undefined}
        // biome-ignore lint/a11y/noAutofocus: only where a page or a dialog is this one question
        autoFocus={props.autoFocus}
      />
    </FieldFrame>
  );
}
