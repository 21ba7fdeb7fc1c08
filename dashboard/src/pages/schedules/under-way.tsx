import type { Schedule } from '@recollect/sdk';
import { LinkButton } from '../../ui/link-button.tsx';
import { Money } from '../../ui/money.tsx';
import { Notice } from '../../ui/notice.tsx';
import { When } from '../../ui/when.tsx';

/** Names what may still arrive of a schedule that was paused or cancelled. */
export function UnderWay({ schedule }: { schedule: Schedule }) {
  const { payments_under_way: underWay = [] } = schedule;
  if (underWay.length === 0) return null;
  return (
    <Notice tone="warning" title="These payments may still arrive">
      <p>The customer’s bank had been asked for them before the schedule was stopped.</p>
      <ul className="change-list">
        {underWay.map(({ id, amount, due_date }) => (
          <li key={id}>
            <Money amount={amount} />, due <When at={due_date} as="datetime" />{' '}
            <LinkButton to={`/payments/${id}`}>Show</LinkButton>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
