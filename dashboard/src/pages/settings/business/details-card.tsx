import type { Merchant } from '@recollect/sdk';
import { type Control, useWatch } from 'react-hook-form';
import { Card } from '../../../ui/card.tsx';
import { Form } from '../../../ui/fields/form.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { SaveBar } from '../frame/save-bar.tsx';
import { CustomerPreview, type Details } from './customer-preview.tsx';
import { useMerchantForm } from './merchant-form.ts';

const SAVED = 'Business details saved.';

function detailsOf({ name, legal_name, email, website, address, terms }: Merchant): Details {
  return { name, legal_name, email, website, address, terms };
}

interface DetailsCardProps {
  merchant: Merchant;
  isLocked: boolean;
}

/** Business details and terms, beside a preview of what customers see. */
export function DetailsCard({ merchant, isLocked }: DetailsCardProps) {
  const { form, save } = useMerchantForm(merchant, detailsOf, (changes) => changes, SAVED);
  return (
    <div className="split">
      <Card
        title="Business details"
        lead="Customers see these before they give consent, and whenever they look back at what they agreed to."
      >
        <Form form={form} onSubmit={save} guardsChanges>
          <Fields control={form.control} isLocked={isLocked} />
          <SaveBar form={form} isLocked={isLocked} />
        </Form>
      </Card>
      <LivePreview control={form.control} />
    </div>
  );
}

function LivePreview({ control }: { control: Control<Details> }) {
  const details = useWatch({ control });
  return <CustomerPreview details={details} />;
}

function Fields({ control, isLocked }: { control: Control<Details>; isLocked: boolean }) {
  const shared = { control, isDisabled: isLocked };
  return (
    <>
      <div className="form-row">
        <TextField
          {...shared}
          name="name"
          label="Name"
          description="The name your customers know you by."
          isRequired
          maxLength={70}
        />
        <TextField
          {...shared}
          name="legal_name"
          label="Legal name"
          description="As registered at Companies House."
          maxLength={140}
        />
      </div>
      <div className="form-row">
        <TextField {...shared} name="email" label="Email address for customers" type="email" />
        <TextField {...shared} name="website" label="Website" type="url" inputMode="url" />
      </div>
      <TextArea {...shared} name="address" label="Address" rows={3} maxLength={500} />
      <TextArea
        {...shared}
        name="terms"
        label="Terms and conditions"
        description="Plain text. Changes apply to customers who give consent from now on."
        rows={8}
        maxLength={50_000}
      />
    </>
  );
}
