import type { ApiKey, NewApiKey } from '@recollect/sdk';
import { useState } from 'react';
import { useKeys } from '../../api/developers.ts';
import { useCan } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ChangeAddresses } from './change-addresses.tsx';
import { CreateKey } from './create-key.tsx';
import { DevelopersNav } from './developers-nav.tsx';
import { KeysTable } from './keys-table.tsx';
import { NotForRole } from './not-for-role.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';
import { SecretOnce } from './secret-once.tsx';

type Wish = { what: 'create' } | { what: 'addresses' | 'rotate' | 'revoke'; key: ApiKey };

/** The API keys, for those who may manage them. */
export function KeysPage() {
  if (useCan('manage_keys')) return <Keys />;
  return (
    <Page title="API keys">
      <DevelopersNav />
      <NotForRole what="API keys" />
    </Page>
  );
}

/** The API keys, and their actions. */
function Keys() {
  const keys = useKeys();
  const [wish, setWish] = useState<Wish | null>(null);
  const [made, setMade] = useState<NewApiKey | null>(null);
  const create = (
    <Button variant="primary" onPress={() => setWish({ what: 'create' })}>
      Create key
    </Button>
  );
  return (
    <Page title="API keys" actions={create}>
      <DevelopersNav />
      <Card isFlush>
        <QueryView query={keys}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="No API keys yet" action={create}>
                Your server needs one for every request. A key is shown once, when you create it.
              </Empty>
            ) : (
              <>
                <KeysTable keys={data} onWish={(what, key) => setWish({ what, key })} />
                <LoadMore query={keys} />
              </>
            )
          }
        </QueryView>
      </Card>
      <Wishes wish={wish} onClose={() => setWish(null)} onMade={setMade} />
      <SecretOnce
        title={`Your new key: ${made?.name ?? ''}`}
        noun="key"
        secret={made?.key ?? null}
        onClose={() => setMade(null)}
      >
        <p>
          Send it with every request: <code>Authorization: Bearer …</code>. Never put it in an app
          or a web page.
        </p>
      </SecretOnce>
    </Page>
  );
}

interface WishesProps {
  wish: Wish | null;
  onClose: () => void;
  onMade: (key: NewApiKey) => void;
}

function Wishes({ wish, onClose, onMade }: WishesProps) {
  switch (wish?.what) {
    case 'create':
      return <CreateKey onClose={onClose} onMade={onMade} />;
    case 'addresses':
      return <ChangeAddresses apiKey={wish.key} onClose={onClose} />;
    case 'rotate':
      return <RotateKey apiKey={wish.key} onClose={onClose} onMade={onMade} />;
    case 'revoke':
      return <RevokeKey apiKey={wish.key} onClose={onClose} />;
    default:
      return null;
  }
}
