import type { ReactNode } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/data/empty.tsx';
import { KeyValue } from '../../../ui/data/key-value.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { formatSortCode } from '../../../ui/fields/sort-code.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { Id } from '../../../ui/values/id.tsx';
import { Money } from '../../../ui/values/money.tsx';
import { When } from '../../../ui/values/when.tsx';
import { isNotFound } from '../../api/client.ts';
import { type FullDecision, useDecision } from '../../api/decisions.ts';
import { useMe } from '../../session.tsx';
import { wordsFor } from './act-words.ts';
import { Acts, useActs } from './acts.tsx';
import { DecisionEvidence } from './evidence.tsx';
import './decisions.css';

const BACK = { to: '/decisions', label: 'Needs a decision' };

type Item = NonNullable<FullDecision['item']>;

function payerOf({ payer }: Item): string {
  if (payer === null) return 'Unknown';
  const { name, sort_code: sortCode, account_number: number } = payer;
  return [name, sortCode && formatSortCode(sortCode), number].filter(Boolean).join(', ');
}

const rowsOfItem = (item: Item): [string, ReactNode][] => [
  ['Payer', payerOf(item)],
  ['Arrived', <When key="arrived" at={item.arrived_at} />],
  ['Issuer’s entry', <Id key="movement" value={item.source.movement_id} />],
  ['End-to-end ID of the money', item.end_to_end_id ?? 'None'],
  ...(item.came_back_of === null
    ? []
    : [['Came back of', <Id key="of" value={item.came_back_of} />] as [string, ReactNode]]),
];

/** What a case is about, with links to what the console has a page for. */
function About({ decision }: { decision: FullDecision }) {
  const { merchant, customer_id: customer, bank, item } = decision;
  const rows: [string, ReactNode][] = [];
  if (merchant !== null)
    rows.push([
      'Merchant',
      <Link key="merchant" to={`/merchants/${merchant.id}`}>
        {merchant.name}
      </Link>,
    ]);
  if (customer !== null)
    rows.push(['Customer', <Id key="customer" value={customer} to={`/customers/${customer}`} />]);
  if (decision.payment_id !== null)
    rows.push(['Payment', <Id key="payment" value={decision.payment_id} />]);
  if (decision.due_date !== null)
    rows.push(['Due', <When key="due" at={decision.due_date} as="date" />]);
  if (bank !== null)
    rows.push([
      'Bank',
      <Link key="bank" to="/banks">
        {bank.name}
      </Link>,
    ]);
  if (item !== null) rows.push(...rowsOfItem(item));
  rows.push(['ID', <Id key="id" value={decision.id} />]);
  rows.push(['Waiting since', <When key="since" at={decision.since} />]);
  return (
    <Card title="What it is about">
      <KeyValue items={rows} />
    </Card>
  );
}

/** What was expected against what arrived. */
function Compared({ expected, arrived }: FullDecision) {
  if (expected === null || arrived === null) return null;
  return (
    <Card title="Expected and arrived">
      <dl className="decision-compared">
        <div>
          <dt className="quiet">Expected</dt>
          <dd>
            <Money amount={expected} />
          </dd>
        </div>
        <div>
          <dt className="quiet">Arrived</dt>
          <dd>
            <Money amount={arrived} />
          </dd>
        </div>
      </dl>
    </Card>
  );
}

/** The payment that a first operator named; `none` says that money paid on settles no payment. */
function Named({ payment }: { payment: string }) {
  if (payment === 'none') return <p>It settles no payment.</p>;
  return (
    <p>
      For the payment <Id value={payment} />
    </p>
  );
}

/** Who decided first, where a second operator has to agree; or gave the hold. */
function First({ decision }: { decision: FullDecision }) {
  const me = useMe();
  const { first, acts } = decision;
  if (first === null) return null;
  const did = first.act === null ? '' : `: ${wordsFor(decision, first.act).label}`;
  const who =
    first.by === me.name ? 'Another operator must agree.' : 'Approve it by deciding the same.';
  return (
    <Notice tone="info" title={`${first.by}${did}`}>
      “{first.reason}”{first.payment_id === null ? null : <Named payment={first.payment_id} />}
      {acts.length === 0 ? null : <p>{who}</p>}
    </Notice>
  );
}

/** The runbook's step, and beside it what may be done. */
function ToDo({ decision }: { decision: FullDecision }) {
  const navigate = useNavigate();
  const acts = useActs(decision);
  const { step, url } = decision.runbook;
  return (
    <Card
      title="What to do"
      lead={
        <>
          {step}{' '}
          <a href={url} target="_blank" rel="noopener noreferrer">
            Runbook
          </a>
        </>
      }
    >
      {acts.length > 0 ? (
        <Acts decision={decision} acts={acts} onDone={() => navigate(BACK.to)} />
      ) : decision.merchant === null ? null : (
        <LinkButton to={`/merchants/${decision.merchant.id}`}>Open the merchant</LinkButton>
      )}
    </Card>
  );
}

/** How money that is decided came to its end. */
function Ended({ item }: { item: Item }) {
  if (item.ended === null) return null;
  const { at, by, confirmed_by: second, reason } = item.ended;
  return (
    <Notice tone="success" title={ENDED[item.status]}>
      “{reason}” ({[by, second].filter(Boolean).join(' and ')}, <When at={at} />)
    </Notice>
  );
}

const ENDED: Readonly<Record<Item['status'], string>> = {
  open: '',
  allocated: 'Applied to a payment',
  accepted_in_part: 'Accepted as part payment',
  returned: 'Returned to the payer',
  paid_on: 'Paid on by hand',
  credited: 'Added to the merchant’s balance',
};

function DecisionDetails({ decision }: { decision: FullDecision }) {
  const { item } = decision;
  const isOver = item !== null && item.status !== 'open';
  return (
    <Page
      title={decision.what}
      back={BACK}
      badge={
        isOver ? (
          <Badge tone="neutral">Decided</Badge>
        ) : (
          <Badge tone="warning">{`Waiting for ${decision.age}`}</Badge>
        )
      }
    >
      {isOver ? <Ended item={item} /> : <First decision={decision} />}
      <Compared {...decision} />
      {isOver ? null : <ToDo decision={decision} />}
      <About decision={decision} />
      <DecisionEvidence decision={decision} />
    </Page>
  );
}

/** Nothing waits under this address any more. */
function Over() {
  return (
    <Page title="Nothing to decide" back={BACK}>
      <Card>
        <Empty title="This no longer waits for anybody">
          It was decided, or has gone on automatically.
        </Empty>
      </Card>
    </Page>
  );
}

/** /decisions/:kind/:id */
export function DecisionPage() {
  const { kind = '', id = '' } = useParams();
  const decision = useDecision(kind, id);
  if (isNotFound(decision.error)) return <Over />;
  return <QueryView query={decision}>{(data) => <DecisionDetails decision={data} />}</QueryView>;
}
