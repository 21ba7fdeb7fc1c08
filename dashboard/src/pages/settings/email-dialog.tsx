import { Dialog } from '../../ui/dialog.tsx';

interface EmailDialogProps {
  title: string;
  subject: string;
  text: string;
  /** Where the email is, as it looks. */
  address: string;
  onClose: () => void;
}

/** Shows an email, as it looks and as plain text. */
export function EmailDialog({ title, subject, text, address, onClose }: EmailDialogProps) {
  return (
    <Dialog isOpen onClose={onClose} title={title} size="large">
      <div className="dialog-body">
        <p>
          <strong>{subject}</strong>
        </p>
        <iframe
          className="email-frame"
          title={`The email as it looks: ${subject}`}
          sandbox="allow-same-origin"
          src={address}
        />
        <details>
          <summary>As plain text</summary>
          <pre className="email-text">{text}</pre>
        </details>
      </div>
    </Dialog>
  );
}
