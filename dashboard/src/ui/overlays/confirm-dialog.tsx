import { type ReactNode, useState } from 'react';
import { Button } from '../button.tsx';
import { errorText } from '../error-text.ts';
import { Notice } from '../notice.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** Describes exactly what will happen. */
  children: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  tone?: 'danger' | 'primary';
  /** The dialog closes when it succeeds, and shows the error and stays open when it fails. */
  onConfirm: () => Promise<unknown>;
}

/** Asks for confirmation before an action. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { onClose, confirmLabel, cancelLabel = 'Cancel', tone = 'danger' } = props;
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const close = () => {
    setError(null);
    onClose();
  };
  const confirm = async () => {
    setPending(true);
    setError(null);
    try {
      await props.onConfirm();
      close();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={close}
      title={props.title}
      size="small"
      isBusy={isPending}
      isAlert
    >
      <div className="dialog-body">{props.children}</div>
      {error === null ? null : (
        <Notice tone="danger" title={errorText(error).title}>
          {errorText(error).advice}
        </Notice>
      )}
      <DialogActions>
        <Button onPress={close} isDisabled={isPending} autoFocus>
          {cancelLabel}
        </Button>
        <Button variant={tone} onPress={confirm} isPending={isPending}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
