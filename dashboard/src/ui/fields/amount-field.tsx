import { useState } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { formatMoney } from '../values/money.tsx';
import { FieldFrame, type FieldProps, useFieldIds } from './field.tsx';
import { formatPounds, parsePounds } from './pounds.ts';

interface AmountFieldProps<V extends FieldValues> extends FieldProps<V> {
  placeholder?: string;
  /** Zero is a valid amount. */
  allowsZero?: boolean;
  /** The largest amount, in pence: a bank transfer's, unless said otherwise. */
  most?: number;
}

/** Faster Payments carries no more than £1,000,000.00: docs/rules/wallets-and-money.md#amounts. */
const LARGEST_TRANSFER = 100_000_000;

type Bounds = Pick<AmountFieldProps<FieldValues>, 'isRequired' | 'allowsZero' | 'most'>;

function wrongAmount(text: string, props: Bounds): string | null {
  if (text.trim() === '') return props.isRequired ? 'Enter an amount, for example 49.99.' : null;
  const pence = parsePounds(text);
  if (pence === null) return 'Enter pounds and pence, for example 49.99.';
  if (pence === 0 && !props.allowsZero) return 'Enter an amount greater than zero.';
  const { most = LARGEST_TRANSFER } = props;
  return pence > most ? `Enter ${formatMoney({ value: most, currency: 'GBP' })} or less.` : null;
}

/** An amount in pounds; the form's value is integer pence, or null. */
export function AmountField<V extends FieldValues>(props: AmountFieldProps<V>) {
  const { control, name, label, description, isRequired } = props;
  const [text, setText] = useState<string | null>(null);
  const shown = (value: number | null | undefined): string => {
    const isOwn = text !== null && parsePounds(text) === (value ?? null);
    if (isOwn) return text;
    return value === null || value === undefined ? '' : formatPounds(value);
  };
  const { field, fieldState } = useController({
    control,
    name,
    rules: { validate: (value) => wrongAmount(shown(value), props) ?? true, ...props.rules },
  });
  const error = fieldState.error?.message;
  const { id, control: aria } = useFieldIds(description !== undefined, error);
  return (
    <FieldFrame {...{ id, label, isRequired, description, error }}>
      <div className="input-group">
        <span aria-hidden="true">£</span>
        <input
          {...aria}
          name={field.name}
          ref={field.ref}
          className="input money"
          inputMode="decimal"
          autoComplete="off"
          placeholder={props.placeholder ?? '0.00'}
          disabled={props.isDisabled}
          aria-required={isRequired || undefined}
          value={shown(field.value)}
          onChange={(event) => {
            setText(event.target.value);
            field.onChange(parsePounds(event.target.value));
          }}
          onBlur={() => {
            if (text !== null && parsePounds(text) !== null) setText(null);
            field.onBlur();
          }}
        />
      </div>
    </FieldFrame>
  );
}
