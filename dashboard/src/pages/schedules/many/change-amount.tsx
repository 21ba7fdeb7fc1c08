import type { ChangeOfSchedules } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { AmountField } from '../../../ui/fields/amount-field.tsx';
import { CheckboxField } from '../../../ui/fields/checkbox-field.tsx';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';

interface AmountForm {
  how: 'percent' | 'same';
  percent: string;
  roundTo: string;
  amount: number | null;
  sendLink: boolean;
}

const HOW = [
  { value: 'percent', label: 'By per cent' },
  { value: 'same', label: 'To the same amount' },
];

const ROUND_TO = [
  { value: '1', label: '1p' },
  { value: '5', label: '5p' },
  { value: '10', label: '10p' },
  { value: '50', label: '50p' },
  { value: '100', label: '£1' },
];

interface ChangeAmountProps {
  title: string;
  onClose: () => void;
  /** Fetches what the change would mean. */
  onPreview: (change: ChangeOfSchedules) => Promise<unknown>;
}

/** Asks how the amount of many schedules changes. */
export function ChangeAmount({ title, onClose, onPreview }: ChangeAmountProps) {
  const form = useForm<AmountForm>({
    defaultValues: { how: 'percent', percent: '', roundTo: '1', amount: null, sendLink: true },
  });
  const { control } = form;
  const isPercent = form.watch('how') === 'percent';
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      form={form}
      aliases={{
        'change.amount.percent': 'percent',
        'change.amount.round_to': 'roundTo',
        'change.amount.value': 'amount',
      }}
      onSubmit={async (values) => {
        await onPreview(changeOf(values));
        return false; // the preview takes the place of this dialog
      }}
      confirmLabel="Preview"
    >
      <SelectField control={control} name="how" label="Change" options={HOW} />
      {isPercent ? (
        <>
          <TextField
            control={control}
            name="percent"
            label="Per cent"
            description="Such as 8, or -2.5 to lower it. It applies to each schedule’s own amount."
            inputMode="text"
            rules={{ validate: (text) => isPercentage(String(text)) || WRONG_PERCENT }}
            autoFocus
          />
          <SelectField control={control} name="roundTo" label="Round to" options={ROUND_TO} />
        </>
      ) : (
        <AmountField control={control} name="amount" label="New amount" isRequired />
      )}
      <CheckboxField
        control={control}
        name="sendLink"
        label="Send customers who must agree again their link"
        description="By email or text message, where we have an address."
      />
    </FormDialog>
  );
}

const WRONG_PERCENT = 'Enter a number from -99 to 100 with at most two decimals, for example 8.';

function isPercentage(text: string): boolean {
  const bare = text.trim().replace(/\s*%$/, '');
  const value = Number(bare);
  return /^[+-]?\d+(\.\d{1,2})?$/.test(bare) && value >= -99 && value <= 100 && value !== 0;
}

function changeOf({ how, percent, roundTo, amount, sendLink }: AmountForm): ChangeOfSchedules {
  const changed =
    how === 'percent'
      ? { percent: Number(percent.trim().replace(/\s*%$/, '')), round_to: Number(roundTo) }
      : { value: amount ?? 0, currency: 'GBP' };
  return { amount: changed, ...(sendLink ? { send_link: true } : {}) };
}
