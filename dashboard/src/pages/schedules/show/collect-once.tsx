import type { Schedule } from '@recollect/sdk';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { ScheduleConsent } from '../../../../../server/src/dashboard/schedules/view.ts';
import { useCustomerLabel } from '../../../api/customers.ts';
import { useCollectOnce, useScheduleConsent } from '../../../api/schedules.ts';
import { Button } from '../../../ui/button.tsx';
import { AmountField } from '../../../ui/fields/amount-field.tsx';
import { DateTimeField } from '../../../ui/fields/date-time-field.tsx';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { withAmount } from '../../../ui/values/format-money.ts';
import { formatMoney } from '../../../ui/values/money.tsx';
import { When } from '../../../ui/values/when.tsx';
import { CURRENCY } from '../form/schedule-form.ts';

interface Single {
  amount: { value: number | null };
  due_date: string | null;
  description: string;
}

/** Makes one payment besides the occurrences, within the room that the consent leaves. */
export function CollectOnce({ schedule }: { schedule: Schedule }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Collect once</Button>
      {isOpen ? <CollectDialog schedule={schedule} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function CollectDialog({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const collect = useCollectOnce(schedule.id);
  const form = useForm<Single>({
    defaultValues: { amount: { value: null }, due_date: null, description: '' },
  });
  const { control } = form;
  const pence = useWatch({ control, name: 'amount.value' });
  const customer = useCustomerLabel(schedule.customer.id);
  const submit = async ({ amount, due_date, description }: Single) => {
    const money = { value: amount.value ?? 0, currency: CURRENCY };
    await collect.mutateAsync({
      amount: money,
      ...(due_date === null ? {} : { due_date }),
      ...(description === '' ? {} : { description }),
    });
    const when = due_date === null ? 'being collected' : 'planned';
    toast(`${formatMoney(money)} is ${when}.`, 'success');
  };
  return (
    <FormDialog
      title={`Collect once from ${customer}`}
      form={form}
      onSubmit={submit}
      confirmLabel={withAmount('Collect', pence)}
      cancelLabel="Not now"
      onClose={onClose}
    >
      <p>One payment besides the coming collections. The customer does not have to agree again.</p>
      <RoomLeft scheduleId={schedule.id} />
      <AmountField control={control} name="amount.value" label="Amount" isRequired />
      <DateTimeField control={control} name="due_date" label="Collect on (leave empty for now)" />
      <TextField
        control={control}
        name="description"
        label="What it is for"
        description="Shown to your customer on their payments page."
        maxLength={255}
      />
    </FormDialog>
  );
}

/** What the customer's limits leave now, besides what is planned. */
function RoomLeft({ scheduleId }: { scheduleId: string }) {
  const { data } = useScheduleConsent(scheduleId);
  const limits = data?.agreement?.limits;
  if (limits === undefined) return null;
  const begins = data?.agreement?.begins_at ?? null;
  if (begins !== null)
    return (
      <Notice tone="warning">
        The customer’s consent begins on <When at={begins} as="date" />: nothing can be collected
        before.
      </Notice>
    );
  const pence = Math.min(...limits.map(roomOf));
  return (
    <Notice tone={pence === 0 ? 'warning' : 'info'}>
      The customer’s limits leave {formatMoney({ value: pence, currency: CURRENCY })} now, besides
      the coming collections.
    </Notice>
  );
}

type Limit = NonNullable<ScheduleConsent['agreement']>['limits'][number];

const roomOf = ({ amount, left, planned }: Limit): number =>
  left === null ? amount : Math.max(0, left - (planned ?? 0));
