import type { KindItem } from '../../api/notices.ts';
import { Dialog } from '../../ui/dialog.tsx';

type Email = Pick<KindItem['preview'], 'subject' | 'lines'> &
  Partial<Pick<KindItem['preview'], 'button' | 'footer'>>;

/** Shows what an email says. Its button is a picture of one: links are never shown again. */
export function EmailDialog({
  title,
  email,
  onClose,
}: {
  title: string;
  email: Email;
  onClose: () => void;
}) {
  const { subject, lines, button = null, footer } = email;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <div className="preview">
        <p>
          <strong>{subject}</strong>
        </p>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {button === null ? null : <p className="email-button">{button}</p>}
        {footer === undefined ? null : <p className="quiet small">{footer}</p>}
      </div>
    </Dialog>
  );
}
