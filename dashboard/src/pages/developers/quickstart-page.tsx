import type { NewApiKey } from '@recollect/sdk';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useKeys } from '../../api/developers.ts';
import { useCan, useMe } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { CodeBlock } from '../../ui/values/code-block.tsx';
import { CreateKey } from './create-key.tsx';
import { DevelopersNav } from './developers-nav.tsx';
import { clientSnippet, curlSnippet, placeholderKey, WEBHOOK_SNIPPET } from './snippets.ts';
import './developers.css';

/** A guide to the first schedule and its webhook, with the merchant's own address and key. */
export function QuickstartPage() {
  const { base_url: baseUrl, mode } = useMe();
  const [made, setMade] = useState<NewApiKey | null>(null);
  const known = useKeys(useCan('manage_keys')).data?.find(
    (key) => key.revoked_at === null && key.expires_at === null,
  );
  const key = made?.key ?? placeholderKey(mode, known?.hint);
  return (
    <Page
      title="Quickstart"
      actions={
        <LinkButton href="/docs" isNewTab>
          Open the reference
        </LinkButton>
      }
    >
      <DevelopersNav />
      <KeyForThis made={made} hint={known?.hint} onMade={setMade} />
      <Step number={1} title="Create a schedule">
        <p>
          The response contains a <code>consent_url</code>.{' '}
          {mode === 'sandbox' ? (
            <>
              Open it as your customer would, or <Link to="/sandbox">play the customer</Link>.
            </>
          ) : (
            'Share it with your customer.'
          )}
        </p>
        <CodeBlock label="curl" code={curlSnippet({ baseUrl, key })} />
      </Step>
      <Step number={2} title="Do the same in TypeScript">
        <p>
          The client, <code>@recollect/sdk</code>, has no dependencies and runs in Node 20 or newer,
          Deno and Bun. It retries requests that are safe to retry.{' '}
          <a href={`${baseUrl}/docs/sdk#install`}>How to install it</a>.
        </p>
        <CodeBlock label="TypeScript" code={clientSnippet({ baseUrl, key })} />
      </Step>
      <Step number={3} title="Receive webhooks">
        <p>
          Add an <Link to="/webhooks">endpoint</Link>, store its secret, and verify every webhook
          before you act on it.
        </p>
        <CodeBlock label="Webhook receiver" code={WEBHOOK_SNIPPET} />
      </Step>
    </Page>
  );
}

interface KeyProps {
  made: NewApiKey | null;
  hint: string | undefined;
  onMade: (key: NewApiKey) => void;
}

function KeyForThis({ made, hint, onMade }: KeyProps) {
  const [isAsking, setAsking] = useState(false);
  const mayMake = useCan('manage_keys');
  if (made !== null)
    return (
      <Notice tone="success" title={`“${made.name}” is in the snippets below`}>
        Copy it before you leave this page: it will not be shown again. Keep it on your server.
      </Notice>
    );
  return (
    <>
      <Notice
        tone="info"
        title="Keys are shown once"
        action={
          mayMake ? (
            <Button variant="primary" onPress={() => setAsking(true)}>
              Create a key for this
            </Button>
          ) : undefined
        }
      >
        {hint === undefined
          ? 'The snippets need one of your API keys. '
          : `Put your full key ending in ${hint} into the snippets. `}
        {mayMake ? 'Create one here and they work as they are.' : null}
      </Notice>
      {isAsking ? <CreateKey onClose={() => setAsking(false)} onMade={onMade} /> : null}
    </>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <Card title={`${number}. ${title}`}>
      <div className="stack quickstart-step">{children}</div>
    </Card>
  );
}
