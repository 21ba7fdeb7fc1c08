import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { KeyValue } from '../../../ui/data/key-value.tsx';
import { choicesOf } from '../../../ui/fields/choices.ts';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { type Merchant, useChangeScheme } from '../../api/merchants.ts';
import { ReasonField } from '../../decision-dialog.tsx';
import { For } from '../../session.tsx';

type Scheme = Merchant['scheme'];

const USE_CASES: Readonly<Record<NonNullable<Scheme['use_case']>, string>> = {
  utilities: 'Energy, water, telecoms',
  financial_services: 'Regulated financial services',
  e_money: 'E-money institution',
  government: 'Central or local government',
  charity: 'Charity',
  other: 'Other, by agreement with a bank',
};

const CONTEXTS: Readonly<Record<Scheme['payment_context'], string>> = {
  merchant_initiated: 'On the merchant’s schedule',
  billing_in_advance: 'Billed in advance',
  billing_in_arrears: 'Billed in arrears',
};

const PURPOSES: Readonly<Record<NonNullable<Scheme['purpose_code']>, string>> = {
  SUBS: 'Subscription',
  UBIL: 'Utilities',
  ELEC: 'Electricity',
  GASB: 'Gas',
  WTER: 'Water',
  PHON: 'Telephone',
  NWCM: 'Network communication',
  TELI: 'Telephone-initiated',
  CBTV: 'Cable TV',
  INSU: 'Insurance',
  HLTI: 'Health insurance',
  LIFI: 'Life insurance',
  PPTI: 'Property insurance',
  LOAN: 'Loan',
  CCRD: 'Credit card',
  HLRP: 'Housing loan repayment',
  RENT: 'Rent',
  SAVG: 'Savings',
  INVS: 'Investment',
  PENS: 'Pension',
  TAXS: 'Taxes',
  GOVT: 'Government',
  CHAR: 'Charity',
  EDUC: 'Education',
  GDSV: 'Goods and services',
  SERV: 'Services',
  OTHR: 'Other',
};
type Purpose = keyof typeof PURPOSES;
const purposeWords = (code: Purpose) => `${PURPOSES[code]} (${code})`;

const NOT_SET = 'Not set';
const PURPOSE_CHOICES = [
  { value: '', label: NOT_SET },
  ...(Object.keys(PURPOSES) as Purpose[]).map((value) => ({ value, label: purposeWords(value) })),
];

function SchemeDialog({ merchant, onClose }: { merchant: Merchant; onClose: () => void }) {
  const change = useChangeScheme(merchant.id);
  const { scheme } = merchant;
  const form = useForm({
    defaultValues: {
      use_case: scheme.use_case ?? '',
      category_code: scheme.category_code ?? '',
      payment_context: scheme.payment_context,
      purpose_code: scheme.purpose_code ?? '',
      reason: '',
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Edit scheme details"
      form={form}
      onSubmit={async ({ use_case, category_code, purpose_code, reason, ...rest }) => {
        await change.mutateAsync({
          ...rest,
          use_case: use_case || null,
          category_code: category_code.trim() || null,
          purpose_code: purpose_code || null,
          reason: reason.trim(),
        });
        toast('Saved for new consents.', 'success');
      }}
      confirmLabel="Save"
    >
      <p>New consents carry these details. Existing consents do not change.</p>
      <SelectField
        control={form.control}
        name="use_case"
        label="Use case of commercial VRP"
        description="Kept here; not sent to banks."
        options={choicesOf(USE_CASES, NOT_SET)}
        isRequired={false}
      />
      <TextField
        control={form.control}
        name="category_code"
        label="Merchant category code"
        description="ISO 18245, for example 4899."
        inputMode="numeric"
        maxLength={4}
        isRequired={false}
        rules={{
          validate: (text) => /^(\d{3,4})?$/.test(String(text).trim()) || 'Enter 3 or 4 digits.',
        }}
      />
      <SelectField
        control={form.control}
        name="payment_context"
        label="Payment context"
        options={choicesOf(CONTEXTS)}
      />
      <SelectField
        control={form.control}
        name="purpose_code"
        label="Purpose"
        options={PURPOSE_CHOICES}
        isRequired={false}
      />
      <ReasonField control={form.control} name="reason" />
    </FormDialog>
  );
}

/** What the payment scheme knows of the merchant. */
export function SchemeCard({ merchant }: { merchant: Merchant }) {
  const [isOpen, setOpen] = useState(false);
  const { use_case, category_code, payment_context, purpose_code } = merchant.scheme;
  return (
    <Card
      title="Payment scheme"
      actions={
        <For may="payments">
          <Button size="small" onPress={() => setOpen(true)}>
            Change…
          </Button>
        </For>
      }
    >
      <KeyValue
        items={[
          ['Use case', use_case === null ? 'Not recorded' : USE_CASES[use_case]],
          ['Merchant category code', category_code ?? NOT_SET],
          ['Payment context', CONTEXTS[payment_context]],
          ['Purpose', purpose_code === null ? NOT_SET : purposeWords(purpose_code)],
        ]}
      />
      {isOpen ? <SchemeDialog merchant={merchant} onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}
