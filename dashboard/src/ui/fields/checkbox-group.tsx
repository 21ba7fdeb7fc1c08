import { useId } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { breakable } from '../values/breakable.tsx';
import { withSwitched } from './choices.ts';
import { FieldError, type FieldProps, rulesOf } from './field.tsx';

interface CheckboxGroupProps<V extends FieldValues> extends FieldProps<V> {
  options: readonly { value: string; label: string; description?: string }[];
}

/** A selection of several; the form's value is the chosen values, in the order of the options, then those without an option. */
export function CheckboxGroup<V extends FieldValues>(props: CheckboxGroupProps<V>) {
  const { control, name, label, description, options } = props;
  const { field, fieldState } = useController({ control, name, rules: rulesOf(props) });
  const id = useId();
  const error = fieldState.error?.message;
  const chosen = (field.value as readonly string[] | undefined) ?? [];
  const offered = options.map(({ value }) => value);
  return (
    <fieldset
      className="field"
      aria-describedby={error === undefined ? undefined : `${id}-error`}
      disabled={props.isDisabled}
    >
      <legend className="field-label">{label}</legend>
      {description === undefined ? null : <p className="field-description">{description}</p>}
      <div className="choices">
        {options.map((option, place) => (
          <div key={option.value} className="choice">
            <input
              type="checkbox"
              id={`${id}-${option.value}`}
              name={field.name}
              ref={place === 0 ? field.ref : undefined}
              checked={chosen.includes(option.value)}
              onBlur={field.onBlur}
              onChange={({ target }) =>
                field.onChange(withSwitched(offered, chosen, option.value, target.checked))
              }
            />
            <div>
              <label htmlFor={`${id}-${option.value}`}>{breakable(option.label)}</label>
              {option.description === undefined ? null : (
                <p className="field-description">{option.description}</p>
              )}
            </div>
          </div>
        ))}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  );
}
