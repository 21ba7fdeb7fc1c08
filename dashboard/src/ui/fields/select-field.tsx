import { type FieldValues, useController } from 'react-hook-form';
import { FieldFrame, type FieldProps, rulesOf, useFieldIds } from './field.tsx';

interface SelectFieldProps<V extends FieldValues> extends FieldProps<V> {
  options: readonly { value: string; label: string }[];
  /** Shown first while nothing is chosen. */
  placeholder?: string;
}

/** A choice of a few; the form's value is the option's. */
export function SelectField<V extends FieldValues>(props: SelectFieldProps<V>) {
  const { control, name, label, description, isRequired, options, placeholder } = props;
  const { field, fieldState } = useController({ control, name, rules: rulesOf(props) });
  const error = fieldState.error?.message;
  const { id, control: aria } = useFieldIds(description !== undefined, error);
  return (
    <FieldFrame {...{ id, label, isRequired, description, error }}>
      <select
        {...aria}
        {...field}
        value={field.value ?? ''}
        className="input select"
        disabled={props.isDisabled}
        aria-required={isRequired || undefined}
      >
        {placeholder === undefined ? null : (
          <option value="" disabled={isRequired ?? false}>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
