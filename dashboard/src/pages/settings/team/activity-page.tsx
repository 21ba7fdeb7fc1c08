import type { ReactNode } from 'react';
import type { ActivityItem } from '../../../../../server/src/dashboard/activity/view.ts';
import { ACTIVITY, useActivity } from '../../../api/activity.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Id } from '../../../ui/id.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { When } from '../../../ui/when.tsx';
import { DownloadCsv } from '../../lists/download-csv.tsx';
import { SettingsNav } from '../frame/settings-nav.tsx';
import { ActivityFilters, useActivityFilter } from './activity-filters.tsx';
import '../../lists/lists.css';

/** Who changed what: the team, its API keys, the customers and the operators, filtered by the address. */
export function ActivityPage() {
  const { filter, ...url } = useActivityFilter();
  const activity = useActivity(filter);
  return (
    <Page
      title="Activity"
      lead="Everything that people and API keys have changed. Entries cannot be edited or deleted."
      actions={<DownloadCsv of={ACTIVITY} filter={{ ...filter }} />}
    >
      <SettingsNav />
      <ActivityFilters {...url} />
      <Card isFlush>
        <QueryView query={activity}>
          {(rows) =>
            rows.length === 0 ? (
              <Nothing isNarrowed={url.isNarrowed} onClear={url.clear} />
            ) : (
              <>
                <ActivityTable rows={rows} />
                <LoadMore query={activity} />
              </>
            )
          }
        </QueryView>
      </Card>
    </Page>
  );
}

function Nothing({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  return isNarrowed ? (
    <Empty title="No activity matches" action={<Button onPress={onClear}>Show all</Button>} />
  ) : (
    <Empty title="No activity yet">Changes appear here as soon as somebody makes one.</Empty>
  );
}

function ActivityTable({ rows }: { rows: ActivityItem[] }) {
  return (
    <DataTable<ActivityItem>
      label="Activity"
      rows={rows}
      rowKey={(one) => one.id}
      columns={[
        {
          header: 'When',
          cell: ({ at }) => (
            <span className="nowrap">
              <When at={at} as="datetime" />
            </span>
          ),
        },
        { header: 'Who', cell: ({ actor }) => <strong>{actor.name}</strong> },
        { header: 'What', cell: (one) => <What one={one} /> },
        { header: 'Of', cell: (one) => <Id value={one.object_id} {...linkTo(one)} /> },
      ]}
    />
  );
}

function What({ one: { title, reason } }: { one: ActivityItem }): ReactNode {
  return (
    <span className="stacked">
      <span>{title}</span>
      {reason === '' ? null : <span className="quiet">{reason}</span>}
    </span>
  );
}

/** The page of what was changed, where there is one. */
const PAGES: Readonly<Partial<Record<NonNullable<ActivityItem['subject']>, string>>> = {
  schedule: '/schedules',
  payment: '/payments',
  settlement: '/settlements',
  customer: '/customers',
  endpoint: '/webhooks/endpoints',
};

function linkTo({ subject, object_id: id, schedule_id: schedule }: ActivityItem): { to?: string } {
  const page = subject === null ? undefined : PAGES[subject];
  if (page !== undefined) return { to: `${page}/${id}` };
  return schedule === null ? {} : { to: `/schedules/${schedule}` };
}
