import { useState } from 'react';
import { type AccountChangesView, useReleaseHold } from '../../../api/settlement-account.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { When } from '../../../ui/values/when.tsx';
import { ProofDialog } from '../proof/proof-dialog.tsx';
import { AccountFacts } from './account-facts.tsx';

type Hold = NonNullable<AccountChangesView['hold']>;

/** The pay-outs that wait after one owner alone changed the account, and how a second one releases them. */
export function AccountHold({ hold, isLocked }: { hold: Hold; isLocked: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Notice tone="warning" title="Settlements wait">
      <p>
        One person alone changed this account on <When at={hold.since} />.{' '}
        {hold.ends_at === null ? (
          'Settlements wait until whoever runs this service releases them.'
        ) : (
          <>
            Settlements go on at <When at={hold.ends_at} />, or as soon as a second owner confirms
            the account.
          </>
        )}
      </p>
      {isLocked ? null : hold.why_not_release === null ? (
        <Button size="small" onPress={() => setOpen(true)}>
          Confirm the account…
        </Button>
      ) : (
        <p className="quiet small">{hold.why_not_release}</p>
      )}
      {isOpen ? <ReleaseDialog hold={hold} onClose={() => setOpen(false)} /> : null}
    </Notice>
  );
}

function ReleaseDialog({ hold, onClose }: { hold: Hold; onClose: () => void }) {
  const release = useReleaseHold(hold.change_id ?? '');
  return (
    <ProofDialog
      title="Pay settlements to this account?"
      confirmLabel="Confirm account"
      onClose={onClose}
      onProof={async (proof) => {
        await release.mutateAsync(proof);
        toast('Settlements go on.', 'success');
      }}
    >
      {hold.full_account === null ? null : <AccountFacts account={hold.full_account} />}
      <p>Call whoever changed the account first, and compare every digit with them.</p>
    </ProofDialog>
  );
}
