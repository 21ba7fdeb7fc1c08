import type { WebhookEndpoint } from '@recollect/sdk';
import { useNavigate } from 'react-router';
import { useEndpointActions } from '../../api/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { errorText } from '../../ui/error-text.ts';
import { toast } from '../../ui/overlays/toast.tsx';

/** Sends an `endpoint.test` event and opens the page with its result. */
export function SendTest({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { test } = useEndpointActions(endpoint.id);
  const navigate = useNavigate();
  const send = () =>
    test.mutate(undefined, {
      onSuccess: ({ event_id: id }) => {
        toast('The test event is on its way. This is what comes of it.', 'success');
        void navigate(`/webhooks/events/${id}`);
      },
      onError: (error) => toast(errorText(error).advice, 'danger'),
    });
  return (
    <Button
      variant="secondary"
      isDisabled={endpoint.status === 'disabled'}
      isPending={test.isPending}
      onPress={send}
    >
      Send a test
    </Button>
  );
}
