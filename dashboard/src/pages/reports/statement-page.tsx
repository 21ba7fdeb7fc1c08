import type { Statement } from '../../../../server/src/dashboard/reports/statement-view.ts';
import { REPORT_PATHS, useReport } from '../../api/reports.ts';
import { BRAND } from '../../ui/brand.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { formatMoney, Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { DownloadCsv, DownloadFile } from '../lists/download-csv.tsx';
import { Filters } from '../lists/filters.tsx';
import { useUrlFilter } from '../lists/url-filter.ts';
import '../lists/lists.css';
import './statement.css';
import { AddingUp } from './adding-up.tsx';
import { MonthFilter } from './month-filter.tsx';
import { monthWords, rangeWords, STATEMENT_WORDS } from './report-words.ts';
import { ReportsNav } from './reports-nav.tsx';

type Line = Statement['lines'][number];

/** The statement of a month of the merchant's wallet: to read, to print, as CSV and, once it is over, as camt.053. */
export function StatementPage() {
  const url = useUrlFilter<'month'>(['month']);
  const statement = useReport('statement', url.values);
  return (
    <Page
      title={
        statement.data === undefined ? 'Statement' : `Statement ${monthWords(statement.data.month)}`
      }
      lead="What came into your wallet and left it in a month."
      actions={
        <>
          <DownloadFile
            of={REPORT_PATHS.statement}
            filter={url.values}
            ending="pdf"
            label="Download PDF"
          />
          <DownloadCsv of={REPORT_PATHS.statement} filter={url.values} />
          {statement.data?.is_complete ? (
            <DownloadFile
              of={REPORT_PATHS.statement}
              filter={url.values}
              ending="camt"
              label="Download camt.053"
            />
          ) : null}
        </>
      }
    >
      <ReportsNav />
      <Filters isNarrowed={url.isNarrowed} onClear={url.clear}>
        <MonthFilter label="Month" none="The last whole month" {...url.field('month')} />
      </Filters>
      <QueryView query={statement} skeleton={<AddingUp />}>
        {(found) => <Sheet of={found} />}
      </QueryView>
    </Page>
  );
}

function Sheet({ of: statement }: { of: Statement }) {
  const { merchant, currency, lines } = statement;
  const { name, legal_name: legalName, address } = merchant;
  return (
    <div className="stack">
      <address className="statement-head">
        <strong>{legalName === '' ? name : legalName}</strong>
        {address === '' ? null : <span>{address}</span>}
        <span>
          {rangeWords(statement.from, statement.to)}, {statement.time_zone}
        </span>
      </address>
      {statement.is_complete ? null : (
        <Notice tone="info" title="This month is not over">
          The closing balance is the present one.
        </Notice>
      )}
      <Summary of={statement} />
      {lines.length === 0 ? null : (
        <Card title="Day by day" isFlush>
          <DataTable<Line>
            label="Movements day by day"
            rows={lines}
            rowKey={(line) => `${line.date} ${line.kind}`}
            columns={[
              {
                header: 'Date',
                cell: ({ date }) => (
                  <span className="nowrap">
                    <When at={date} as="date" />
                  </span>
                ),
              },
              { header: 'What', cell: ({ kind, count }) => `${STATEMENT_WORDS[kind]} (${count})` },
              {
                header: 'Amount',
                align: 'end',
                cell: ({ value }) => <Money amount={{ value, currency }} />,
              },
              {
                header: 'Balance',
                align: 'end',
                cell: ({ balance }) => <Money amount={{ value: balance, currency }} />,
              },
            ]}
          />
        </Card>
      )}
      <p className="quiet">
        As of <When at={statement.as_of} as="datetime" />. Balances are those of your wallet in the
        ledger of {BRAND}.
      </p>
    </div>
  );
}

interface SummaryRow {
  what: string;
  count: number | null;
  value: number;
}

function Summary({ of: { opening, closing, owed, summary, currency } }: { of: Statement }) {
  const rows: SummaryRow[] = [
    { what: 'Opening balance', count: null, value: opening },
    ...summary.map(({ kind, count, value }) => ({ what: STATEMENT_WORDS[kind], count, value })),
    { what: 'Closing balance', count: null, value: closing },
  ];
  const lead =
    owed === 0
      ? 'You owe nothing for recalled payments.'
      : `At the end you owed ${formatMoney({ value: owed, currency })} for recalled payments, netted from the next settlements.`;
  return (
    <Card title="Summary" lead={lead} isFlush>
      <DataTable<SummaryRow>
        label="Summary"
        rows={rows}
        rowKey={(row) => row.what}
        columns={[
          {
            header: 'What',
            cell: ({ what, count }) => (count === null ? <strong>{what}</strong> : what),
          },
          { header: 'Number', align: 'end', cell: ({ count }) => count },
          {
            header: 'Amount',
            align: 'end',
            cell: ({ value, count }) =>
              count === null ? (
                <strong>
                  <Money amount={{ value, currency }} />
                </strong>
              ) : (
                <Money amount={{ value, currency }} />
              ),
          },
        ]}
      />
    </Card>
  );
}
