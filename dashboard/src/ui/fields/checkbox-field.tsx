import { type FieldValues, useController } from 'react-hook-form';
import { FieldError, type FieldProps, rulesOf, useFieldIds } from './field.tsx';

/** Yes or no; the form's value is a boolean. */
export function CheckboxField<V extends FieldValues>(props: FieldProps<V>) {
  const { control, name, label, description } = props;
  const { field, fieldState } = useController({ control, name, rules: rulesOf(props) });
  const error = fieldState.error?.message;
  const { id, control: aria } = useFieldIds(description !== undefined, error);
  return (
    <div className="field">
      <div className="choice">
        <input
          {...aria}
          type="checkbox"
          name={field.name}
          ref={field.ref}
          checked={field.value === true}
          disabled={props.isDisabled}
          onBlur={field.onBlur}
          onChange={(event) => field.onChange(event.target.checked)}
        />
        <div>
          <label htmlFor={id}>{label}</label>
          {description === undefined ? null : (
            <p id={`${id}-description`} className="field-description">
              {description}
            </p>
          )}
        </div>
      </div>
      <FieldError id={id} error={error} />
    </div>
  );
}
