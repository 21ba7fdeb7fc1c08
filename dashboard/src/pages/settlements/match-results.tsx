import { RecollectError } from '@recollect/sdk';
import type { ReactNode } from 'react';
import type { StatementMatches } from '../../../../server/src/dashboard/settlements/match/view.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { type Column, DataTable } from '../../ui/data/data-table.tsx';
import { errorText } from '../../ui/error-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { dayWords } from '../../ui/values/days.ts';
import { formatMoney, Money } from '../../ui/values/money.tsx';
import { countWords } from '../overview/figures.ts';
import { foundText, periodText } from './match-words.ts';

type Match = StatementMatches['matched'][number];
type Line = StatementMatches['unmatched'][number];
type Missing = StatementMatches['missing'][number];

/** Which settlement each credit is, what has not arrived, and what is left of the statement. */
export function MatchResults({ found }: { found: StatementMatches }) {
  const { matched, unmatched, missing, unread, period } = found;
  return (
    <>
      <p role="status" className="match-summary">
        <strong>{foundText(found)}</strong> {missingText(missing, period)}
      </p>
      {unread.length === 0 ? null : (
        <Notice tone="warning" title={`${countWords(unread.length, 'line')} could not be read`}>
          <ul>
            {unread.map(({ place, why }) => (
              <li key={place}>{why}.</li>
            ))}
          </ul>
        </Notice>
      )}
      {matched.length === 0 ? null : (
        <Card title="Settlements on the statement" isFlush>
          <DataTable<Match>
            label="Settlements on the statement"
            rows={matched}
            rowKey={({ line }) => line.place}
            rowHref={({ settlement }) => `/settlements/${settlement.id}`}
            columns={MATCHED}
          />
        </Card>
      )}
      {missing.length === 0 ? null : (
        <Card title="Not on the statement" lead={periodText(period)} isFlush>
          <DataTable<Missing>
            label="Not on the statement"
            rows={missing}
            rowKey={({ id }) => id}
            rowHref={({ id }) => `/settlements/${id}`}
            columns={MISSING}
          />
        </Card>
      )}
      {unmatched.length === 0 ? null : (
        <Card
          title="Other credits"
          lead="These match no settlement, by reference or by amount and date."
          isFlush
        >
          <DataTable<Line>
            label="Other credits"
            rows={unmatched}
            rowKey={({ place }) => place}
            columns={UNMATCHED}
          />
        </Card>
      )}
    </>
  );
}

const MATCHED: readonly Column<Match>[] = [
  { header: 'Settlement', cell: ({ settlement }) => <code>{settlement.statement_reference}</code> },
  {
    header: 'Paid out',
    cell: ({ settlement }) => <span className="nowrap">{dayWords(settlement.date, 'medium')}</span>,
  },
  { header: 'Found by', cell: foundBy },
  { header: 'On the statement', cell: ({ line }) => <LineText line={line} /> },
  { header: 'Amount', align: 'end', cell: ({ line }) => lineAmount(line) },
];

const MISSING: readonly Column<Missing>[] = [
  { header: 'Settlement', cell: ({ statement_reference: reference }) => <code>{reference}</code> },
  {
    header: 'Paid out',
    cell: ({ date }) => <span className="nowrap">{dayWords(date, 'medium')}</span>,
  },
  { header: 'Amount', align: 'end', cell: ({ amount }) => <Money amount={amount} /> },
];

const UNMATCHED: readonly Column<Line>[] = [
  { header: 'On the statement', cell: (line) => <LineText line={line} /> },
  { header: 'Amount', align: 'end', cell: lineAmount },
];

function LineText({ line: { text, place, date } }: { line: Line }) {
  return (
    <span className="stacked statement-line">
      <span>{text === '' ? place : text}</span>
      <span className="quiet">
        {date === null ? place : `${place}, ${dayWords(date, 'medium')}`}
      </span>
    </span>
  );
}

function lineAmount({ amount }: Line): ReactNode {
  return amount === null ? '–' : <Money amount={amount} />;
}

function foundBy({ by, repeated, other_amount: isOther, settlement }: Match): ReactNode {
  return (
    <span className="stacked">
      {by === 'reference' ? (
        <Badge tone="success">Reference</Badge>
      ) : (
        <>
          <Badge tone="warning">Guess</Badge>
          <span className="quiet">Amount and day fit</span>
        </>
      )}
      {isOther ? (
        <>
          <Badge tone="danger">Different amount</Badge>
          <span className="quiet">{formatMoney(settlement.amount)} was paid out</span>
        </>
      ) : null}
      {repeated ? <span className="quiet">Also on an earlier line</span> : null}
    </span>
  );
}

function missingText(missing: readonly Missing[], period: StatementMatches['period']): string {
  if (period === null) return periodText(period);
  if (missing.length === 0) return 'No settlement from these days is missing.';
  const are = missing.length === 1 ? 'is' : 'are';
  return `${countWords(missing.length, 'settlement')} from these days ${are} missing.`;
}

/** Why a statement cannot be read. */
export function StatementRefused({ error, reason }: { error?: unknown; reason?: string }) {
  const why =
    reason ?? (error instanceof RecollectError ? error.details?.statement : undefined) ?? null;
  if (why === null)
    return (
      <Notice tone="danger" title={errorText(error).title}>
        {errorText(error).advice}
      </Notice>
    );
  return (
    <Notice tone="danger" title="This statement cannot be read">
      {why.charAt(0).toUpperCase() + why.slice(1)}.
    </Notice>
  );
}
