import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button } from '../button.tsx';
import { X } from '../icons.tsx';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  size?: 'small' | 'medium' | 'large';
  /** An action in progress must not be interrupted: neither Escape nor a click outside closes the dialog. */
  isBusy?: boolean;
  /** Requires a decision: read out as an alert. */
  isAlert?: boolean;
  children: ReactNode;
}

/** A window over the page, which takes the focus and returns it. */
export function Dialog(props: DialogProps) {
  const { isOpen, onClose, title, size = 'medium', isBusy = false, isAlert = false } = props;
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={!isBusy && !isAlert}
      isKeyboardDismissDisabled={isBusy}
    >
      <Modal className={`dialog dialog-${size}`}>
        <AriaDialog className="dialog-inside" role={isAlert ? 'alertdialog' : 'dialog'}>
          <header className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <AriaButton
              className="icon-button"
              aria-label="Close"
              onPress={onClose}
              isDisabled={isBusy}
            >
              <X aria-hidden="true" />
            </AriaButton>
          </header>
          {props.children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at the bottom of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <footer className="dialog-actions">{children}</footer>;
}

interface DoneDialogProps extends Omit<DialogProps, 'isBusy' | 'isAlert'> {
  doneLabel?: string;
}

/** A window that shows something, with one button, which closes it. */
export function DoneDialog({ doneLabel = 'Done', children, ...dialog }: DoneDialogProps) {
  return (
    <Dialog {...dialog}>
      {children}
      <DialogActions>
        <Button variant="primary" onPress={dialog.onClose}>
          {doneLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
