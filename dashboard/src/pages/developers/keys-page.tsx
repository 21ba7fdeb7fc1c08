import type { ApiKey, NewApiKey } from '@recollect/sdk';
import { useState } from 'react';
import { useKeys } from '../../api/developers.ts';
import { useCan, useMe } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { ListPage } from '../lists/list-page.tsx';
import { ChangeAddresses } from './change-addresses.tsx';
import { CreateKey } from './create-key.tsx';
import { DevelopersNav } from './developers-nav.tsx';
import { keyColumns } from './keys-table.tsx';
import { NotForRole } from './not-for-role.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';
import { SecretOnce } from './secret-once.tsx';

type KeyAction = { what: 'create' } | { what: 'addresses' | 'rotate' | 'revoke'; key: ApiKey };

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
  const { mode } = useMe();
  const [wish, setWish] = useState<KeyAction | null>(null);
  const [made, setMade] = useState<NewApiKey | null>(null);
  const create = (
    <Button variant="primary" onPress={() => setWish({ what: 'create' })}>
      Create key
    </Button>
  );
  return (
    <ListPage
      title="API keys"
      actions={create}
      nav={<DevelopersNav />}
      query={useKeys()}
      columns={keyColumns(mode, (what, key) => setWish({ what, key }))}
      empty={{
        title: 'No API keys yet',
        text: 'Your server needs one for every request. A key is shown once, when you create it.',
        action: create,
      }}
    >
      <KeyDialogs wish={wish} onClose={() => setWish(null)} onMade={setMade} />
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
    </ListPage>
  );
}

interface KeyDialogsProps {
  wish: KeyAction | null;
  onClose: () => void;
  onMade: (key: NewApiKey) => void;
}

function KeyDialogs({ wish, onClose, onMade }: KeyDialogsProps) {
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
