import type { Schedule } from '@recollect/sdk';
import { useParams } from 'react-router';
import { useSchedule, useScheduleConsent } from '../../../api/schedules.ts';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/data/empty.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { Skeleton } from '../../../ui/data/skeleton.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { When } from '../../../ui/values/when.tsx';
import { ComingCard } from './coming-card.tsx';
import { ConsentCard } from './consent-card.tsx';
import { ConsentNotice } from './consent-notice.tsx';
import { MetadataCard } from './metadata-card.tsx';
import { PaymentsCard } from './payments-card.tsx';
import { PendingChange } from './pending-change.tsx';
import { ScheduleActions } from './schedule-actions.tsx';
import '../form/schedules.css';
import { TermsCard } from './terms-card.tsx';
import { TimelineCard } from './timeline-card.tsx';
import { UnderWay } from './under-way.tsx';

/** One schedule: its terms, the consent, past and upcoming collections, and its history. */
export function SchedulePage() {
  const { id = '' } = useParams();
  const query = useSchedule(id);
  const { data } = query;
  return (
    <Page
      title={data?.description ?? 'Schedule'}
      back={{ to: '/schedules', label: 'Schedules' }}
      badge={data === undefined ? undefined : <Status schedule={data} />}
      actions={data === undefined ? undefined : <ScheduleActions schedule={data} />}
    >
      <QueryView query={query} skeleton={<Waiting />}>
        {(schedule) => <Parts key={schedule.id} schedule={schedule} />}
      </QueryView>
    </Page>
  );
}

function Status({ schedule: { id, status } }: { schedule: Schedule }) {
  const { data } = useScheduleConsent(id);
  return <StatusBadge status={data?.is_failing === true ? 'active_failing' : status} />;
}

function Parts({ schedule }: { schedule: Schedule }) {
  const isOver = schedule.status === 'cancelled';
  return (
    <>
      <ConsentNotice schedule={schedule} />
      <PendingChange schedule={schedule} />
      <PausedUntil schedule={schedule} />
      <UnderWay schedule={schedule} />
      <div className="halves">
        <div className="half">
          <TermsCard schedule={schedule} />
          <ConsentCard schedule={schedule} />
          <PaymentsCard schedule={schedule} />
        </div>
        <div className="half">
          {isOver ? (
            <Card title="Coming collections">
              <Empty title="No more collections">This schedule has been cancelled.</Empty>
            </Card>
          ) : (
            <ComingCard schedule={schedule} />
          )}
          <MetadataCard metadata={schedule.metadata} />
          <TimelineCard scheduleId={schedule.id} />
        </div>
      </div>
    </>
  );
}

/** Says when a pause ends automatically. */
function PausedUntil({ schedule: { status, resume_at: at } }: { schedule: Schedule }) {
  if (status !== 'paused' || at === null) return null;
  return (
    <Notice tone="info">
      Paused until <When at={at} as="datetime" />. It resumes automatically.
    </Notice>
  );
}

function Waiting() {
  return (
    <div className="halves">
      {['terms', 'coming'].map((name) => (
        <Card key={name}>
          <Skeleton lines={8} />
        </Card>
      ))}
    </div>
  );
}
