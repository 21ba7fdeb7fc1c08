import type { Merchant, MerchantChanges } from '@recollect/sdk';
import { useWatch } from 'react-hook-form';
import { Card } from '../../../ui/card.tsx';
import { Form } from '../../../ui/fields/form.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { SaveBar } from '../frame/save-bar.tsx';
import { useMerchantForm } from './merchant-form.ts';

/** The longest that the service takes. */
const LONGEST = 10;
const NOTE =
  'Up to 10 letters and digits, which your customers recognise. Left empty, it is the first word of your name.';

type Statement = Pick<Merchant, 'statement_name'>;

const statementOf = ({ statement_name }: Merchant): Statement => ({ statement_name });

function changesOf({ statement_name }: Statement): MerchantChanges {
  const name = statement_name.trim();
  return { statement_name: name === '' ? null : name };
}

/** What customers read on their bank statements. */
export function StatementCard({ merchant, isLocked }: { merchant: Merchant; isLocked: boolean }) {
  const { form, save } = useMerchantForm(merchant, statementOf, changesOf);
  const name = useWatch({ control: form.control, name: 'statement_name' }).trim().toUpperCase();
  return (
    <Card
      title="On bank statements"
      lead="The reference of a new schedule, unless you give another: this name, and your reference for the customer."
    >
      <Form form={form} onSubmit={save} guardsChanges>
        <TextField
          control={form.control}
          name="statement_name"
          label="Statement name"
          description={NOTE}
          maxLength={LONGEST}
          isRequired={false}
          isDisabled={isLocked}
        />
        {name === '' ? null : (
          <p className="small">
            Customer C10400 would see <strong>{name} C10400</strong>. Schedules that you have keep
            their references.
          </p>
        )}
        <SaveBar form={form} isLocked={isLocked} />
      </Form>
    </Card>
  );
}
