import type { ScheduleStatus } from '@recollect/sdk';
import { Link } from 'react-router';
import type { OverviewView } from '../../../../server/src/dashboard/overview/view.ts';
import { Card } from '../../ui/card.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

const LISTED: Readonly<Record<ScheduleStatus, true>> = {
  active: true,
  pending_consent: true,
  paused: true,
  cancelled: true,
};
const STATUSES = Object.keys(LISTED) as ScheduleStatus[];

/** The number of schedules per status, each with a link to them. */
export function SchedulesCard({ overview }: { overview: OverviewView }) {
  return (
    <Card title="Schedules" actions={<Link to="/schedules">All schedules</Link>}>
      <ul className="rows">
        {STATUSES.map((status) => (
          <li key={status}>
            <Link to={`/schedules?status=${status}`}>
              <StatusBadge status={status} />
              <span className="figures">{overview.schedules[status].toLocaleString('en-GB')}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
