import type { Merchant } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { useChangeMerchant } from '../../api/merchant.ts';
import { Card } from '../../ui/card.tsx';
import { CheckboxField } from '../../ui/checkbox-field.tsx';
import { Form } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { CLEAN, SaveBar } from './save-bar.tsx';

const WAIT_NOTE =
  'Refunds are paid from your wallet. If it holds too little, a refund waits up to 30 days for the next collections; otherwise it is refused.';

type Refunds = Pick<Merchant, 'refunds_wait'>;

const refundsOf = ({ refunds_wait }: Merchant): Refunds => ({ refunds_wait });

/** Whether refunds wait for money. */
export function RefundsCard({ merchant, isLocked }: { merchant: Merchant; isLocked: boolean }) {
  const change = useChangeMerchant();
  const form = useForm<Refunds>({
    values: refundsOf(merchant),
    resetOptions: { keepDirtyValues: true },
  });
  const save = async (changes: Refunds) => {
    form.reset(refundsOf(await change.mutateAsync(changes)), CLEAN);
    toast('Saved.', 'success');
  };
  return (
    <Card title="Refunds">
      <Form form={form} onSubmit={save} guardsChanges>
        <CheckboxField
          control={form.control}
          name="refunds_wait"
          label="Let refunds wait until your wallet holds enough"
          description={WAIT_NOTE}
          isDisabled={isLocked}
        />
        <SaveBar form={form} isLocked={isLocked} />
      </Form>
    </Card>
  );
}
