import { useSchedules } from '../../../api/schedules.ts';
import { Can } from '../../../app/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Plus } from '../../../ui/icons.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { DownloadCsv } from '../../lists/download-csv.tsx';
import { ListTools } from '../../lists/list-tools.tsx';
import { useColumns } from '../../lists/use-columns.ts';
import { SCHEDULE_SORTS, ScheduleFilters, useScheduleFilter } from './schedule-filters.tsx';
import { SCHEDULE_COLUMNS, SchedulesTable } from './schedules-table.tsx';
import '../form/schedules.css';

/** Every schedule, filtered by the address. */
export function SchedulesPage() {
  const { filter, ...url } = useScheduleFilter();
  const schedules = useSchedules(filter);
  const columns = useColumns('schedules', SCHEDULE_COLUMNS, url);
  return (
    <Page
      title="Schedules"
      actions={
        <>
          <DownloadCsv of="/api/schedules" filter={{ ...filter }} />
          <Can do="manage_schedules">
            <LinkButton to="/schedules/import">Import</LinkButton>
          </Can>
          <CreateButton />
        </>
      }
    >
      <ScheduleFilters {...url} />
      <ListTools list="schedules" columns={columns} sorts={SCHEDULE_SORTS} url={url} />
      <QueryView query={schedules} skeleton={<Skeleton lines={8} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Nothing isNarrowed={url.isNarrowed} onClear={url.clear} />
          ) : (
            <Card isFlush>
              <SchedulesTable rows={rows} columns={columns.shown} />
              <LoadMore query={schedules} />
            </Card>
          )
        }
      </QueryView>
    </Page>
  );
}

function CreateButton() {
  return (
    <Can do="manage_schedules">
      <LinkButton variant="primary" to="/schedules/new">
        <Plus aria-hidden="true" /> New schedule
      </LinkButton>
    </Can>
  );
}

function Nothing({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  if (isNarrowed)
    return (
      <Empty
        title="No schedules match"
        action={<Button onPress={onClear}>Show all schedules</Button>}
      >
        Search for words of a description or of metadata, a customer’s name, email, phone or account
        number, an amount, or the start of an ID.
      </Empty>
    );
  return (
    <Empty title="No schedules yet" action={<CreateButton />}>
      A schedule sets what we collect from a customer, and when. Once the customer gives consent,
      payments are collected automatically.
    </Empty>
  );
}
