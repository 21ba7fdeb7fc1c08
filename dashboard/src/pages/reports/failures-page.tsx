import type { FailureReport } from '../../../../server/src/dashboard/reports/view.ts';
import { REPORT_PATHS, useReport } from '../../api/reports.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { FilterSelect } from '../../ui/fields/filter-select.tsx';
import { Page } from '../../ui/page.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { DayFilter } from '../lists/day-filter.tsx';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { Filters } from '../lists/filters.tsx';
import { type UrlFilter, useUrlFilter } from '../lists/url-filter.ts';
import '../lists/lists.css';
import { countWords } from '../overview/figures.ts';
import { AddingUp } from './adding-up.tsx';
import { AsOf } from './as-of.tsx';
import { FailureParts } from './failure-parts.tsx';
import { FailureTime } from './failure-time.tsx';
import { isAny, rangeWords, shareWords } from './report-words.ts';
import { ReportsNav } from './reports-nav.tsx';

type Name = 'from' | 'to' | 'by';

const BY = [
  { value: '', label: 'By week' },
  { value: 'month', label: 'By month' },
];

/** The payments that failed, over time and by reason, bank, amount and age of the schedule, and how many a retry recovered. */
export function FailuresPage() {
  const url = useUrlFilter<Name>(['from', 'to', 'by']);
  const { from, to } = url.values;
  const filter = { from, to, by: url.values.by === 'month' ? 'month' : '' };
  const report = useReport('failures', filter);
  return (
    <Page
      title="Reports"
      lead="Payments that failed at least once, by due date: how many of those due, why, and where."
      actions={<DownloadCsv of={REPORT_PATHS.failures} filter={filter} />}
    >
      <ReportsNav />
      <FailureFilters {...url} />
      <QueryView query={report} skeleton={<AddingUp />}>
        {(found) => <Failures report={found} />}
      </QueryView>
    </Page>
  );
}

function FailureFilters({ field, clear, isNarrowed }: UrlFilter<Name>) {
  return (
    <Filters isNarrowed={isNarrowed} onClear={clear}>
      <DayFilter label="Due from" {...field('from')} />
      <DayFilter label="Due to" {...field('to')} />
      <FilterSelect label="Periods" {...field('by')} options={BY} />
    </Filters>
  );
}

function Failures({ report }: { report: FailureReport }) {
  if (!isAny(report.total.failed))
    return (
      <Card>
        <Empty title="No failures">
          No payment due {rangeWords(report.from, report.to)} has failed.
        </Empty>
      </Card>
    );
  return (
    <div className="stack">
      <FailureTime report={report} />
      <FailureParts report={report} split="reason" lead={summaryOf(report)} />
      <FailureParts report={report} split="bank" />
      <FailureParts report={report} split="amount" />
      <FailureParts report={report} split="age" />
      <AsOf at={report.as_of} />
    </div>
  );
}

function summaryOf({ total, from, to, currency }: FailureReport): string {
  const sum = (value: number) => formatMoney({ value, currency });
  const failed = `${countWords(total.failed.count, 'payment')} totalling ${sum(total.failed.value)}`;
  const share = total.recovered_share === null ? '' : ` (${shareWords(total.recovered_share)})`;
  return `Of what was due ${rangeWords(from, to)}, ${failed} failed; ${sum(total.recovered.value)}${share} was recovered.`;
}
