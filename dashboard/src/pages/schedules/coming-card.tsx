import type { Schedule } from '@recollect/sdk';
import { useComing } from '../../api/schedules.ts';
import { Card } from '../../ui/card.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Occurrences } from './occurrences.tsx';

const LEADS: Readonly<Record<Schedule['status'], string | undefined>> = {
  active: undefined,
  pending_consent: 'Once the customer has agreed',
  paused: 'Once the schedule is resumed; what falls due meanwhile is skipped',
  cancelled: undefined,
};

/** The next collections. */
export function ComingCard({ schedule }: { schedule: Schedule }) {
  const coming = useComing(schedule.id);
  return (
    <Card title="Coming collections" lead={LEADS[schedule.status]}>
      <QueryView query={coming}>
        {(occurrences) =>
          occurrences.length === 0 ? (
            <p className="quiet">
              None:{' '}
              {schedule.end_date === null
                ? 'nothing is due.'
                : 'the last one was collected, or the end is past.'}
            </p>
          ) : (
            <Occurrences occurrences={occurrences} label="Coming collections" />
          )
        }
      </QueryView>
    </Card>
  );
}
