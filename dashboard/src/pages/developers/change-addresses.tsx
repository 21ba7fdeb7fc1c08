import type { ApiKey } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { useChangeAddresses } from '../../api/developers.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { AllowedIps, RANGE_ALIASES, rangesIn } from './allowed-ips.tsx';

interface Props {
  apiKey: ApiKey;
  onClose: () => void;
}

/** Changes the addresses that a key may be used from. */
export function ChangeAddresses({ apiKey, onClose }: Props) {
  const form = useForm({ defaultValues: { allowed_ips: (apiKey.allowed_ips ?? []).join('\n') } });
  const change = useChangeAddresses(apiKey.id);
  const { isSubmitting } = form.formState;
  return (
    <Dialog isOpen onClose={onClose} title={`Addresses of “${apiKey.name}”`} isBusy={isSubmitting}>
      <Form
        form={form}
        aliases={RANGE_ALIASES}
        onSubmit={async ({ allowed_ips }) => {
          await change.mutateAsync(rangesIn(allowed_ips));
          toast('Addresses saved.', 'success');
          onClose();
        }}
      >
        <p>
          A request from any other address is refused, and shown here. A change takes effect within
          five seconds.
        </p>
        <AllowedIps control={form.control} name="allowed_ips" />
        <DialogActions>
          <Button onPress={onClose} isDisabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" isPending={isSubmitting}>
            Save
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
