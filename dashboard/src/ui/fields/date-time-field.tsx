import { useState } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { useTimeZone } from '../values/time-zone.tsx';
import { fromLocalTime, toLocalTime } from '../values/zoned-time.ts';
import { FieldFrame, type FieldProps, rulesOf, useFieldIds } from './field.tsx';

interface DateTimeFieldProps<V extends FieldValues> extends FieldProps<V> {
  /** `date`: asks for the day only; the value is its first minute. */
  precision?: 'datetime' | 'date';
}

function asInput(value: string | null | undefined, zone: string, isDate: boolean): string {
  if (value === null || value === undefined || value === '') return '';
  const local = toLocalTime(value, zone);
  return isDate ? local.slice(0, 10) : local;
}

/** A moment in the merchant's time zone; the form's value is ISO 8601 in UTC, or null. */
export function DateTimeField<V extends FieldValues>(props: DateTimeFieldProps<V>) {
  const { control, name, label, description, isRequired, precision = 'datetime' } = props;
  const zone = useTimeZone();
  const isDate = precision === 'date';
  const { field, fieldState } = useController({ control, name, rules: rulesOf(props) });
  const [text, setText] = useState<string | null>(null);
  const error = fieldState.error?.message;
  const { id, control: aria } = useFieldIds(true, error);
  const read = (input: string) => fromLocalTime(isDate ? `${input}T00:00` : input, zone);
  const isOwn = text !== null && read(text) === (field.value ?? null);
  return (
    <FieldFrame
      {...{ id, label, isRequired, error }}
      description={description ?? `Time zone: ${zone}`}
    >
      <input
        {...aria}
        name={field.name}
        ref={field.ref}
        className="input"
        type={isDate ? 'date' : 'datetime-local'}
        disabled={props.isDisabled}
        aria-required={isRequired || undefined}
        value={isOwn ? text : asInput(field.value, zone, isDate)}
        onBlur={field.onBlur}
        onChange={(event) => {
          setText(event.target.value);
          field.onChange(read(event.target.value));
        }}
      />
    </FieldFrame>
  );
}
