import type { KeyLimitsInput } from '@recollect/sdk';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { AmountField } from '../../ui/fields/amount-field.tsx';

/** The limits of a key in a form, in pence. */
export interface LimitValues {
  per_act: number | null;
  per_day: number | null;
}

const MOST_A_DAY = 10_000_000_000;

/** The forms' fields by the names of the service. */
export const LIMIT_ALIASES = {
  'limits.per_act_pence': 'per_act',
  'limits.per_day_pence': 'per_day',
} as const;

/** Returns the limits as they are sent. */
export const limitsIn = ({ per_act: act, per_day: day }: LimitValues): KeyLimitsInput => ({
  per_act_pence: act ?? 0,
  per_day_pence: day ?? 0,
});

/** Asks what a key may do on its own. */
export function LimitFields<V extends FieldValues & LimitValues>({
  control,
}: {
  control: Control<V>;
}) {
  return (
    <>
      <AmountField
        control={control}
        name={'per_act' as FieldPath<V>}
        label="Most for one act"
        description="A payment, a refund, or a collection of a schedule. Above it, one of you is asked; £0.00 asks every time."
        most={MOST_A_DAY}
        allowsZero
        isRequired
      />
      <AmountField
        control={control}
        name={'per_day' as FieldPath<V>}
        label="Most for a day"
        description="All acts of a day together."
        most={MOST_A_DAY}
        allowsZero
        isRequired
      />
    </>
  );
}
