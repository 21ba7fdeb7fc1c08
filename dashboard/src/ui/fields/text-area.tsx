import { type FieldValues, useController } from 'react-hook-form';
import { FieldFrame, type FieldProps, rulesOf, useFieldIds } from './field.tsx';

interface TextAreaProps<V extends FieldValues> extends FieldProps<V> {
  rows?: number;
  maxLength?: number;
  placeholder?: string;
  isCode?: boolean;
}

/** Several lines of text. */
export function TextArea<V extends FieldValues>(props: TextAreaProps<V>) {
  const { control, name, label, description, isRequired, rows = 4 } = props;
  const { field, fieldState } = useController({ control, name, rules: rulesOf(props) });
  const error = fieldState.error?.message;
  const { id, control: aria } = useFieldIds(description !== undefined, error);
  return (
    <FieldFrame {...{ id, label, isRequired, description, error }}>
      <textarea
        {...aria}
        {...field}
        value={field.value ?? ''}
        className={props.isCode ? 'input input-code' : 'input'}
        rows={rows}
        maxLength={props.maxLength}
        placeholder={props.placeholder}
        disabled={props.isDisabled}
        aria-required={isRequired || undefined}
      />
    </FieldFrame>
  );
}
