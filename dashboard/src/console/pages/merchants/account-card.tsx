import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { KeyValue } from '../../../ui/data/key-value.tsx';
import { errorText } from '../../../ui/error-text.ts';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { formatSortCode } from '../../../ui/fields/sort-code.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { PayeeNotice } from '../../../ui/payee-notice.tsx';
import { Id } from '../../../ui/values/id.tsx';
import { When } from '../../../ui/values/when.tsx';
import {
  type Account,
  type Merchant,
  useCheckAccount,
  useDecideAccount,
  useRequestAccount,
  type WaitingAccount,
} from '../../api/merchants.ts';
import { DecisionDialog, ReasonField } from '../../decision-dialog.tsx';
import { For, useMe } from '../../session.tsx';

const facts = ({ name, sort_code, account_number }: Account) =>
  [
    ['Account holder', name],
    ['Sort code', formatSortCode(sort_code)],
    ['Account number', account_number],
  ] as const;

const ALIASES = {
  'settlement_account.name': 'name',
  'settlement_account.sort_code': 'sort_code',
  'settlement_account.account_number': 'account_number',
} as const;

function RequestDialog({ merchant, onClose }: { merchant: Merchant; onClose: () => void }) {
  const request = useRequestAccount(merchant.id);
  const form = useForm({
    defaultValues: {
      name: merchant.settlement_account.name,
      sort_code: '',
      account_number: '',
      reason: '',
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Change the settlement account"
      form={form}
      aliases={ALIASES}
      onSubmit={async ({ reason, ...settlement_account }) => {
        await request.mutateAsync({ settlement_account, reason: reason.trim() });
        toast('A second operator must agree within 24 hours.', 'success');
      }}
      confirmLabel="Ask for the change"
    >
      <p>
        Check by a channel that you know that the merchant asks for it. The change takes effect
        after 24 hours if a second operator agrees; the owners are told now, and can cancel it.
      </p>
      <TextField control={form.control} name="name" label="Account holder" maxLength={70} />
      <TextField control={form.control} name="sort_code" label="Sort code" inputMode="numeric" />
      <TextField
        control={form.control}
        name="account_number"
        label="Account number"
        inputMode="numeric"
      />
      <ReasonField control={form.control} name="reason" />
    </FormDialog>
  );
}

function Progress({ change }: { change: WaitingAccount }) {
  const { asked_by, by, reason, requested_at, agreed_by, takes_effect_at } = change;
  return (
    <p>
      {asked_by === 'owner' ? (
        <>
          The owner <Id value={by} />
        </>
      ) : (
        <strong>{by}</strong>
      )}{' '}
      asked for it on <When at={requested_at} />
      {reason === null ? '' : `: “${reason}”`}.{' '}
      {agreed_by === null ? null : (
        <>
          <strong>{agreed_by}</strong> agreed.{' '}
        </>
      )}
      {change.waits_for_second ? (
        <>
          Unless a second operator agrees by <When at={takes_effect_at} />, it lapses.
        </>
      ) : (
        <>
          It takes effect on <When at={takes_effect_at} />.
        </>
      )}
    </p>
  );
}

const WORDS = {
  agree: {
    title: 'Agree with this account?',
    label: 'Agree',
    tone: 'primary',
    text: 'Call the merchant yourself, and compare every digit. All new settlements go there once the 24 hours are over.',
    done: 'You agreed with the change.',
  },
  take_back: {
    title: 'Take the change back?',
    label: 'Take back',
    tone: 'danger',
    text: 'This account will not be used. Settlements keep going to the current one.',
    done: 'The change is taken back.',
  },
} as const;

function Waiting({ merchant, change }: { merchant: Merchant; change: WaitingAccount }) {
  const me = useMe();
  const decide = useDecideAccount(merchant.id);
  const [verb, setVerb] = useState<keyof typeof WORDS | null>(null);
  const words = verb === null ? null : WORDS[verb];
  return (
    <Notice tone="warning" title="This account is about to change">
      <div className="stack stack-tight">
        <KeyValue items={facts(change)} />
        <PayeeNotice check={change.payee_check} />
        <Progress change={change} />
        <For may="payments">
          <div className="actions">
            {change.waits_for_second && change.by !== me.name ? (
              <Button size="small" onPress={() => setVerb('agree')}>
                Agree…
              </Button>
            ) : null}
            <Button size="small" onPress={() => setVerb('take_back')}>
              Take back…
            </Button>
          </div>
        </For>
      </div>
      {verb === null || words === null ? null : (
        <DecisionDialog
          title={words.title}
          confirmLabel={words.label}
          tone={words.tone}
          onClose={() => setVerb(null)}
          onDecide={async (reason) => {
            await decide.mutateAsync({ verb, change_id: change.id, reason });
            toast(words.done, 'success');
          }}
        >
          {change.name}, {formatSortCode(change.sort_code)} {change.account_number}. {words.text}
        </DecisionDialog>
      )}
    </Notice>
  );
}

/** The account that settlements go to; two operators and a day change it. */
export function AccountCard({ merchant }: { merchant: Merchant }) {
  const [isOpen, setOpen] = useState(false);
  const check = useCheckAccount(merchant.id);
  const { settlement_account: account, pending_settlement_account: pending } = merchant;
  return (
    <Card
      title="Settlement account"
      actions={
        <For may="payments">
          <Button
            size="small"
            isPending={check.isPending}
            onPress={() =>
              check.mutate(undefined, {
                onError: (error) => toast(errorText(error).advice, 'danger'),
              })
            }
          >
            Check the name
          </Button>
          <Button size="small" onPress={() => setOpen(true)}>
            Change…
          </Button>
        </For>
      }
    >
      <KeyValue items={facts(account)} />
      <PayeeNotice check={merchant.payee_check} />
      {pending === null ? null : <Waiting merchant={merchant} change={pending} />}
      {isOpen ? <RequestDialog merchant={merchant} onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}
