import type { WebhookEndpoint } from '@recollect/sdk';
import { useState } from 'react';
import { useEndpointActions } from '../../api/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { When } from '../../ui/values/when.tsx';
import { EndpointSecret } from './endpoint-secret.tsx';

/** Replaces an endpoint's secret without missing a webhook. */
export function RotateSecret({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { rotate, activate } = useEndpointActions(endpoint.id);
  const [asked, setAsked] = useState<'rotate' | 'activate' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const at = endpoint.next_secret_activates_at;
  return (
    <Card title="Signing secret">
      <div className="stack">
        <ol className="steps">
          <li>Create a new secret. We keep signing with the old one.</li>
          <li>Make sure your receiver accepts both.</li>
          <li>Activate the new one. Otherwise it is activated automatically after 24 hours.</li>
        </ol>
        {at === null ? null : (
          <Notice
            tone="info"
            title="New secret pending"
            action={
              <Button variant="primary" onPress={() => setAsked('activate')}>
                Activate now
              </Button>
            }
          >
            We sign with the old one until you activate this one, or until <When at={at} />. Until
            then the header <code>webhook-signature</code> carries the signatures of both.
          </Notice>
        )}
        <div>
          <Button onPress={() => setAsked('rotate')}>
            {at === null ? 'Create new secret' : 'Create another'}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        isOpen={asked === 'rotate'}
        onClose={() => setAsked(null)}
        title="Create a new secret?"
        confirmLabel="Create secret"
        tone="primary"
        onConfirm={async () => setSecret((await rotate.mutateAsync()).secret)}
      >
        <p>
          It is shown once. We keep signing with the old one until you activate the new one, or for
          24 hours.{at === null ? '' : ' The pending secret is discarded.'}
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={asked === 'activate'}
        onClose={() => setAsked(null)}
        title="Activate the new secret?"
        confirmLabel="Activate now"
        tone="primary"
        onConfirm={async () => {
          await activate.mutateAsync();
          toast('New secret activated.', 'success');
        }}
      >
        <p>
          From now on every webhook is signed with the new secret, and the old one no longer works.
          Do this once your receiver accepts the new one.
        </p>
      </ConfirmDialog>
      <EndpointSecret
        title="The new secret"
        secret={secret}
        isNext
        onClose={() => setSecret(null)}
      />
    </Card>
  );
}
