import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';

function save(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'recollect-backup-codes.txt';
  link.click();
  URL.revokeObjectURL(address);
}

/** The backup codes, to save in case the phone is lost. */
export function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <>
      <p>
        Keep these somewhere you can find without your phone. Each one works once, in place of a
        code from the app. They will not be shown again.
      </p>
      <ul className="backup-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="actions">
        <CopyButton value={text} label="Copy all" />
        <Button onPress={() => save(text)}>
          <Download aria-hidden="true" />
          Save as a file
        </Button>
      </div>
      <DialogActions>
        <Button variant="primary" onPress={onDone}>
          I have saved them
        </Button>
      </DialogActions>
    </>
  );
}
