import { type DisputeFilter, useDisputes } from '../../api/disputes.ts';
import { choicesOf } from '../../ui/fields/choices.ts';
import { FilterSelect } from '../../ui/fields/filter-select.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { useTimeZone } from '../../ui/values/time-zone.tsx';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { ShapedListPage } from '../lists/list-page.tsx';
import { ListTotals } from '../lists/list-totals.tsx';
import { RangeFilters } from '../lists/range-filters.tsx';
import { RANGES, rangesOf } from '../lists/ranges.ts';
import { useUrlFilter } from '../lists/url-filter.ts';
import { REASONS, STATUSES } from './dispute-words.ts';
import { DISPUTE_COLUMNS } from './disputes-table.tsx';

const NAMES = ['q', 'status', 'reason', ...RANGES] as const;

/** Every dispute, newest first. */
export function DisputesPage() {
  const url = useUrlFilter(NAMES);
  const ranges = rangesOf(url.values, useTimeZone());
  const { status, reason } = url.values;
  const filter: DisputeFilter = {
    ...ranges,
    ...(status ? { status } : {}),
    ...(reason ? { reason } : {}),
  };
  return (
    <ShapedListPage
      title="Disputes"
      actions={<DownloadCsv of="/api/v1/disputes" filter={{ ...filter }} />}
      filters={
        <>
          <FilterSelect
            label="Status"
            {...url.field('status')}
            options={choicesOf(STATUSES, 'All statuses')}
          />
          <FilterSelect
            label="Reason"
            {...url.field('reason')}
            options={choicesOf(REASONS, 'All reasons')}
          />
          <RangeFilters dates="Raised" url={url} />
        </>
      }
      url={url}
      list="disputes"
      bar={<ListTotals of="/api/v1/disputes" filter={{ ...filter }} noun="dispute" />}
      query={useDisputes(filter)}
      columns={DISPUTE_COLUMNS}
      rowPath="/disputes"
      unmatched={{ title: 'No disputes match', showAll: 'Show all' }}
      empty={{
        title: 'No disputes',
        text: 'Customers can say on their page that they do not recognise a payment. Or record one on the payment.',
        action: <LinkButton to="/payments">View payments</LinkButton>,
      }}
    />
  );
}
