import type { Merchant, MerchantChanges } from '@recollect/sdk';
import { Card } from '../../../ui/card.tsx';
import { CheckboxField } from '../../../ui/fields/checkbox-field.tsx';
import { Form } from '../../../ui/fields/form.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { SaveBar } from '../frame/save-bar.tsx';
import { useMerchantForm } from './merchant-form.ts';

const RETURN_NOTE =
  'Where customers go after they decide, with schedule_id and status added. Without one, they stay on our confirmation page.';
const REUSE_NOTE =
  'If the customer has already given a consent whose limits cover the new schedule, it starts immediately and the customer is not asked again.';

interface Journey {
  return_url: string;
  reuse_consent: boolean;
}

function journeyOf({ return_url, reuse_consent }: Merchant): Journey {
  return { return_url: return_url ?? '', reuse_consent };
}

function changesOf({ return_url, reuse_consent }: Journey): MerchantChanges {
  const address = return_url.trim();
  return { return_url: address === '' ? null : address, reuse_consent };
}

/** Where customers are sent after their decision, and whether consents are reused. */
export function JourneyCard({ merchant, isLocked }: { merchant: Merchant; isLocked: boolean }) {
  const { form, save } = useMerchantForm(merchant, journeyOf, changesOf);
  return (
    <Card title="Customer journey">
      <Form form={form} onSubmit={save} guardsChanges>
        <TextField
          control={form.control}
          name="return_url"
          label="Return URL"
          description={RETURN_NOTE}
          type="url"
          inputMode="url"
          placeholder="https://"
          isRequired={false}
          isDisabled={isLocked}
        />
        <CheckboxField
          control={form.control}
          name="reuse_consent"
          label="Start new schedules immediately when an existing consent covers them"
          description={REUSE_NOTE}
          isDisabled={isLocked}
        />
        <SaveBar form={form} isLocked={isLocked} />
      </Form>
    </Card>
  );
}
