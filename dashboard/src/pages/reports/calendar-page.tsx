import type { CalendarReport } from '../../../../server/src/dashboard/reports/view.ts';
import { REPORT_PATHS, useReport } from '../../api/reports.ts';
import { Card } from '../../ui/card.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { useUrlFilter } from '../lists/url-filter.ts';
import { AddingUp } from './adding-up.tsx';
import { AsOf } from './as-of.tsx';
import './calendar.css';
import { CalendarDay } from './calendar-day.tsx';
import { emptyDaysBefore, monthFrom, planWords, WEEKDAYS } from './calendar-words.ts';
import { monthWords } from './report-words.ts';
import { ReportsNav } from './reports-nav.tsx';

/** A month day by day: what was planned, what of it was collected, and what was paid out. */
export function CalendarPage() {
  const { values } = useUrlFilter<'month'>(['month']);
  const report = useReport('calendar', values);
  return (
    <Page
      title={report.data === undefined ? 'Calendar' : `Calendar ${monthWords(report.data.month)}`}
      lead="What is due each day and how it stands, and what was paid out to your account."
      actions={<DownloadCsv of={REPORT_PATHS.calendar} filter={values} />}
    >
      <ReportsNav />
      <QueryView query={report} skeleton={<AddingUp />}>
        {(found) => <Month report={found} />}
      </QueryView>
    </Page>
  );
}

function Month({ report }: { report: CalendarReport }) {
  const { month, days, total, currency } = report;
  const most = Math.max(1, ...days.map(({ planned }) => planned.value));
  return (
    <div className="stack">
      <Card
        title={monthWords(month)}
        lead={planWords(total, (value) => formatMoney({ value, currency }))}
        actions={<OtherMonths of={report} />}
      >
        <div className="calendar">
          <div className="calendar-weekdays" aria-hidden="true">
            {WEEKDAYS.map((name) => (
              <span key={name}>{name}</span>
            ))}
          </div>
          <ol className="calendar-days">
            {days.map((day, i) => (
              <CalendarDay
                key={day.date}
                day={day}
                most={most}
                currency={currency}
                isToday={day.date === report.today}
                column={i === 0 ? emptyDaysBefore(day.date) + 1 : undefined}
              />
            ))}
          </ol>
        </div>
      </Card>
      <AsOf at={report.as_of} />
    </div>
  );
}

function OtherMonths({ of: { month, today } }: { of: CalendarReport }) {
  const [before, after] = [monthFrom(month, -1), monthFrom(month, 1)];
  return (
    <>
      <LinkButton to={`?month=${before}`} size="small">
        {monthWords(before)}
      </LinkButton>
      {after > monthFrom(today.slice(0, 7), 12) ? null : (
        <LinkButton to={`?month=${after}`} size="small">
          {monthWords(after)}
        </LinkButton>
      )}
    </>
  );
}
