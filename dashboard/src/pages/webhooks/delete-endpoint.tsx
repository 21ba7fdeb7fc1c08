import type { WebhookEndpoint } from '@recollect/sdk';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useEndpointActions } from '../../api/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';

/** Deletes an endpoint, once that was confirmed. */
export function DeleteEndpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [isAsking, setAsking] = useState(false);
  const { remove } = useEndpointActions(endpoint.id);
  const navigate = useNavigate();
  return (
    <Card
      title="Delete this endpoint"
      lead="To stop it for a while, disable it instead: nothing is lost then."
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
        confirmLabel="Delete the endpoint"
        onConfirm={async () => {
          await remove.mutateAsync();
          toast('The endpoint is deleted.', 'success');
          void navigate('/webhooks', { replace: true });
        }}
      >
        <p>
          {endpoint.url} gets no event any more, and its secret is gone for good. Deliveries that
          still wait for it fail{endpoint.held === 0 ? '' : `, the ${endpoint.held} held ones too`}.
          The events themselves stay in the log.
        </p>
      </ConfirmDialog>
    </Card>
  );
}
