import type { ReactNode } from 'react';
import type { ActivityItem } from '../../../../../server/src/dashboard/activity/view.ts';
import { ACTIVITY, useActivity } from '../../../api/activity.ts';
import type { Column } from '../../../ui/data/data-table.tsx';
import { Id } from '../../../ui/values/id.tsx';
import { When } from '../../../ui/values/when.tsx';
import { DownloadCsv } from '../../lists/download-csv.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { SettingsNav } from '../frame/settings-nav.tsx';
import { ActivityFilters, useActivityFilter } from './activity-filters.tsx';

const COLUMNS: readonly Column<ActivityItem>[] = [
  {
    header: 'When',
    cell: ({ at }) => (
      <span className="nowrap">
        <When at={at} as="datetime" />
      </span>
    ),
  },
  { header: 'Who', cell: ({ actor }) => <strong>{actor.name}</strong> },
  { header: 'What', cell: whatCell },
  { header: 'Of', cell: (one) => <Id value={one.object_id} {...linkTo(one)} /> },
];

/** Who changed what: the team, its API keys, the customers and the operators, filtered by the address. */
export function ActivityPage() {
  const { filter, ...url } = useActivityFilter();
  return (
    <ListPage
      title="Activity"
      lead="Everything that people and API keys have changed. Entries cannot be edited or deleted."
      actions={<DownloadCsv of={ACTIVITY} filter={{ ...filter }} />}
      nav={<SettingsNav />}
      filters={<ActivityFilters {...url} />}
      url={url}
      query={useActivity(filter)}
      columns={COLUMNS}
      unmatched={{ title: 'No activity matches', showAll: 'Show all' }}
      empty={{
        title: 'No activity yet',
        text: 'Changes appear here as soon as somebody makes one.',
      }}
    />
  );
}

function whatCell({ title, reason }: ActivityItem): ReactNode {
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
