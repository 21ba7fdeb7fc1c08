import { useState } from 'react';
import { type Control, useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { AccountFields } from '../../../pages/settings/business/account-fields.tsx';
import { SecretLink } from '../../../pages/settings/team/secret-link.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Form, FormActions } from '../../../ui/fields/form.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { DoneDialog } from '../../../ui/overlays/dialog.tsx';
import { Page } from '../../../ui/page.tsx';
import { Secret } from '../../../ui/values/copy-button.tsx';
import { type NewMerchant, type StartedMerchant, useCreateMerchant } from '../../api/merchants.ts';

const EMPTY: NewMerchant = {
  name: '',
  legal_name: '',
  email: '',
  website: '',
  address: '',
  terms: '',
  settlement_account: { name: '', sort_code: '', account_number: '' },
  owner: { name: '', email: '' },
};
const ACCOUNT = {
  name: 'settlement_account.name',
  sort_code: 'settlement_account.sort_code',
  account_number: 'settlement_account.account_number',
} as const;

function StartedDialog({ started, onClose }: { started: StartedMerchant; onClose: () => void }) {
  const { merchant, api_key, owner } = started;
  return (
    <DoneDialog isOpen onClose={onClose} title={`${merchant.name} is ready`}>
      <p>The first API key, for whoever connects the merchant’s systems:</p>
      <Secret value={api_key} label="Copy key" />
      <Notice tone="warning">This key will not be shown again.</Notice>
      {owner === null ? null : (
        <>
          <p>
            Hand this link to <strong>{owner.email}</strong>. With it they set a password.
          </p>
          <SecretLink url={owner.url} expiresAt={owner.expires_at} />
        </>
      )}
    </DoneDialog>
  );
}

function BusinessFields({ control }: { control: Control<NewMerchant> }) {
  return (
    <>
      <div className="form-row">
        <TextField
          control={control}
          name="name"
          label="Name"
          description="The name their customers know them by."
          isRequired
          maxLength={70}
        />
        <TextField
          control={control}
          name="legal_name"
          label="Legal name"
          description="As registered at Companies House; the name if left empty."
          isRequired={false}
          maxLength={140}
        />
      </div>
      <div className="form-row">
        <TextField
          control={control}
          name="email"
          label="Email address for customers"
          type="email"
          isRequired
        />
        <TextField
          control={control}
          name="website"
          label="Website"
          type="url"
          inputMode="url"
          isRequired
        />
      </div>
      <TextArea
        control={control}
        name="address"
        label="Address"
        rows={3}
        maxLength={500}
        isRequired
      />
      <TextArea
        control={control}
        name="terms"
        label="Terms and conditions"
        description="Plain text, for customers."
        rows={6}
        maxLength={50_000}
        isRequired
        rules={{ required: 'Enter the terms and conditions.' }}
      />
    </>
  );
}

function OwnerFields({ control }: { control: Control<NewMerchant> }) {
  return (
    <div className="form-row">
      <TextField
        control={control}
        name="owner.name"
        label="Owner’s name"
        isRequired={false}
        maxLength={100}
      />
      <TextField
        control={control}
        name="owner.email"
        label="Owner’s email address"
        type="email"
        isRequired={false}
        maxLength={254}
      />
    </div>
  );
}

/** /merchants/new */
export function NewMerchantPage() {
  const create = useCreateMerchant();
  const navigate = useNavigate();
  const [started, setStarted] = useState<StartedMerchant | null>(null);
  const form = useForm<NewMerchant>({ defaultValues: EMPTY });
  const { isSubmitting } = form.formState;
  return (
    <Page title="New merchant" back={{ to: '/merchants', label: 'Merchants' }}>
      <Form
        form={form}
        guardsChanges
        onSubmit={async (values) => {
          const made = await create.mutateAsync(values);
          form.reset(values);
          setStarted(made);
        }}
      >
        <Card title="Business" lead="Customers see these before they give consent.">
          <BusinessFields control={form.control} />
        </Card>
        <Card title="Settlement account" lead="Check every digit: settlements are paid there.">
          <AccountFields control={form.control} names={ACCOUNT} />
        </Card>
        <Card title="First owner" lead="Optional: who lets their team into the dashboard.">
          <OwnerFields control={form.control} />
        </Card>
        <FormActions>
          <Button variant="primary" type="submit" isPending={isSubmitting}>
            Create merchant
          </Button>
        </FormActions>
      </Form>
      {started === null ? null : (
        <StartedDialog
          started={started}
          onClose={() => void navigate(`/merchants/${started.merchant.id}`)}
        />
      )}
    </Page>
  );
}
