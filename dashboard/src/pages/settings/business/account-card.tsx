import type { Merchant } from '@recollect/sdk';
import { useState } from 'react';
import { type AccountChange, useAccountChanges } from '../../../api/settlement-account.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { When } from '../../../ui/values/when.tsx';
import { AccountFacts } from './account-facts.tsx';
import { AccountHold } from './account-hold.tsx';
import { ChangeAccount } from './change-account.tsx';
import { PendingAccount } from './pending-account.tsx';

const STATUS_WORDS: Readonly<Record<AccountChange['status'], string>> = {
  pending: 'Requested',
  in_force: 'In force',
  taken_back: 'Cancelled',
};

/** The account that settlements are paid to, its pending change, and past changes. */
export function AccountCard({ merchant, isLocked }: { merchant: Merchant; isLocked: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useAccountChanges();
  const hasSecondFactor = data?.has_second_factor ?? false;
  return (
    <Card
      title="Settlement account"
      lead="Collections are paid out to this account the next business day."
      actions={
        isLocked ? undefined : (
          <Button size="small" onPress={() => setOpen(true)}>
            Change…
          </Button>
        )
      }
    >
      <AccountFacts account={merchant.settlement_account} />
      {data?.pending == null ? null : (
        <PendingAccount change={data.pending} {...{ hasSecondFactor, isLocked }} />
      )}
      {data?.hold == null ? null : <AccountHold hold={data.hold} isLocked={isLocked} />}
      {isLocked || data === undefined || hasSecondFactor ? null : (
        <p className="quiet small">
          You need a second factor to change it: set one up under Settings, Your security.
        </p>
      )}
      <PastChanges changes={data?.changes ?? []} />
      {isOpen ? (
        <ChangeAccount {...{ merchant, hasSecondFactor }} onClose={() => setOpen(false)} />
      ) : null}
    </Card>
  );
}

function PastChanges({ changes }: { changes: readonly AccountChange[] }) {
  const past = changes.filter(({ status }) => status !== 'pending');
  if (past.length === 0) return null;
  return (
    <details>
      <summary>Earlier changes</summary>
      <ul>
        {past.map((change) => (
          <li key={change.id} className="small">
            {STATUS_WORDS[change.status]} <When at={change.ended_at} />: from{' '}
            {change.old_account.account_number} to {change.new_account.account_number}, requested by{' '}
            {change.requested_by.name}
            {change.ended_by === null || change.ended_by.type === 'service'
              ? ''
              : `, cancelled by ${change.ended_by.name}`}
          </li>
        ))}
      </ul>
    </details>
  );
}
