import type { AmountMode, FrequencyType, NonWorkingDay } from '@recollect/sdk';
import { type Control, type UseFormReturn, useWatch } from 'react-hook-form';
import { AmountField } from '../../../ui/fields/amount-field.tsx';
import { choicesOf } from '../../../ui/fields/choices.ts';
import { DateTimeField } from '../../../ui/fields/date-time-field.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { FREQUENCY_CHOICES, isLong, ordinal, unitOf, WEEKDAYS } from './frequency-words.ts';
import type { ScheduleValues } from './schedule-form.ts';

const FROM_START = { value: '', label: 'Same as the start date' };
const DAYS_OF_WEEK = [
  FROM_START,
  ...WEEKDAYS.map((label, index) => ({ value: String(index + 1), label })),
];
const DAYS_OF_MONTH = [
  FROM_START,
  ...Array.from({ length: 31 }, (_, index) => ({
    value: String(index + 1),
    label: `The ${ordinal(index + 1)}`,
  })),
];

const NON_WORKING_DAYS: Readonly<Record<NonWorkingDay, string>> = {
  same: 'Collect on that day',
  next: 'Collect on the next working day',
  previous: 'Collect on the working day before',
};

const MAX_RETRIES = 10;
const RETRIES = Array.from({ length: MAX_RETRIES + 1 }, (_, count) => ({
  value: String(count),
  label: count === 0 ? 'None' : String(count),
}));

/** The amount, and what it is for. */
export function AmountFields({ control }: { control: Control<ScheduleValues> }) {
  return (
    <>
      <AmountField control={control} name="amount.value" label="Amount" isRequired />
      <TextField
        control={control}
        name="description"
        label="Description"
        description="Your customer sees this when they give consent, and in their bank’s app."
        maxLength={255}
        isRequired
      />
    </>
  );
}

/** What is collected once, as soon as the customer has agreed. */
export function FirstPaymentFields({ control }: { control: Control<ScheduleValues> }) {
  return (
    <div className="form-row">
      <AmountField
        control={control}
        name="first_payment.amount.value"
        label="First payment"
        description="Collected once, as soon as your customer agrees. If empty, there is none."
        isRequired={false}
      />
      <TextField
        control={control}
        name="first_payment.description"
        label="What it is for"
        description="For example a joining fee. Your customer sees this."
        maxLength={255}
        isRequired={false}
      />
    </div>
  );
}

/** The frequency. */
export function FrequencyFields({ form }: { form: UseFormReturn<ScheduleValues> }) {
  const { control } = form;
  const type = useWatch({ control, name: 'frequency.type' });
  const interval = useWatch({ control, name: 'frequency.interval' });
  return (
    <>
      <div className="frequency-row">
        <SelectField
          control={control}
          name="frequency.type"
          label="Frequency"
          options={FREQUENCY_CHOICES}
          rules={{ onChange: (event: TypeChange) => resetDay(form, type, event.target.value) }}
        />
        {type === 'daily' ? null : (
          <SelectField
            control={control}
            name="frequency.day"
            label={type === 'weekly' ? 'Day of the week' : 'Day of the month'}
            options={type === 'weekly' ? DAYS_OF_WEEK : DAYS_OF_MONTH}
            description={isLong(type) ? 'The start date sets the month.' : undefined}
          />
        )}
        <TextField
          control={control}
          name="frequency.interval"
          label="Interval"
          description={intervalWords(interval, unitOf(type))}
          inputMode="numeric"
          maxLength={3}
        />
      </div>
      {type === 'daily' ? null : (
        <SelectField
          control={control}
          name="non_working_day"
          label="On weekends and bank holidays"
          options={choicesOf(NON_WORKING_DAYS)}
        />
      )}
    </>
  );
}

interface TypeChange {
  target: { value: FrequencyType };
}

/** Resets the day to 1 when it changes between a day of the month and a day of the week. */
function resetDay(
  form: UseFormReturn<ScheduleValues>,
  before: FrequencyType,
  after: FrequencyType,
): void {
  if ((before === 'weekly') !== (after === 'weekly')) form.setValue('frequency.day', '1');
}

function intervalWords(interval: string, unit: string): string {
  const count = interval.trim();
  if (!/^[1-9]\d*$/.test(count)) return `Number of ${unit}s between collections`;
  return count === '1' ? `Every ${unit}` : `Every ${count} ${unit}s`;
}

/** The start and end dates; `startFixed` explains why the start can no longer change. */
export function DateFields(props: { control: Control<ScheduleValues>; startFixed?: string }) {
  const { control, startFixed } = props;
  return (
    <div className="form-row">
      <DateTimeField
        control={control}
        name="start_date"
        label="Start"
        description={
          startFixed ??
          'The first collection is on or after this date. If empty, the next matching day at 09:00.'
        }
        isDisabled={startFixed !== undefined}
        isRequired={false}
      />
      <DateTimeField
        control={control}
        name="end_date"
        label="End"
        description="If empty, the schedule has no end date."
        isRequired={false}
      />
    </div>
  );
}

const MODES: Readonly<Record<AmountMode, string>> = {
  fixed: 'The same each time',
  per_occurrence: 'Set for each collection',
};
/** A payment of the largest amount on every day of a year. */
const LARGEST_PERIOD = 100_000_000 * 366;

/** Whether every collection takes the same, and the most that the customer allows. */
export function LimitFields({ control }: { control: Control<ScheduleValues> }) {
  const isSet = useWatch({ control, name: 'amount_mode' }) === 'per_occurrence';
  return (
    <>
      <SelectField
        control={control}
        name="amount_mode"
        label="What is collected"
        description={
          isSet
            ? 'You set the amount of each collection. Collections with no amount are skipped.'
            : 'You can still change or skip single collections.'
        }
        options={choicesOf(MODES)}
      />
      <div className="form-row">
        <AmountField
          control={control}
          name="limits.per_payment.value"
          label="Most per payment"
          description="The customer agrees to this once. Leave empty to match the amount."
          isRequired={false}
        />
        <AmountField
          control={control}
          name="limits.per_period.value"
          label="Most per period"
          description="The period follows from the frequency, such as a month."
          most={LARGEST_PERIOD}
          isRequired={false}
        />
      </div>
    </>
  );
}

/** How often a failed payment is retried automatically. */
export function RetriesField({ control }: { control: Control<ScheduleValues> }) {
  return (
    <SelectField
      control={control}
      name="max_retries"
      label="Retries after a failed payment"
      description="We retry automatically over the following days, and stop before the next collection."
      options={RETRIES}
    />
  );
}

/** What the customer's bank statement shows. */
export function ReferenceField({ control }: { control: Control<ScheduleValues> }) {
  return (
    <TextField
      control={control}
      name="reference"
      label="Reference on their bank statement"
      description="6 to 18 letters, digits and simple signs. Left empty: your statement name and their reference."
      maxLength={18}
      isRequired={false}
    />
  );
}
