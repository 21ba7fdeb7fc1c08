import type { WebhookEndpoint } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { useUpdateEndpoint } from '../../api/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Form, FormActions } from '../../ui/fields/form.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { EndpointFields, type EndpointValues } from './endpoint-fields.tsx';
import { subscribedKinds } from './event-kinds.ts';

function valuesOf({ url, description, event_kinds: kinds }: WebhookEndpoint): EndpointValues {
  return { url, description, event_kinds: subscribedKinds(kinds) };
}

/** Changes an endpoint's address, name and events. */
export function EditEndpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const form = useForm<EndpointValues>({ defaultValues: valuesOf(endpoint) });
  const update = useUpdateEndpoint(endpoint.id);
  const { isSubmitting, isDirty } = form.formState;
  return (
    <Card title="Address and events">
      <Form
        form={form}
        onSubmit={async (values) => {
          const changed = await update.mutateAsync({ ...values, url: values.url.trim() });
          form.reset(valuesOf(changed));
          toast('Saved.', 'success');
        }}
      >
        <EndpointFields control={form.control} subscribed={endpoint.event_kinds} />
        <FormActions>
          <Button type="submit" variant="primary" isPending={isSubmitting} isDisabled={!isDirty}>
            Save changes
          </Button>
          {isDirty ? (
            <Button variant="ghost" onPress={() => form.reset()} isDisabled={isSubmitting}>
              Discard changes
            </Button>
          ) : null}
        </FormActions>
      </Form>
    </Card>
  );
}
