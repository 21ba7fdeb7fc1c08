import type { Schedule } from '@recollect/sdk';
import { Link } from 'react-router';
import { Notice } from '../../../ui/notice.tsx';
import { Money } from '../../../ui/values/money.tsx';
import { When } from '../../../ui/values/when.tsx';

/** Lists payments of a paused or cancelled schedule that may still arrive. */
export function UnderWay({ schedule }: { schedule: Schedule }) {
  const { payments_under_way: underWay = [] } = schedule;
  if (underWay.length === 0) return null;
  return (
    <Notice
      tone="warning"
      title={
        underWay.length === 1 ? 'This payment may still arrive' : 'These payments may still arrive'
      }
    >
      <p>We had already asked the customer’s bank to pay when the schedule was stopped.</p>
      <ul className="change-list">
        {underWay.map(({ id, amount, due_date }) => (
          <li key={id}>
            <Money amount={amount} />, due <When at={due_date} as="datetime" />{' '}
            <Link to={`/payments/${id}`}>View payment</Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
