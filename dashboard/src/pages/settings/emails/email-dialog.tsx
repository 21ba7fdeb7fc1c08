import { Dialog } from '../../../ui/overlays/dialog.tsx';

interface EmailDialogProps {
  title: string;
  subject: string;
  /** The email in plain text; null: it is a text message. */
  text: string | null;
  /** Where the email is, as it looks. */
  address: string;
  /** As a text message; null: it is never sent as one. */
  textMessage: string | null;
  onClose: () => void;
}

/** Shows an email, as it looks and as plain text, or a text message, or both. */
export function EmailDialog(props: EmailDialogProps) {
  const { title, subject, text, address, textMessage, onClose } = props;
  return (
    <Dialog isOpen onClose={onClose} title={title} size="large">
      <div className="dialog-body">
        <p>
          <strong>{subject}</strong>
        </p>
        {text === null ? null : (
          <>
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
          </>
        )}
        {textMessage === null ? null : (
          <section aria-label="As a text message">
            <p className="quiet small">As a text message</p>
            <p className="text-message">{textMessage}</p>
          </section>
        )}
      </div>
    </Dialog>
  );
}
