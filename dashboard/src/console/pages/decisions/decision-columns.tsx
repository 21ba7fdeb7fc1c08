import { Link } from 'react-router';
import { Badge } from '../../../ui/badge.tsx';
import type { Column } from '../../../ui/data/data-table.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { Money } from '../../../ui/values/money.tsx';
import { When } from '../../../ui/values/when.tsx';
import type { Act, ListedDecision } from '../../api/decisions.ts';
import { Acts, useActs } from './acts.tsx';

function What({ one: { what, bank, due_date: due, first } }: { one: ListedDecision }) {
  return (
    <span className="stacked decision-what">
      {what}
      {bank === null ? null : (
        <span className="quiet small">
          {bank.name}
          {due === null ? null : (
            <>
              , due <When at={due} as="date" />
            </>
          )}
        </span>
      )}
      {first === null ? null : <Badge tone="info">{`Decided first: ${first.by}`}</Badge>}
    </span>
  );
}

/** Whom it concerns; a customer's name takes a reason, so that it is not in a list. */
function Whom({ one: { merchant, customer_id: customer } }: { one: ListedDecision }) {
  if (merchant === null && customer === null) return <span className="quiet">–</span>;
  return (
    <span className="stacked">
      {merchant === null ? null : <Link to={`/merchants/${merchant.id}`}>{merchant.name}</Link>}
      {customer === null ? null : (
        <Link to={`/customers/${customer}`} className="small decision-id">
          Customer …{customer.slice(-6)}
        </Link>
      )}
    </span>
  );
}

/** What is safe to decide by what the row says; all else is decided beside its evidence. */
const BY_ROW: readonly Act[] = ['allocate', 'accept', 'credit', 'confirm', 'agree', 'resolve'];

function FirstAct({ one }: { one: ListedDecision }) {
  const decision = { ...one, id: one.of };
  const [act] = useActs(decision);
  if (act !== undefined && BY_ROW.includes(act))
    return <Acts decision={decision} acts={[act]} size="small" />;
  return (
    <LinkButton to={`/decisions/${one.id}`} size="small">
      Review
    </LinkButton>
  );
}

/** The columns of decisions, wherever they are listed. */
export const DECISION_COLUMNS: readonly Column<ListedDecision>[] = [
  { header: 'What', cell: (one) => <What one={one} /> },
  { header: 'Who', cell: (one) => <Whom one={one} /> },
  {
    header: 'Waiting',
    cell: ({ age, since }) => (
      <span className="stacked">
        {age}
        <span className="quiet small">
          <When at={since} />
        </span>
      </span>
    ),
  },
  {
    header: 'Amount',
    align: 'end',
    cell: ({ amount }) =>
      amount === null ? <span className="quiet">–</span> : <Money amount={amount} />,
  },
  { header: 'Action', align: 'end', cell: (one) => <FirstAct one={one} /> },
];
