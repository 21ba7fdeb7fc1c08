import type { ChangeOfSchedules } from '@recollect/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import {
  type ChosenSchedules,
  previewMany,
  type ScheduleChange,
} from '../../../api/schedule-changes.ts';
import { Button } from '../../../ui/button.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { Dialog, DialogActions } from '../../../ui/overlays/dialog.tsx';
import { countWords } from '../../overview/figures.ts';
import { ChangeAmount } from './change-amount.tsx';
import { ConfirmChange } from './confirm-change.tsx';
import { Effects } from './effects.tsx';
import { ACTS, changing, type ManyAct } from './many-words.ts';

interface ManyDialogProps {
  act: ManyAct;
  chosen: ChosenSchedules;
  count: number;
  onClose: () => void;
}

const CHANGES: Readonly<Record<Exclude<ManyAct, 'amount'>, ChangeOfSchedules>> = {
  pause: { status: 'paused' },
  resume: { status: 'active' },
  cancel: { status: 'cancelled' },
  link: { send_link: true },
};

/** Says what an act means for the chosen schedules, and carries it out. */
export function ManyDialog({ act, chosen, count, onClose }: ManyDialogProps) {
  const [preview, setPreview] = useState<ScheduleChange | null>(null);
  const title = ACTS[act].title(countWords(count, 'schedule'));
  if (preview !== null) return <Outcome change={preview} onClose={onClose} />;
  if (act !== 'amount')
    return (
      <Previewing {...{ title, chosen, onClose, onPreview: setPreview }} change={CHANGES[act]} />
    );
  return (
    <ChangeAmount
      title={title}
      onClose={onClose}
      onPreview={async (change) => setPreview(await previewMany(chosen, change))}
    />
  );
}

interface PreviewingProps {
  title: string;
  chosen: ChosenSchedules;
  change: ChangeOfSchedules;
  onClose: () => void;
  onPreview: (change: ScheduleChange) => void;
}

/** Fetches a preview that needs no further question. */
function Previewing({ title, chosen, change, onClose, onPreview }: PreviewingProps) {
  const query = useQuery({
    queryKey: ['schedule-changes', 'preview', chosen, change],
    queryFn: async () => {
      const preview = await previewMany(chosen, change);
      onPreview(preview);
      return preview;
    },
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Dialog isOpen onClose={onClose} title={title} size="small">
      <div className="dialog-body">
        <QueryView query={query}>{() => null}</QueryView>
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
