import type { Schedule } from '@recollect/sdk';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useCustomerLabel } from '../../../api/customers.ts';
import { useUpdateSchedule } from '../../../api/schedules.ts';
import { useCan } from '../../../app/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { DateTimeField } from '../../../ui/fields/date-time-field.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { AnotherAccount } from './another-account.tsx';
import { CollectOnce } from './collect-once.tsx';

type Step = 'pause' | 'resume' | 'cancel';

interface Words {
  to: 'active' | 'paused' | 'cancelled';
  /** Before the name of the customer. */
  title: string;
  confirmLabel: string;
  tone: 'danger' | 'primary';
  done: string;
}

const WORDS: Readonly<Record<Step, Words>> = {
  pause: {
    to: 'paused',
    title: 'Pause collections from',
    confirmLabel: 'Pause',
    tone: 'primary',
    done: 'Schedule paused.',
  },
  resume: {
    to: 'active',
    title: 'Resume collections from',
    confirmLabel: 'Resume',
    tone: 'primary',
    done: 'Schedule resumed.',
  },
  cancel: {
    to: 'cancelled',
    title: 'Cancel collections from',
    confirmLabel: 'Cancel schedule',
    tone: 'danger',
    done: 'Schedule cancelled.',
  },
};

/** The actions on a schedule, for roles that allow them; each asks for confirmation first. */
export function ScheduleActions({ schedule }: { schedule: Schedule }) {
  const [step, setStep] = useState<Step | null>(null);
  const mayManage = useCan('manage_schedules');
  const { status, consented } = schedule;
  if (!mayManage || status === 'cancelled') return null;
  const cannotResume = status === 'paused' && consented === null;
  return (
    <>
      <LinkButton to={`/schedules/${schedule.id}/change`}>Change</LinkButton>
      {status === 'active' && consented !== null ? <CollectOnce schedule={schedule} /> : null}
      <AnotherAccount scheduleId={schedule.id} />
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
          You can resume it once the customer has given consent.
        </p>
      ) : null}
      <Confirm schedule={schedule} step={step} onClose={() => setStep(null)} />
    </>
  );
}

/** When a pause ends automatically; null: it does not. */
interface Pause {
  resume_at: string | null;
}

const NO_END: Pause = { resume_at: null };

interface ConfirmProps {
  schedule: Schedule;
  step: Step | null;
  onClose: () => void;
}

function Confirm({ schedule, step, onClose }: ConfirmProps) {
  const update = useUpdateSchedule(schedule.id);
  // The text stays while the dialog closes.
  const [shown, setShown] = useState<Step>('pause');
  if (step !== null && step !== shown) setShown(step);
  const words = WORDS[shown];
  const customer = useCustomerLabel(schedule.customer.id);
  const { control, getValues, reset } = useForm<Pause>({ defaultValues: NO_END });
  return (
    <ConfirmDialog
      isOpen={step !== null}
      onClose={onClose}
      title={`${words.title} ${customer}?`}
      confirmLabel={words.confirmLabel}
      cancelLabel="Go back"
      tone={words.tone}
      onConfirm={async () => {
        const { resume_at } = getValues();
        const isUntil = shown === 'pause' && resume_at !== null;
        await update.mutateAsync({ status: words.to, ...(isUntil ? { resume_at } : {}) });
        toast(words.done, 'success');
        reset();
      }}
    >
      {CONSEQUENCES[shown](schedule)}
      {shown === 'pause' ? (
        <DateTimeField
          control={control}
          name="resume_at"
          label="Resume on (leave empty to resume it yourself)"
        />
      ) : null}
    </ConfirmDialog>
  );
}

const CONSEQUENCES: Readonly<Record<Step, (schedule: Schedule) => ReactNode>> = {
  pause: ({ status }) => (
    <ul>
      <li>
        Nothing is collected until you resume. Collections that fall due in the meantime are skipped
        and not collected later.
      </li>
      {status === 'pending_consent' ? (
        <li>The customer can still give consent, which takes effect when you resume.</li>
      ) : (
        <>
          <li>
            Payments that wait for a retry or a later date are marked as failed. A payment already
            with the bank may still arrive.
          </li>
          <li>The customer’s consent stays in force.</li>
        </>
      )}
    </ul>
  ),
  resume: () => (
    <ul>
      <li>Collections continue with the next due date.</li>
      <li>Collections missed during the pause are not collected later.</li>
    </ul>
  ),
  cancel: ({ consented }) => (
    <ul>
      {consented === null ? (
        <li>The customer’s consent link stops working.</li>
      ) : (
        <li>The customer’s consent is revoked at the bank, unless other schedules use it too.</li>
      )}
      <li>Nothing more is collected, and pending payments are marked as failed.</li>
      <li>A payment already with the bank may still arrive and will be accepted.</li>
      <li>
        <strong>This cannot be undone.</strong> To collect again, create a new schedule and ask the
        customer for consent.
      </li>
    </ul>
  ),
};
