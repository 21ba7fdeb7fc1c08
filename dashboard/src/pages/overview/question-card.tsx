import { Link } from 'react-router';
import type { OverviewView } from '../../../../server/src/dashboard/overview/view.ts';
import { Card } from '../../ui/card.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { When } from '../../ui/when.tsx';
import { waitingWords } from '../payments/uncertain-words.ts';

/** Payments that wait for a person, and money that came beside a payment; nothing where there are none. */
export function QuestionCard({ overview }: { overview: OverviewView }) {
  const { in_question: payments, currency } = overview;
  if (payments.length === 0) return null;
  return (
    <Card
      title="Being looked into"
      lead="We are sorting these out with the bank. There is nothing for you to do."
    >
      <ul className="rows">
        {payments.map(({ payment_id: id, value, reason, since }) => (
          <li key={id}>
            <Link to={`/payments/${id}`}>
              <span className="row-words">
                <strong>Payment of {formatMoney({ value, currency })}</strong>
                <span className="quiet">
                  {reason === 'unexpected_money'
                    ? 'Money arrived for it that was not expected.'
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
