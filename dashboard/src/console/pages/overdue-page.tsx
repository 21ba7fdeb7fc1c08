import '../../pages/lists/lists.css';
import { Link } from 'react-router';
import { Card } from '../../ui/card.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Id } from '../../ui/id.tsx';
import { ListCard } from '../../ui/list-card.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { type Overdue, type OverdueState, useOverdue, useOverdueStates } from '../api/overdue.ts';

/** What each state means to an operator: `server/src/laws/invariants/lives.ts`. */
const MEANING: Readonly<Record<string, string>> = {
  'consents pending': 'The customer has not decided',
  'consents authorising': 'The customer has not come back from the bank',
  'consents authorised': 'Its wallet is not open',
  'bank deletions waiting': 'The bank has not confirmed the deletion',
  'wallets planned': 'Not opened by the issuer',
  'wallets reserved': 'Not opened by the issuer',
  'wallets closing': 'Not closed by the issuer',
  'payments pending': 'Not sent',
  'payments submit': 'Not known whether the bank has it',
  'payments track': 'No outcome from the bank',
  'payments move': 'Not transferred to the merchant',
  'refunds waiting': 'Waiting for the merchant’s money',
  'refunds pending': 'Not ordered',
  'refunds asked': 'Not known whether the issuer has it',
  'refunds track': 'Not paid by the issuer',
  'settlements pending': 'Not ordered',
  'settlements asked': 'Not known whether the issuer has it',
  'settlements track': 'Not paid out by the issuer',
  'settlements differs': 'Differs from what the issuer says',
  'settlements failed': 'Pay-out failed',
  'fee transfers waiting': 'Not transferred by the issuer',
  'covers owed': 'Not repaid by the merchant',
  'covers netted': 'Not transferred by the issuer',
  'deliveries pending': 'Not delivered',
  'notices pending': 'Not sent',
};

const meaningOf = ({ noun, state }: { noun: string; state: string }): string =>
  MEANING[`${noun} ${state}`] ?? state;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What is overdue, and in which state. */
function What({ of }: { of: { noun: string; state: string } }) {
  return (
    <span className="stacked">
      {capitalised(of.noun)}
      <span className="quiet small">{meaningOf(of)}</span>
    </span>
  );
}

/** Leads to where an operator decides: some nouns have a list of their own, all else is the merchant's. */
function Where({ of }: { of: Overdue }) {
  if (of.noun === 'payments') return <Link to="/payments">Unknown outcomes</Link>;
  if (of.noun === 'settlements' && of.state === 'differs')
    return <Link to="/settlements">Pay-outs in doubt</Link>;
  return <Link to={`/merchants/${of.merchant_id}`}>Its merchant</Link>;
}

function States({ rows }: { rows: readonly OverdueState[] }) {
  return (
    <Card title="By state" isFlush>
      <DataTable<OverdueState>
        label="Overdue by state"
        rows={rows}
        rowKey={({ noun, state }) => `${noun} ${state}`}
        columns={[
          { header: 'What', cell: (one) => <What of={one} /> },
          { header: 'Oldest', cell: ({ oldest }) => oldest.age },
          { header: 'Ends by', cell: ({ oldest }) => capitalised(oldest.ends_by) },
          { header: 'How many', align: 'end', cell: ({ count }) => count },
        ]}
      />
    </Card>
  );
}

const COLUMNS: readonly Column<Overdue>[] = [
  { header: 'What', cell: (one) => <What of={one} /> },
  { header: 'ID', cell: ({ id }) => <Id value={id} /> },
  { header: 'Age', cell: ({ age }) => age },
  { header: 'Where', cell: (one) => <Where of={one} /> },
];

/** /overdue */
export function OverduePage() {
  const states = useOverdueStates();
  const overdue = useOverdue();
  return (
    <Page
      title="Overdue"
      lead="What has waited for too long. Ask the issuer or the bank, then end it with recollect overdue end."
    >
      <QueryView query={states}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <Empty title="Nothing is overdue" />
            </Card>
          ) : (
            <States rows={data} />
          )
        }
      </QueryView>
      <QueryView query={overdue}>
        {({ data }) =>
          data.length === 0 ? null : (
            <ListCard title="Oldest first" label="Overdue" query={overdue} columns={COLUMNS} />
          )
        }
      </QueryView>
    </Page>
  );
}
