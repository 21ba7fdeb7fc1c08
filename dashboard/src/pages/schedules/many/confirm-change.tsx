import type { ReactNode } from 'react';
import { type ScheduleChange, useRunChange } from '../../../api/schedule-changes.ts';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { countWords } from '../../overview/figures.ts';
import { Effects } from './effects.tsx';
import { ACTS, actOf, changeTitle, changing } from './many-words.ts';

interface ConfirmChangeProps {
  change: ScheduleChange;
  onClose: () => void;
  onStarted?: () => void;
  /** Stands below what the change means. */
  children?: ReactNode;
}

/** Starts a preview, after confirmation. */
export function ConfirmChange({ change, onClose, onStarted, children }: ConfirmChangeProps) {
  const run = useRunChange();
  const { confirm, tone, consequence } = ACTS[actOf(change)];
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`${changeTitle(change)}?`}
      confirmLabel={confirm(countWords(changing(change), 'schedule'))}
      cancelLabel="Go back"
      tone={tone}
      onConfirm={async () => {
        await run.mutateAsync(change.id);
        onStarted?.();
      }}
    >
      <Effects change={change} />
      <p>{consequence}</p>
      {children}
    </ConfirmDialog>
  );
}
