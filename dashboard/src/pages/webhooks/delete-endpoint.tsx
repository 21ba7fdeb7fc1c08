import type { WebhookEndpoint } from '@recollect/sdk';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useEndpointActions } from '../../api/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../ui/overlays/toast.tsx';

/** Deletes an endpoint, after confirmation. */
export function DeleteEndpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [isAsking, setAsking] = useState(false);
  const { remove } = useEndpointActions(endpoint.id);
  const navigate = useNavigate();
  return (
    <Card
      title="Delete this endpoint"
      lead="To stop deliveries for a while, disable it instead: no events are lost."
      actions={
        <Button variant="danger" onPress={() => setAsking(true)}>
          Delete
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Delete this endpoint?"
        confirmLabel="Delete endpoint"
        onConfirm={async () => {
          await remove.mutateAsync();
          toast('Endpoint deleted.', 'success');
          void navigate('/webhooks', { replace: true });
        }}
      >
        <p>
          {endpoint.url} will receive no more events, and its secret is deleted. Pending deliveries
          to it fail{endpoint.held === 0 ? '' : `, including the ${endpoint.held} on hold`}. The
          events stay in the log.
        </p>
      </ConfirmDialog>
    </Card>
  );
}
