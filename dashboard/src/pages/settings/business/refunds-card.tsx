import type { Merchant } from '@recollect/sdk';
import { Card } from '../../../ui/card.tsx';
import { CheckboxField } from '../../../ui/fields/checkbox-field.tsx';
import { Form } from '../../../ui/fields/form.tsx';
import { SaveBar } from '../frame/save-bar.tsx';
import { useMerchantForm } from './merchant-form.ts';

const WAIT_NOTE =
  'Refunds are paid from your wallet. If it holds too little, a refund waits up to 30 days for the next collections; otherwise it is refused.';

type Refunds = Pick<Merchant, 'refunds_wait'>;

const refundsOf = ({ refunds_wait }: Merchant): Refunds => ({ refunds_wait });

/** Whether refunds wait for money. */
export function RefundsCard({ merchant, isLocked }: { merchant: Merchant; isLocked: boolean }) {
  const { form, save } = useMerchantForm(merchant, refundsOf, (changes) => changes);
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
