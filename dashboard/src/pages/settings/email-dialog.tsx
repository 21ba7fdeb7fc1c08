import type { NoticeItem } from '../../api/notices.ts';
import { Dialog } from '../../ui/dialog.tsx';

/** Shows what an email said, without its link: links are never shown again. */
export function EmailDialog({
  title,
  email,
  onClose,
}: {
  title: string;
  email: Pick<NoticeItem, 'subject' | 'lines'>;
  onClose: () => void;
}) {
  const { subject, lines } = email;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <div className="preview">
        <p>
          <strong>{subject}</strong>
        </p>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </Dialog>
  );
}
