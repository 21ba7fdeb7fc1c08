import type { WebhookEndpoint } from '@recollect/sdk';
import { useState } from 'react';
import { useUpdateEndpoint } from '../../api/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { errorText } from '../../ui/error-text.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../ui/overlays/toast.tsx';

/** Disables an endpoint, after confirmation, or enables it. */
export function EnableSwitch({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [isAsking, setAsking] = useState(false);
  const update = useUpdateEndpoint(endpoint.id);
  const enable = () =>
    update.mutate(
      { status: 'enabled' },
      {
        onSuccess: ({ held }) =>
          toast(
            held === 0
              ? 'Enabled: new events are sent to it.'
              : `Enabled. ${held} events on hold can be replayed.`,
            'success',
          ),
        onError: (error) => toast(errorText(error).advice, 'danger'),
      },
    );
  if (endpoint.status === 'disabled')
    return (
      <Button variant="primary" isPending={update.isPending} onPress={enable}>
        Enable
      </Button>
    );
  return (
    <>
      <Button onPress={() => setAsking(true)}>Disable</Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Disable this endpoint?"
        confirmLabel="Disable endpoint"
        onConfirm={async () => {
          await update.mutateAsync({ status: 'disabled' });
          toast('Disabled: events for it are kept on hold.', 'success');
        }}
      >
        <p>
          We stop sending to {endpoint.url} and put its events on hold. Nothing is lost: enable it
          later and replay them. Deliveries that were waiting for a retry resume when you enable it.
        </p>
      </ConfirmDialog>
    </>
  );
}
