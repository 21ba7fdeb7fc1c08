import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useParams } from 'react-router';
import { capitalised } from '../../pages/schedules/form/frequency-words.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { KeyValue } from '../../ui/data/key-value.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { formatSortCode } from '../../ui/fields/sort-code.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { Page } from '../../ui/page.tsx';
import { Id } from '../../ui/values/id.tsx';
import { formatMoney, Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { type FullItem, type ItemEnd, useEndItem, useItem } from '../api/unallocated.ts';
import { ReasonField } from '../decision-dialog.tsx';
import { For, useMe } from '../session.tsx';
import { ItemState } from './item-state.tsx';

interface EndWords {
  label: string;
  text: string;
  takesPayment: boolean;
}

const ENDS: Readonly<Record<ItemEnd, EndWords>> = {
  allocate: {
    label: 'Apply to a payment',
    text: 'The payment is collected with this money. The amounts must be equal.',
    takesPayment: true,
  },
  accept: {
    label: 'Accept as part payment',
    text: 'The money counts for the payment; the shortfall is not collected.',
    takesPayment: true,
  },
  return: {
    label: 'Returned to the payer',
    text: 'Record that the issuer has returned the money. This sends nothing.',
    takesPayment: false,
  },
  pay_on: {
    label: 'Paid on by hand',
    text: 'Record that it was paid to whom it belongs; this sends nothing. The payment that it settles (or “none”) ends.',
    takesPayment: true,
  },
  credit: {
    label: 'Add to the merchant’s balance',
    text: 'Only for money in the merchant’s own wallet. It goes out with the next settlement.',
    takesPayment: false,
  },
};

/** What the books call the ends that endpoints name by a verb. */
const VERBS: Readonly<Record<string, ItemEnd>> = {
  allocated: 'allocate',
  accepted_in_part: 'accept',
  returned: 'return',
  paid_on: 'pay_on',
  credited: 'credit',
};

function EndDialog({ item, end, onClose }: { item: FullItem; end: ItemEnd; onClose: () => void }) {
  const decide = useEndItem(item.item_id);
  const { label, text, takesPayment } = ENDS[end];
  const payment = item.proposed?.paymentId ?? item.guess?.payment_id ?? '';
  const form = useForm({ defaultValues: { payment_id: payment, reason: '' } });
  return (
    <FormDialog
      onClose={onClose}
      title={label}
      size="small"
      form={form}
      onSubmit={async ({ payment_id, reason }) => {
        const { waits_for_second: waits } = await decide.mutateAsync({
          end,
          reason: reason.trim(),
          ...(takesPayment && payment_id.trim() !== '' ? { payment_id: payment_id.trim() } : {}),
        });
        toast(waits ? 'A second operator must approve.' : 'Decided.', 'success');
      }}
      confirmLabel="Decide"
    >
      <p>{text}</p>
      {takesPayment ? (
        <TextField
          control={form.control}
          name="payment_id"
          label="Payment"
          rules={end === 'pay_on' ? {} : { required: 'Enter the ID of the payment.' }}
        />
      ) : null}
      <ReasonField control={form.control} name="reason" />
    </FormDialog>
  );
}

function Proposed({ item: { proposed, status } }: { item: FullItem }) {
  const me = useMe();
  if (proposed === null || status !== 'open') return null;
  const verb = VERBS[proposed.end];
  const label = verb === undefined ? proposed.end : ENDS[verb].label;
  const who =
    proposed.by === me.name ? 'Another operator must agree.' : 'Approve it by deciding the same.';
  return (
    <Notice tone="info" title={`${proposed.by} decided: ${label}`}>
      “{proposed.reason}” {proposed.paymentId === null ? null : <Id value={proposed.paymentId} />}
      <p>{who}</p>
    </Notice>
  );
}

const accountOf = ({ payer }: FullItem): string =>
  payer === null
    ? 'Unknown'
    : [payer.name, payer.sort_code && formatSortCode(payer.sort_code), payer.account_number]
        .filter(Boolean)
        .join(', ');

function Facts({ item }: { item: FullItem }) {
  const { ended, guess } = item;
  return (
    <Card title="What is known">
      <KeyValue
        items={[
          ['Amount', <Money key="amount" amount={item.amount} />],
          ['Why', capitalised(item.why)],
          ['Arrived', <When key="at" at={item.arrived_at} />],
          ['Payer', accountOf(item)],
          ['End-to-end ID', item.end_to_end_id ?? '–'],
          ['Merchant', <Id key="merchant" value={item.merchant_id} />],
          ['Wallet', <Id key="wallet" value={item.source.wallet_id} />],
          ['Likely payment', guess === null ? '–' : <Id key="guess" value={guess.payment_id} />],
          ...(ended === null
            ? []
            : [
                ['Decided', <When key="ended" at={ended.at} />] as const,
                ['By', [ended.by, ended.confirmed_by].filter(Boolean).join(' and ')] as const,
                ['Reason', ended.reason ?? '–'] as const,
              ]),
        ]}
      />
    </Card>
  );
}

function ItemDetails({ item }: { item: FullItem }) {
  const [end, setEnd] = useState<ItemEnd | null>(null);
  return (
    <Page
      title={`${formatMoney(item.amount)} unallocated`}
      back={{ to: '/unallocated', label: 'Unallocated money' }}
      badge={<ItemState item={item} />}
    >
      <Proposed item={item} />
      <Facts item={item} />
      {item.status === 'open' ? (
        <For may="payments">
          <Card title="Decide" lead="Above a limit a second operator must approve.">
            <div className="actions">
              {(Object.keys(ENDS) as ItemEnd[]).map((one) => (
                <Button key={one} onPress={() => setEnd(one)}>
                  {ENDS[one].label}…
                </Button>
              ))}
            </div>
          </Card>
        </For>
      ) : null}
      {end === null ? null : <EndDialog item={item} end={end} onClose={() => setEnd(null)} />}
    </Page>
  );
}

/** /unallocated/:id */
export function ItemPage() {
  const { id = '' } = useParams();
  const item = useItem(id);
  return <QueryView query={item}>{(data) => <ItemDetails item={data} />}</QueryView>;
}
