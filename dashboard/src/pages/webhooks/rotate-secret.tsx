import type { WebhookEndpoint } from '@recollect/sdk';
import { useState } from 'react';
import { useEndpointActions } from '../../api/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
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
          <li>Make a new secret. The old one goes on signing.</li>
          <li>Let your receiver take both.</li>
          <li>Activate the new one. If you do not, it activates by itself after 24 hours.</li>
        </ol>
        {at === null ? null : (
          <Notice
            tone="info"
            title="A new secret waits"
            action={
              <Button variant="primary" onPress={() => setAsked('activate')}>
                Activate now
              </Button>
            }
          >
            The old one signs until you activate it, or until <When at={at} />. Meanwhile the header{' '}
            <code>webhook-signature</code> carries the signatures of both.
          </Notice>
        )}
        <div>
          <Button onPress={() => setAsked('rotate')}>
            {at === null ? 'Make a new secret' : 'Make another one'}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        isOpen={asked === 'rotate'}
        onClose={() => setAsked(null)}
        title="Make a new secret?"
        confirmLabel="Make it"
        tone="primary"
        onConfirm={async () => setSecret((await rotate.mutateAsync()).secret)}
      >
        <p>
          It is shown once. The old one goes on signing until you activate the new one, or for 24
          hours.{at === null ? '' : ' The new secret that waits now is thrown away.'}
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
          toast('The new secret signs from now on.', 'success');
        }}
      >
        <p>
          Every webhook is signed with the new secret from now on, and the old one no longer works.
          Do this when your receiver takes the new one.
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
