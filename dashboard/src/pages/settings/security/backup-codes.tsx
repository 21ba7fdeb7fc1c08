import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DialogActions } from '../../../ui/dialog.tsx';
import { Download } from '../../../ui/icons.tsx';
import { saveFile } from '../../../ui/save-file.ts';

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
        <Button onPress={() => saveFile('recollect-backup-codes.txt', text)}>
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
