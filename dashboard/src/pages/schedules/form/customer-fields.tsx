import { type UseFormReturn, useWatch } from 'react-hook-form';
import { choicesOf } from '../../../ui/fields/choices.ts';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { CustomerPicker } from './customer-picker.tsx';
import type { ScheduleValues } from './schedule-form.ts';

const TYPES: Readonly<Record<ScheduleValues['customer']['type'], string>> = {
  phone: 'Phone number',
  bank_account: 'Bank account',
  user_id: 'Existing customer',
};

/** The customer who pays. An unknown phone number or account creates a new customer. */
export function CustomerFields({ form }: { form: UseFormReturn<ScheduleValues> }) {
  const { control } = form;
  const type = useWatch({ control, name: 'customer.type' });
  return (
    <>
      <div className="form-row">
        <SelectField
          control={control}
          name="customer.type"
          label="Identify customer by"
          options={choicesOf(TYPES)}
          rules={{ onChange: () => form.resetField('customer.value', { defaultValue: '' }) }}
        />
        {type === 'phone' ? (
          <TextField
            control={control}
            name="customer.value"
            label="Phone number"
            description="A UK number, for example 07911 123456, or one in international format."
            type="tel"
            inputMode="tel"
            isRequired
          />
        ) : null}
        {type === 'user_id' ? <CustomerPicker control={control} /> : null}
        {type === 'bank_account' ? <AccountFields form={form} /> : null}
      </div>
      {type === 'user_id' ? null : <DetailsFields form={form} />}
    </>
  );
}

function AccountFields({ form: { control } }: { form: UseFormReturn<ScheduleValues> }) {
  return (
    <>
      <TextField
        control={control}
        name="customer.sort_code"
        label="Sort code"
        placeholder="12-34-56"
        inputMode="numeric"
        maxLength={12}
        isRequired
      />
      <TextField
        control={control}
        name="customer.account_number"
        label="Account number"
        placeholder="12345678"
        inputMode="numeric"
        maxLength={12}
        isRequired
      />
    </>
  );
}

/** What the team knows about the customer; empty fields leave a known customer as they are. */
function DetailsFields({ form: { control } }: { form: UseFormReturn<ScheduleValues> }) {
  return (
    <>
      <div className="form-row">
        <TextField
          control={control}
          name="customer.name"
          label="Name"
          maxLength={140}
          isRequired={false}
        />
        <TextField
          control={control}
          name="customer.email"
          label="Email address"
          type="email"
          maxLength={254}
          isRequired={false}
        />
      </div>
      <TextField
        control={control}
        name="customer.reference"
        label="Your reference"
        description="Your own number or ID for this customer."
        maxLength={100}
        isRequired={false}
      />
    </>
  );
}
