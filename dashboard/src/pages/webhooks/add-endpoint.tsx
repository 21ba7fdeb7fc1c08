import type { WebhookEndpointWithSecret } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { useCreateEndpoint } from '../../api/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { EndpointFields, type EndpointValues } from './endpoint-fields.tsx';
import { SUGGESTED_KINDS } from './event-kinds.ts';

interface Props {
  onClose: () => void;
  onMade: (endpoint: WebhookEndpointWithSecret) => void;
}

/** Asks where to send events, and adds the endpoint. */
export function AddEndpoint({ onClose, onMade }: Props) {
  const form = useForm<EndpointValues>({
    defaultValues: { url: '', description: '', event_kinds: SUGGESTED_KINDS },
  });
  const create = useCreateEndpoint();
  const { isSubmitting } = form.formState;
  return (
    <Dialog isOpen onClose={onClose} title="Add an endpoint" size="large" isBusy={isSubmitting}>
      <Form
        form={form}
        onSubmit={async (values) => {
          const endpoint = await create.mutateAsync({ ...values, url: values.url.trim() });
          onClose();
          onMade(endpoint);
        }}
      >
        <EndpointFields control={form.control} />
        <DialogActions>
          <Button onPress={onClose} isDisabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" isPending={isSubmitting}>
            Add the endpoint
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
