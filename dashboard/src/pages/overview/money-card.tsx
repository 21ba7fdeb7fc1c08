import { Link } from 'react-router';
import type { OverviewView } from '../../../../server/src/dashboard/overview/view.ts';
import { Card } from '../../ui/card.tsx';
import { dayWords } from '../../ui/values/days.ts';
import { Money } from '../../ui/values/money.tsx';

/** The balance of the merchant's wallet, and its next payout. */
export function MoneyCard({ overview }: { overview: OverviewView }) {
  const { wallet, next_settlement: next, currency } = overview;
  return (
    <Card title="Your money" actions={<Link to="/settlements">Settlements</Link>}>
      <dl className="pair">
        <div>
          <dt>In your wallet</dt>
          <dd className="figure">
            <Money amount={wallet} />
          </dd>
        </div>
        <div>
          <dt>Next settlement</dt>
          <dd className="figure">
            {next === null ? '–' : <Money amount={{ value: next.value, currency }} />}
          </dd>
          <dd className="quiet">
            {next === null
              ? 'Nothing to settle.'
              : `${dayWords(next.date, 'long')}, to your bank account`}
          </dd>
        </div>
      </dl>
    </Card>
  );
}
