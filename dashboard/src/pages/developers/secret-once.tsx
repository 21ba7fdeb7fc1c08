import type { ReactNode } from 'react';
import { Notice } from '../../ui/notice.tsx';
import { DoneDialog } from '../../ui/overlays/dialog.tsx';
import { CopyButton } from '../../ui/values/copy-button.tsx';
import './developers.css';

interface Props {
  title: string;
  /** Its name on the copy button: `key`, `secret`. */
  noun: string;
  /** Null: closed. */
  secret: string | null;
  onClose: () => void;
  children: ReactNode;
}

/** A new key or secret. It is never shown again. */
export function SecretOnce({ title, noun, secret, onClose, children }: Props) {
  return (
    <DoneDialog
      isOpen={secret !== null}
      onClose={onClose}
      title={title}
      doneLabel="I have saved it"
    >
      <Notice tone="warning">
        You will not be able to see it again. Copy it now and keep it on your server.
      </Notice>
      <div className="secret-once">
        <code>{secret}</code>
        <CopyButton value={secret ?? ''} label={`Copy the ${noun}`} />
      </div>
      {children}
    </DoneDialog>
  );
}
