import type { ScheduleItem } from '../../../../../server/src/dashboard/schedules/list-view.ts';
import { useSchedules } from '../../../api/schedules.ts';
import { Can, useCan } from '../../../app/session.tsx';
import { Plus } from '../../../ui/icons.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { DownloadCsv } from '../../lists/download-csv.tsx';
import { ShapedListPage } from '../../lists/list-page.tsx';
import { useSelection } from '../many/selection.ts';
import { SelectionBar } from '../many/selection-bar.tsx';
import { SCHEDULE_SORTS, ScheduleFilters, useScheduleFilter } from './schedule-filters.tsx';
import { SCHEDULE_COLUMNS } from './schedules-table.tsx';
import '../form/schedules.css';

/** Every schedule, filtered by the address. */
export function SchedulesPage() {
  const { filter, ...url } = useScheduleFilter();
  const maySelect = useCan('manage_schedules');
  const selection = useSelection<ScheduleItem>(
    filter,
    ({ description, shown }) => `${description}, ${shown.customer}`,
  );
  const create = (
    <Can do="manage_schedules">
      <LinkButton variant="primary" to="/schedules/new">
        <Plus aria-hidden="true" /> New schedule
      </LinkButton>
    </Can>
  );
  return (
    <ShapedListPage
      title="Schedules"
      actions={
        <>
          <DownloadCsv of="/api/v1/schedules" filter={{ ...filter }} />
          <Can do="manage_schedules">
            <LinkButton to="/schedules/import">Import</LinkButton>
          </Can>
          {create}
        </>
      }
      filters={<ScheduleFilters {...url} />}
      url={url}
      list="schedules"
      sorts={SCHEDULE_SORTS}
      bar={<SelectionBar selection={selection} filter={filter} />}
      selection={maySelect ? selection.rows : undefined}
      query={useSchedules(filter)}
      columns={SCHEDULE_COLUMNS}
      rowPath="/schedules"
      unmatched={{
        title: 'No schedules match',
        showAll: 'Show all schedules',
        text: (
          <>
            Search for words of a description or of metadata, a customer’s name, email, phone or
            account number, an amount, or the start of an ID.
          </>
        ),
      }}
      empty={{
        title: 'No schedules yet',
        text: (
          <>
            A schedule sets what we collect from a customer, and when. Once the customer gives
            consent, payments are collected automatically.
          </>
        ),
        action: create,
      }}
    />
  );
}
