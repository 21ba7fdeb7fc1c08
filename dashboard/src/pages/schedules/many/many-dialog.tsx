import type { ChangeOfSchedules } from '@recollect/sdk';
import { useNavigate } from 'react-router';
import type { Preview, ScheduleChange } from '../../../api/schedule-changes.ts';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/data/skeleton.tsx';
import { errorText } from '../../../ui/error-text.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Dialog, DialogActions } from '../../../ui/overlays/dialog.tsx';
import { ChangeAmount } from './change-amount.tsx';
import { ConfirmChange } from './confirm-change.tsx';
import { Effects } from './effects.tsx';
import { changing } from './many-words.ts';

interface ManyDialogProps {
  title: string;
  preview: Preview;
  /** Fetches what another amount would mean; absent: the preview needs no further answer. */
  onAmount: ((change: ChangeOfSchedules) => Promise<unknown>) | undefined;
  onClose: () => void;
}

/** Says what an act means for the chosen schedules, and carries it out. */
export function ManyDialog({ title, preview, onAmount, onClose }: ManyDialogProps) {
  if (preview.data !== undefined) return <Outcome change={preview.data} onClose={onClose} />;
  if (onAmount !== undefined)
    return <ChangeAmount title={title} onClose={onClose} onPreview={onAmount} />;
  return (
    <Dialog isOpen onClose={onClose} title={title} size="small">
      <div className="dialog-body">
        {preview.error === null ? (
          <Skeleton lines={4} />
        ) : (
          <Notice tone="danger" title={errorText(preview.error).title}>
            {errorText(preview.error).advice}
          </Notice>
        )}
      </div>
      <DialogActions>
        <Button onPress={onClose}>Go back</Button>
      </DialogActions>
    </Dialog>
  );
}

interface OutcomeProps {
  change: ScheduleChange;
  onClose: () => void;
}

function Outcome({ change, onClose }: OutcomeProps) {
  const navigate = useNavigate();
  const page = `/schedules/changes/${change.id}`;
  const seeEach = <LinkButton to={page}>See each schedule</LinkButton>;
  if (changing(change) === 0)
    return (
      <Dialog isOpen onClose={onClose} title="Nothing to change" size="small">
        <div className="dialog-body">
          <Effects change={change} />
        </div>
        <DialogActions>
          {seeEach}
          <Button variant="primary" onPress={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    );
  return (
    <ConfirmChange change={change} onClose={onClose} onStarted={() => void navigate(page)}>
      <p>{seeEach}</p>
    </ConfirmChange>
  );
}
