import { type KindItem, previewAddress } from '../../api/notices.ts';
import { Dialog } from '../../ui/dialog.tsx';

/** Shows an email with made-up facts, as it looks and as plain text. */
export function PreviewDialog({ kind, onClose }: { kind: KindItem; onClose: () => void }) {
  const { subject, text } = kind.preview;
  return (
    <Dialog isOpen onClose={onClose} title="Preview" size="large">
      <div className="dialog-body">
        <p>
          <strong>{subject}</strong>
        </p>
        <iframe
          className="email-frame"
          title={`The email as it looks: ${kind.title}`}
          sandbox="allow-same-origin"
          src={previewAddress(kind.kind)}
        />
        <details>
          <summary>As plain text</summary>
          <pre className="email-text">{text}</pre>
        </details>
      </div>
    </Dialog>
  );
}
