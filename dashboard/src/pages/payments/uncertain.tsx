import type { Payment, UnexpectedMoney } from '@recollect/sdk';
import { formatMoney } from '../../ui/money.tsx';
import { Notice } from '../../ui/notice.tsx';
import { When } from '../../ui/when.tsx';
import { unexpectedWords, waitingWords } from './uncertain-words.ts';

/** What a person has to find out or decide: of the payment, and of money that came beside it. */
export function Uncertain({ payment }: { payment: Payment }) {
  const { waits_for_operator: waits, unexpected_money: money } = payment;
  return (
    <>
      {waits !== null && (
        <Notice tone="warning" title="This payment waits for a person">
          {waitingWords(waits.reason)} Since <When at={waits.since} as="datetime" />. We look into
          it and ask the bank; you need do nothing.
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
      title={`${formatMoney(money.amount)} arrived that was not expected`}
    >
      {unexpectedWords(money)} It arrived <When at={money.arrived_at} as="datetime" />.
    </Notice>
  );
}
