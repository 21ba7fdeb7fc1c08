import { type Control, useForm, useWatch } from 'react-hook-form';
import { type NewSso, type Sso, useChangeSso, useRemoveSso } from '../../../api/people/sso.ts';
import { BRAND } from '../../../ui/brand.tsx';
import { CheckboxField } from '../../../ui/fields/checkbox-field.tsx';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { ProofDialog } from '../proof/proof-dialog.tsx';
import { CodeField, type ProofValues, proofOf } from '../proof/proof-fields.tsx';
import { YourPassword } from '../proof/your-password.tsx';
import { CopiedText } from './copied-text.tsx';

interface DialogProps {
  sso: Sso;
  onClose: () => void;
}

interface Values extends ProofValues {
  issuer: string;
  client_id: string;
  client_secret: string;
  is_required: boolean;
}

const valuesOf = ({ provider }: Sso): Values => ({
  issuer: provider?.issuer ?? '',
  client_id: provider?.client_id ?? '',
  client_secret: '',
  is_required: provider?.is_required ?? false,
  password: '',
  code: '',
});

const toNewSso = (values: Values): NewSso => ({
  issuer: values.issuer.trim(),
  client_id: values.client_id.trim(),
  ...(values.client_secret === '' ? {} : { client_secret: values.client_secret }),
  is_required: values.is_required,
});

function requirementNote({ has_second_factor, linked_members }: Sso): string {
  if (!has_second_factor)
    return 'Set up two-factor sign-in for yourself first, under Your security.';
  if (linked_members === 0)
    return 'Save, sign in with it once to see that it works, then require it.';
  return 'Owners can still sign in with their password and a code, so nobody is locked out.';
}

function ProviderFields({ control, sso }: { control: Control<Values>; sso: Sso }) {
  const [issuer, clientId] = useWatch({ control, name: ['issuer', 'client_id'] });
  const { provider } = sso;
  const isSame = provider?.issuer === issuer.trim() && provider.client_id === clientId.trim();
  const mayRequire = sso.has_second_factor && sso.linked_members > 0 && isSame;
  return (
    <>
      <TextField
        control={control}
        name="issuer"
        label="Issuer"
        description="The address of your provider, such as https://login.example.com."
        inputMode="url"
        rules={{ required: 'Enter the issuer.' }}
      />
      <TextField
        control={control}
        name="client_id"
        label="Client ID"
        rules={{ required: 'Enter the client ID.' }}
      />
      <TextField
        control={control}
        name="client_secret"
        label="Client secret"
        type="password"
        description={isSame ? 'Leave empty to keep the current one.' : undefined}
        isRequired={!isSame}
        rules={isSame ? {} : { required: 'Enter the client secret.' }}
      />
      <CheckboxField
        control={control}
        name="is_required"
        label="Require single sign-on"
        description={requirementNote(sso)}
        isRequired={false}
        isDisabled={!(mayRequire || provider?.is_required === true)}
      />
    </>
  );
}

/** Registers the identity provider, or changes the registration. */
export function SsoDialog({ sso, onClose }: DialogProps) {
  const change = useChangeSso();
  const form = useForm<Values>({ defaultValues: valuesOf(sso) });
  const isNew = sso.provider === null;
  return (
    <FormDialog
      onClose={onClose}
      title={isNew ? 'Set up single sign-on' : 'Change single sign-on'}
      form={form}
      onSubmit={async (values) => {
        await change.mutateAsync({ ...toNewSso(values), ...proofOf(values) });
        toast('Single sign-on saved.', 'success');
      }}
      confirmLabel="Save"
    >
      <p>
        Register {BRAND} with your provider, as a web application with this redirect URI. The
        provider must send <code>email</code> and <code>email_verified</code>.
      </p>
      <CopiedText value={sso.redirect_uri} label="Copy the redirect URI" />
      <ProviderFields control={form.control} sso={sso} />
      <YourPassword control={form.control} name="password" />
      {sso.has_second_factor ? <CodeField control={form.control} name="code" /> : null}
    </FormDialog>
  );
}

/** Ends single sign-on. */
export function RemoveSsoDialog({ sso, onClose }: DialogProps) {
  const remove = useRemoveSso();
  return (
    <ProofDialog
      onClose={onClose}
      title="Turn off single sign-on?"
      withCode={sso.has_second_factor}
      onProof={async (proof) => {
        await remove.mutateAsync(proof);
        toast('Single sign-on is off.', 'success');
      }}
      confirmLabel="Turn off single sign-on"
      tone="danger"
    >
      <p>
        Whoever signed in with it is signed out. Members without a password need a link to set one:
        create it in the list of members.
      </p>
    </ProofDialog>
  );
}
