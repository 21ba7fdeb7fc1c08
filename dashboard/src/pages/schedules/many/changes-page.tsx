import { type ScheduleChange, useScheduleChanges } from '../../../api/schedule-changes.ts';
import { Badge } from '../../../ui/badge.tsx';
import type { Column } from '../../../ui/data/data-table.tsx';
import { Empty } from '../../../ui/data/empty.tsx';
import { ListCard } from '../../../ui/data/list-card.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { Page } from '../../../ui/page.tsx';
import { When } from '../../../ui/values/when.tsx';
import { STATUSES } from './changed-columns.tsx';
import { changeTitle } from './many-words.ts';

const COLUMNS: readonly Column<ScheduleChange>[] = [
  { header: 'Change', cell: (change) => changeTitle(change) },
  {
    header: 'Status',
    cell: ({ status }) => <Badge tone={STATUSES[status].tone}>{STATUSES[status].label}</Badge>,
  },
  { header: 'Need new consent', cell: ({ needs_consent: count }) => count.toLocaleString('en-GB') },
  {
    header: 'Refused or failed',
    cell: ({ refused, failed }) => (refused + failed).toLocaleString('en-GB'),
  },
  { header: 'Asked for', cell: ({ created_at: at }) => <When at={at} as="datetime" /> },
];

/** The latest changes of many schedules. */
export function ChangesPage() {
  return (
    <Page
      title="Changes of many schedules"
      back={{ to: '/schedules', label: 'Schedules' }}
      lead="Changes and previews of the last 90 days."
    >
      <ListCard
        label="Changes of many schedules"
        query={useScheduleChanges()}
        columns={COLUMNS}
        rowPath="/schedules/changes"
        empty={
          <Empty
            title="No changes yet"
            action={<LinkButton to="/schedules">View schedules</LinkButton>}
          >
            Select schedules in the list to change their amounts, or to pause, resume or cancel them
            together.
          </Empty>
        }
      />
    </Page>
  );
}
