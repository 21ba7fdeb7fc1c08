import { useState } from 'react';
import { useParams } from 'react-router';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { KeyValue } from '../../../ui/data/key-value.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { Page } from '../../../ui/page.tsx';
import { Id } from '../../../ui/values/id.tsx';
import { When } from '../../../ui/values/when.tsx';
import {
  type Merchant,
  type MerchantDecision,
  useDecideMerchant,
  useMerchant,
} from '../../api/merchants.ts';
import { useAskRelease } from '../../api/requests.ts';
import { DecisionDialog } from '../../decision-dialog.tsx';
import { For } from '../../session.tsx';
import { DecisionsLink } from '../decisions/decisions-link.tsx';
import { NewMember } from '../team/new-member.tsx';
import { AccountCard } from './account-card.tsx';
import { FeesCard } from './fees-card.tsx';
import { MerchantKeysCard } from './merchant-keys-card.tsx';
import { MerchantState } from './merchant-table.tsx';
import { SchemeCard } from './scheme-card.tsx';

interface Words {
  label: string;
  title: string;
  text: string;
  done: string;
  tone: 'danger' | 'primary';
}

const WORDS: Readonly<Record<MerchantDecision, Words>> = {
  suspend: {
    label: 'Suspend',
    title: 'Suspend this merchant?',
    text: 'No new schedules and no new payment orders. What is already with a bank runs to its end. Nothing is lost.',
    done: 'The merchant is suspended.',
    tone: 'danger',
  },
  resume: {
    label: 'Resume',
    title: 'Resume this merchant?',
    text: 'Schedules and payments resume.',
    done: 'Merchant resumed.',
    tone: 'primary',
  },
  hold_pay_outs: {
    label: 'Hold pay-outs',
    title: 'Hold this merchant’s pay-outs?',
    text: 'Collections go on. Settlements wait, and the money stays in the wallet.',
    done: 'Pay-outs are held.',
    tone: 'danger',
  },
  release_pay_outs: {
    label: 'Release pay-outs',
    title: 'Release this merchant’s pay-outs?',
    text: 'Settlements that waited are paid out.',
    done: 'Pay-outs are released.',
    tone: 'primary',
  },
};

/** Whether the service itself holds the pay-outs, after a change of the account: two operators release them. */
const isOfService = (hold: Merchant['suspended']): boolean => hold?.by === 'service';

function ReleaseNotice({ merchant }: { merchant: Merchant }) {
  const ask = useAskRelease(merchant.id);
  const [isOpen, setOpen] = useState(false);
  return (
    <For may="payments">
      <Button onPress={() => setOpen(true)}>Ask to release the pay-outs…</Button>
      {isOpen ? (
        <DecisionDialog
          title="Ask to release the pay-outs?"
          confirmLabel="Ask for it"
          onClose={() => setOpen(false)}
          onDecide={async (reason) => {
            await ask.mutateAsync(reason);
            toast('A second operator must agree within seven days.', 'success');
          }}
        >
          They wait because of the new settlement account. Check by a channel that you know that it
          is the merchant’s. A second operator has to agree.
        </DecisionDialog>
      ) : null}
    </For>
  );
}

function HoldNotice({ title, hold }: { title: string; hold: Merchant['suspended'] }) {
  if (hold === null) return null;
  return (
    <Notice tone="warning" title={title}>
      “{hold.reason}” ({hold.by}, <When at={hold.since} />)
    </Notice>
  );
}

function Actions({
  merchant,
  choose,
}: {
  merchant: Merchant;
  choose: (d: MerchantDecision) => void;
}) {
  const decisions: MerchantDecision[] = [
    merchant.suspended === null ? 'suspend' : 'resume',
    merchant.pay_outs_held === null || isOfService(merchant.pay_outs_held)
      ? 'hold_pay_outs'
      : 'release_pay_outs',
  ];
  return (
    <For may="payments">
      {decisions.map((decision) => (
        <Button key={decision} onPress={() => choose(decision)}>
          {WORDS[decision].label}
        </Button>
      ))}
    </For>
  );
}

function Details({ merchant }: { merchant: Merchant }) {
  return (
    <Card title="Details" actions={<NewMember merchant={merchant} />}>
      <KeyValue
        items={[
          ['ID', <Id key="id" value={merchant.id} />],
          ['Legal name', merchant.legal_name],
          ['Email', merchant.email],
          ['Website', merchant.website],
          ['Address', merchant.address],
          ['Time zone', merchant.time_zone],
          ['Since', <When key="since" at={merchant.created_at} />],
        ]}
      />
    </Card>
  );
}

function MerchantDetails({ merchant }: { merchant: Merchant }) {
  const [decision, setDecision] = useState<MerchantDecision | null>(null);
  const decide = useDecideMerchant(merchant.id);
  const words = decision === null ? null : WORDS[decision];
  return (
    <Page
      title={merchant.name}
      back={{ to: '/merchants', label: 'Merchants' }}
      badge={<MerchantState merchant={merchant} />}
      actions={
        <>
          <DecisionsLink q={merchant.id} />
          <Actions merchant={merchant} choose={setDecision} />
        </>
      }
    >
      <HoldNotice title="Suspended" hold={merchant.suspended} />
      <HoldNotice title="Pay-outs are held" hold={merchant.pay_outs_held} />
      {isOfService(merchant.pay_outs_held) ? <ReleaseNotice merchant={merchant} /> : null}
      <Details merchant={merchant} />
      <AccountCard merchant={merchant} />
      <SchemeCard merchant={merchant} />
      <FeesCard merchant={merchant} />
      <MerchantKeysCard merchant={merchant} />
      {decision === null || words === null ? null : (
        <DecisionDialog
          title={words.title}
          confirmLabel={words.label}
          tone={words.tone}
          onClose={() => setDecision(null)}
          onDecide={async (reason) => {
            await decide.mutateAsync({ decision, reason });
            toast(words.done, 'success');
          }}
        >
          {words.text}
        </DecisionDialog>
      )}
    </Page>
  );
}

/** /merchants/:id */
export function MerchantPage() {
  const { id = '' } = useParams();
  const merchant = useMerchant(id);
  return <QueryView query={merchant}>{(data) => <MerchantDetails merchant={data} />}</QueryView>;
}
