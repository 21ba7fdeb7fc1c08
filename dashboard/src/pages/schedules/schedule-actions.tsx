import type { Schedule } from '@recollect/sdk';
import { type ReactNode, useState } from 'react';
import { useUpdateSchedule } from '../../api/schedules.ts';
import { useCan } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { toast } from '../../ui/toast.tsx';

type Step = 'pause' | 'resume' | 'cancel';

interface Words {
  to: 'active' | 'paused' | 'cancelled';
  title: string;
  confirmLabel: string;
  tone: 'danger' | 'primary';
  done: string;
}

const WORDS: Readonly<Record<Step, Words>> = {
  pause: {
    to: 'paused',
    title: 'Pause this schedule?',
    confirmLabel: 'Pause',
    tone: 'primary',
    done: 'The schedule is paused.',
  },
  resume: {
    to: 'active',
    title: 'Resume this schedule?',
    confirmLabel: 'Resume',
    tone: 'primary',
    done: 'The schedule is active again.',
  },
  cancel: {
    to: 'cancelled',
    title: 'Cancel this schedule for good?',
    confirmLabel: 'Cancel the schedule',
    tone: 'danger',
    done: 'The schedule is cancelled.',
  },
};

/** What can be done with a schedule now, by those whose role allows it; each step is asked about first. */
export function ScheduleActions({ schedule }: { schedule: Schedule }) {
  const [step, setStep] = useState<Step | null>(null);
  const mayManage = useCan('manage_schedules');
  const { status, consented } = schedule;
  if (!mayManage || status === 'cancelled') return null;
  const cannotResume = status === 'paused' && consented === null;
  return (
    <>
      <LinkButton to={`/schedules/${schedule.id}/change`}>Change</LinkButton>
      {status === 'paused' ? (
        <Button
          onPress={() => setStep('resume')}
          isDisabled={cannotResume}
          aria-describedby={cannotResume ? 'why-no-resume' : undefined}
        >
          Resume
        </Button>
      ) : (
        <Button onPress={() => setStep('pause')}>Pause</Button>
      )}
      <Button onPress={() => setStep('cancel')}>Cancel schedule</Button>
      {cannotResume ? (
        <p id="why-no-resume" className="quiet small">
          It can be resumed once the customer has agreed.
        </p>
      ) : null}
      <Confirm schedule={schedule} step={step} onClose={() => setStep(null)} />
    </>
  );
}

interface ConfirmProps {
  schedule: Schedule;
  step: Step | null;
  onClose: () => void;
}

function Confirm({ schedule, step, onClose }: ConfirmProps) {
  const update = useUpdateSchedule(schedule.id);
  // The words stay while the dialog goes.
  const [shown, setShown] = useState<Step>('pause');
  if (step !== null && step !== shown) setShown(step);
  const words = WORDS[shown];
  return (
    <ConfirmDialog
      isOpen={step !== null}
      onClose={onClose}
      title={words.title}
      confirmLabel={words.confirmLabel}
      cancelLabel="Leave it as it is"
      tone={words.tone}
      onConfirm={async () => {
        await update.mutateAsync({ status: words.to });
        toast(words.done, 'success');
      }}
    >
      {CONSEQUENCES[shown](schedule)}
    </ConfirmDialog>
  );
}

const CONSEQUENCES: Readonly<Record<Step, (schedule: Schedule) => ReactNode>> = {
  pause: ({ status }) => (
    <ul>
      <li>
        Nothing is collected until you resume. What falls due meanwhile is skipped, not made up for.
      </li>
      {status === 'pending_consent' ? (
        <li>The customer can still agree; it counts once you resume.</li>
      ) : (
        <>
          <li>
            Payments that wait for a retry are ended as failed. One that is with the bank may still
            arrive.
          </li>
          <li>The customer’s consent stays as it is.</li>
        </>
      )}
    </ul>
  ),
  resume: () => (
    <ul>
      <li>Collecting goes on with the next occurrence.</li>
      <li>What fell due during the pause is not made up for.</li>
    </ul>
  ),
  cancel: ({ consented }) => (
    <ul>
      {consented === null ? (
        <li>The customer’s consent link stops working.</li>
      ) : (
        <li>
          The customer’s consent is revoked at the bank, unless other schedules collect under it
          too.
        </li>
      )}
      <li>Nothing more is collected, and payments that wait for a retry are ended as failed.</li>
      <li>A payment that is with the bank already may still arrive, and is accepted.</li>
      <li>
        <strong>It cannot be undone.</strong> To collect again you create a new schedule, and the
        customer agrees anew.
      </li>
    </ul>
  ),
};
