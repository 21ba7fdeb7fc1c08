import type { ScheduleStatus } from '@recollect/sdk';
import { Plus } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { type ScheduleFilter, useSchedules } from '../../api/schedules.ts';
import { Can } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { SchedulesTable } from './schedules-table.tsx';
import './schedules.css';

const STATUSES: readonly { value: ScheduleStatus; label: string }[] = [
  { value: 'active', label: 'Active' },
  { value: 'pending_consent', label: 'Waiting for consent' },
  { value: 'paused', label: 'Paused' },
  { value: 'cancelled', label: 'Cancelled' },
];

/** Returns the list's filter from the address, and functions to change it. */
function useFilter() {
  const [params, setParams] = useSearchParams();
  const status = STATUSES.find(({ value }) => value === params.get('status'))?.value;
  const search = params.get('q') ?? '';
  const set = (name: 'q' | 'status', value: string) =>
    setParams(
      (now) => {
        if (value === '') now.delete(name);
        else now.set(name, value);
        return now;
      },
      { replace: true },
    );
  const filter: ScheduleFilter = {
    ...(search === '' ? {} : { q: search }),
    ...(status === undefined ? {} : { status }),
  };
  return { filter, search, status, set, clear: () => setParams({}, { replace: true }) };
}

/** Every schedule, filtered by the address. */
export function SchedulesPage() {
  const { filter, search, status, set, clear } = useFilter();
  const schedules = useSchedules(filter);
  const isNarrowed = search !== '' || status !== undefined;
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
      <div className="filters">
        <SearchField
          label="Search schedules"
          placeholder="Words, customer, amount, ID"
          value={search}
          onChange={(text) => set('q', text)}
        />
        <FilterSelect
          label="Status"
          value={status ?? ''}
          onChange={(value) => set('status', value)}
          options={[{ value: '', label: 'All statuses' }, ...STATUSES]}
        />
      </div>
      <QueryView query={schedules} skeleton={<Skeleton lines={8} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Nothing isNarrowed={isNarrowed} onClear={clear} />
          ) : (
            <Card isFlush>
              <SchedulesTable rows={rows} />
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
