import type { Occurrence, Schedule } from '@recollect/sdk';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useChangeUpcoming } from '../../../api/schedules.ts';
import { AmountField } from '../../../ui/fields/amount-field.tsx';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { withAmount } from '../../../ui/values/format-money.ts';
import { formatMoney } from '../../../ui/values/money.tsx';
import { useTimeZone } from '../../../ui/values/time-zone.tsx';
import { formatWhen, When } from '../../../ui/values/when.tsx';
import { CURRENCY } from '../form/schedule-form.ts';

interface ChangeUpcomingProps {
  schedule: Schedule;
  one: Occurrence;
}

type Step = 'amount' | 'skip' | 'restore';

/** The actions on an upcoming occurrence: change what it collects, skip it, take that back. */
export function ChangeUpcoming({ schedule, one }: ChangeUpcomingProps) {
  const [step, setStep] = useState<Step | null>(null);
  const date = formatWhen(one.due_date, useTimeZone(), 'date');
  const items = [
    { label: 'Change amount', onAction: () => setStep('amount') },
    ...(one.skipped ? [] : [{ label: 'Skip', onAction: () => setStep('skip') }]),
    ...(one.changed ? [{ label: 'Undo', onAction: () => setStep('restore') }] : []),
  ];
  const close = () => setStep(null);
  return (
    <>
      <Menu label={`Actions for ${date}`} items={items} />
      {step === 'amount' ? <AmountDialog schedule={schedule} one={one} onClose={close} /> : null}
      <Confirm schedule={schedule} one={one} step={step} onClose={close} />
    </>
  );
}

function AmountDialog({ schedule, one, onClose }: ChangeUpcomingProps & { onClose: () => void }) {
  const change = useChangeUpcoming(schedule.id);
  const form = useForm({ defaultValues: { amount: { value: one.amount?.value ?? null } } });
  const pence = useWatch({ control: form.control, name: 'amount.value' });
  const submit = async ({ amount }: { amount: { value: number | null } }) => {
    const money = { value: amount.value ?? 0, currency: CURRENCY };
    await change.mutateAsync({ dueDate: one.due_date, change: { amount: money } });
    toast(`${formatMoney(money)} will be collected.`, 'success');
  };
  return (
    <FormDialog
      title="Change amount"
      size="small"
      form={form}
      onSubmit={submit}
      confirmLabel={withAmount('Collect', pence)}
      cancelLabel="Not now"
      onClose={onClose}
    >
      <p>
        What we collect on <When at={one.due_date} as="datetime" />. The others stay as they are.
        The customer allows up to {formatMoney(schedule.limits.per_payment)} per payment.
      </p>
      <AmountField control={form.control} name="amount.value" label="Amount" isRequired />
    </FormDialog>
  );
}

interface ConfirmProps extends ChangeUpcomingProps {
  step: Step | null;
  onClose: () => void;
}

function Confirm({ schedule, one, step, onClose }: ConfirmProps) {
  const change = useChangeUpcoming(schedule.id);
  const date = formatWhen(one.due_date, useTimeZone(), 'date');
  const isOpen = step === 'skip' || step === 'restore';
  // The text stays while the dialog closes.
  const [isSkip, setSkip] = useState(true);
  if (isOpen && isSkip !== (step === 'skip')) setSkip(step === 'skip');
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={isSkip ? `Skip the collection of ${date}?` : `Undo the change to ${date}?`}
      confirmLabel={isSkip ? withAmount('Skip', one.amount?.value ?? null) : 'Undo change'}
      cancelLabel="Go back"
      tone="primary"
      onConfirm={async () => {
        const dueDate = one.due_date;
        await change.mutateAsync({ dueDate, change: isSkip ? { skip: true } : null });
        toast(isSkip ? 'The collection is skipped.' : 'Change undone.', 'success');
      }}
    >
      {isSkip ? (
        <p>
          Nothing is collected on <When at={one.due_date} as="datetime" />, and it is not collected
          later. You can take this back until then.
        </p>
      ) : (
        <p>
          The collection on <When at={one.due_date} as="datetime" /> is as usual again.
        </p>
      )}
    </ConfirmDialog>
  );
}
