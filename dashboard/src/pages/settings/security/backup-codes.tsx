import { Button } from '../../../ui/button.tsx';
import { Download } from '../../../ui/icons.tsx';
import { DoneDialog } from '../../../ui/overlays/dialog.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { CopyButton } from '../../../ui/values/copy-button.tsx';

interface BackupCodesProps {
  title: string;
  codes: readonly string[];
  onClose: () => void;
}

/** The backup codes, to save in case the phone is lost. */
export function BackupCodesDialog({ title, codes, onClose }: BackupCodesProps) {
  const text = `${codes.join('\n')}\n`;
  return (
    <DoneDialog isOpen onClose={onClose} title={title} doneLabel="I have saved them">
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
        <Button onPress={() => saveFile('recollect-backup-codes.txt', text)}>
          <Download aria-hidden="true" />
          Save as a file
        </Button>
      </div>
    </DoneDialog>
  );
}
