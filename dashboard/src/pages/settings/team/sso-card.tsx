import { useState } from 'react';
import { type Sso, useSso } from '../../../api/people/sso.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { KeyValue } from '../../../ui/data/key-value.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { CopiedText } from './copied-text.tsx';
import { RemoveSsoDialog, SsoDialog } from './sso-dialogs.tsx';

function Facts({ sso, provider }: { sso: Sso; provider: NonNullable<Sso['provider']> }) {
  return (
    <KeyValue
      items={[
        ['Provider', <code key="issuer">{provider.issuer}</code>],
        ['Client ID', <code key="client">{provider.client_id}</code>],
        [
          'Sign-in address',
          <CopiedText key="address" value={sso.sign_in_url} label="Copy the sign-in address" />,
        ],
        [
          'Redirect URI',
          <CopiedText key="redirect" value={sso.redirect_uri} label="Copy the redirect URI" />,
        ],
        ['Members who have used it', `${sso.linked_members} of ${sso.members}`],
        [
          'Required',
          provider.is_required ? (
            <Badge key="required" tone="success">
              Yes, except for owners
            </Badge>
          ) : (
            <Badge key="required" tone="neutral">
              No
            </Badge>
          ),
        ],
      ]}
    />
  );
}

function SingleSignOn({ sso }: { sso: Sso }) {
  const [open, setOpen] = useState<'change' | 'remove' | null>(null);
  const { provider } = sso;
  const close = () => setOpen(null);
  return (
    <>
      {provider === null ? (
        <p className="quiet">
          Members can sign in with your company’s accounts instead of a password, from any provider
          that speaks OpenID Connect.
        </p>
      ) : (
        <Facts sso={sso} provider={provider} />
      )}
      <div className="actions">
        <Button onPress={() => setOpen('change')}>
          {provider === null ? 'Set up…' : 'Change…'}
        </Button>
        {provider === null ? null : (
          <Button variant="ghost" onPress={() => setOpen('remove')}>
            Turn off…
          </Button>
        )}
      </div>
      {open === 'change' ? <SsoDialog sso={sso} onClose={close} /> : null}
      {open === 'remove' ? <RemoveSsoDialog sso={sso} onClose={close} /> : null}
    </>
  );
}

/** How the team uses single sign-on, for owners. */
export function SsoCard() {
  const sso = useSso();
  return (
    <Card title="Single sign-on">
      <QueryView query={sso}>{(data) => <SingleSignOn sso={data} />}</QueryView>
    </Card>
  );
}
