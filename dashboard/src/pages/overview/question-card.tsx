import { Link } from 'react-router';
import type { OverviewView } from '../../../../server/src/dashboard/overview/view.ts';
import { Card } from '../../ui/card.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { waitingWords } from '../payments/uncertain-words.ts';

interface QuestionProps {
  payments: OverviewView['in_question'];
  currency: string;
}

/** Payments that wait for a person, and unexpected money; empty if there are none. */
export function QuestionCard({ payments, currency }: QuestionProps) {
  if (payments.length === 0) return null;
  return (
    <Card
      title="Under investigation"
      lead="We are resolving these with the bank. You do not need to do anything."
    >
      <ul className="rows">
        {payments.map(({ payment_id: id, value, reason, since }) => (
          <li key={id}>
            <Link to={`/payments/${id}`}>
              <span className="row-words">
                <strong>Payment of {formatMoney({ value, currency })}</strong>
                <span className="quiet">
                  {reason === 'unexpected_money'
                    ? 'Unexpected money arrived for it.'
                    : waitingWords(reason)}{' '}
                  Since <When at={since} as="datetime" />.
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
