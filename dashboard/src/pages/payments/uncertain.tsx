import type { Payment, UnexpectedMoney } from '@recollect/sdk';
import { Notice } from '../../ui/notice.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { unexpectedWords } from './uncertain-words.ts';

/** Unexpected money that may belong to a payment, and money that was taken back. */
export function Uncertain({ payment }: { payment: Payment }) {
  const { unexpected_money: money, returned } = payment;
  return (
    <>
      {returned === null ? null : (
        <Notice
          tone="warning"
          title={`The customer’s bank recalled ${formatMoney(returned.amount)}`}
        >
          {returned.reason === '' ? null : `${returned.reason}. `}Recalled{' '}
          <When at={returned.at} as="datetime" />. The payment still shows as collected; the amount
          is deducted from your next settlements.
        </Notice>
      )}
      {money.map((one) => (
        <Unexpected key={one.id} money={one} />
      ))}
    </>
  );
}

function Unexpected({ money }: { money: UnexpectedMoney }) {
  const isOpen = money.status === 'open';
  return (
    <Notice
      tone={isOpen ? 'warning' : 'info'}
      title={`${formatMoney(money.amount)} arrived unexpectedly`}
    >
      {unexpectedWords(money)} It arrived <When at={money.arrived_at} as="datetime" />.
    </Notice>
  );
}
