import type { Payment, Schedule } from '@recollect/sdk';
import { type ReactNode, useState } from 'react';
import { useComing, useSchedulePayments } from '../../../api/schedules.ts';
import { useCan } from '../../../app/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { type Coming, Occurrences } from '../form/occurrences.tsx';
import { ChangeUpcoming } from './change-upcoming.tsx';

/** How many are shown at first. */
const FIRST = 6;

const LEADS: Readonly<Record<Schedule['status'], string | undefined>> = {
  active: undefined,
  pending_consent: 'Once the customer has agreed',
  paused: 'Once the schedule is resumed; collections due in the meantime are skipped',
  cancelled: undefined,
};

/** The next collections. */
export function ComingCard({ schedule }: { schedule: Schedule }) {
  const coming = useComing(schedule.id);
  const isOver = schedule.status === 'cancelled';
  const mayChange = useCan('manage_schedules') && !isOver;
  const payments = useSchedulePayments(schedule.id);
  const waiting = (payments.data ?? []).filter(({ status }) => status === 'pending');
  return (
    <Card title="Coming collections" lead={LEADS[schedule.status]}>
      <QueryView query={coming}>
        {(occurrences) =>
          occurrences.length + waiting.length === 0 ? (
            <p className="quiet">
              None:{' '}
              {schedule.end_date === null
                ? 'nothing is due.'
                : 'the last one has been collected, or the schedule has ended.'}
            </p>
          ) : (
            <Listed
              occurrences={inOrder([...waiting.map(attemptOf), ...occurrences])}
              actions={(one) =>
                mayChange && one.payment_id === undefined ? (
                  <ChangeUpcoming schedule={schedule} one={one} />
                ) : null
              }
            />
          )
        }
      </QueryView>
    </Card>
  );
}

/** The next attempt at a payment that waits, as one of the coming collections. */
function attemptOf({
  id: payment_id,
  next_retry_at: retry,
  due_date,
  amount,
  kind,
  description,
}: Payment): Coming {
  const single = kind === 'first' ? 'the first payment' : 'collected once, besides the schedule';
  const what = kind === 'scheduled' ? null : (description ?? single);
  return {
    payment_id,
    due_date: retry ?? due_date,
    amount,
    skipped: false,
    changed: false,
    reason: retry === null ? what : 'another attempt at a payment that failed',
  };
}

const inOrder = (occurrences: Coming[]): Coming[] =>
  occurrences.sort((a, b) => a.due_date.localeCompare(b.due_date));

interface ListedProps {
  occurrences: readonly Coming[];
  actions: (one: Coming) => ReactNode;
}

function Listed({ occurrences, actions }: ListedProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? occurrences : occurrences.slice(0, FIRST);
  const others = occurrences.length - shown.length;
  return (
    <>
      <Occurrences occurrences={shown} label="Coming collections" actions={actions} />
      {others === 0 ? null : (
        <div>
          <Button size="small" onPress={() => setWhole(true)}>
            {`Show ${others} more`}
          </Button>
        </div>
      )}
    </>
  );
}
