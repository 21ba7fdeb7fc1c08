import type { WebhookEndpointWithSecret } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { useCreateEndpoint } from '../../api/webhooks.ts';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
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
  return (
    <FormDialog
      onClose={onClose}
      title="Add an endpoint"
      size="large"
      form={form}
      onSubmit={async (values) => {
        const endpoint = await create.mutateAsync({ ...values, url: values.url.trim() });
        onMade(endpoint);
      }}
      confirmLabel="Add the endpoint"
    >
      <EndpointFields control={form.control} />
    </FormDialog>
  );
}
