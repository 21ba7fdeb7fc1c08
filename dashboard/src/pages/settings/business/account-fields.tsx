import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { TextField } from '../../../ui/fields/text-field.tsx';

interface AccountFieldsProps<V extends FieldValues> {
  control: Control<V>;
  /** The form's fields. */
  names: Readonly<Record<'name' | 'sort_code' | 'account_number', FieldPath<V>>>;
}

/** The fields of a bank account to which settlements are paid. */
export function AccountFields<V extends FieldValues>({ control, names }: AccountFieldsProps<V>) {
  return (
    <>
      <TextField
        control={control}
        name={names.name}
        label="Account holder"
        isRequired
        maxLength={70}
      />
      <div className="form-row">
        <TextField
          control={control}
          name={names.sort_code}
          label="Sort code"
          inputMode="numeric"
          isRequired
          rules={{ pattern: { value: /^(\D*\d){6}\D*$/, message: 'A sort code has 6 digits.' } }}
        />
        <TextField
          control={control}
          name={names.account_number}
          label="Account number"
          inputMode="numeric"
          isRequired
          rules={{
            pattern: { value: /^\s*\d{6,8}\s*$/, message: 'An account number has 8 digits.' },
          }}
        />
      </div>
    </>
  );
}
