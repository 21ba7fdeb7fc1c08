import type { ApiKey } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { useChangeAddresses } from '../../api/developers.ts';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { AllowedIps, RANGE_ALIASES, rangesIn } from './allowed-ips.tsx';

interface Props {
  apiKey: ApiKey;
  onClose: () => void;
}

/** Changes the addresses that a key may be used from. */
export function ChangeAddresses({ apiKey, onClose }: Props) {
  const form = useForm({ defaultValues: { allowed_ips: (apiKey.allowed_ips ?? []).join('\n') } });
  const change = useChangeAddresses(apiKey.id);
  return (
    <FormDialog
      onClose={onClose}
      title={`Addresses of “${apiKey.name}”`}
      form={form}
      aliases={RANGE_ALIASES}
      onSubmit={async ({ allowed_ips }) => {
        await change.mutateAsync(rangesIn(allowed_ips));
        toast('Addresses saved.', 'success');
      }}
      confirmLabel="Save"
    >
      <p>
        A request from any other address is refused, and shown here. A change takes effect within
        five seconds.
      </p>
      <AllowedIps control={form.control} name="allowed_ips" />
    </FormDialog>
  );
}
