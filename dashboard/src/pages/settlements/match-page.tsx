import { useState } from 'react';
import { DropZone } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useStatementMatches } from '../../api/settlements.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/data/skeleton.tsx';
import { Page } from '../../ui/page.tsx';
import { useDebounced } from '../schedules/form/debounced.ts';
import { type Chosen, readChosen } from './chosen-file.ts';
import { MatchResults, StatementRefused } from './match-results.tsx';
import './settlements.css';

const PAUSE_MS = 300;

/** Finds the settlement of each credit of the merchant's own bank statement, as soon as it is pasted or dropped. */
export function MatchPage() {
  const [pasted, setPasted] = useState('');
  const [file, setFile] = useState<Chosen | null>(null);
  const statement = useDebounced(file?.text ?? pasted, PAUSE_MS);
  const matches = useStatementMatches(statement);
  const choose = async (chosen: File | undefined) => {
    if (chosen !== undefined) setFile(await readChosen(chosen));
  };
  return (
    <Page
      title="Match a bank statement"
      back={{ to: '/settlements', label: 'Settlements' }}
      lead="Paste lines of your bank statement, or drop the file, and see which settlement each credit is. Nothing is stored."
    >
      <Card title="Your statement">
        <Input
          pasted={pasted}
          file={file}
          onPaste={setPasted}
          onFile={choose}
          onRemove={() => setFile(null)}
        />
      </Card>
      {file?.isTooLarge ? (
        <StatementRefused reason={`${file.name} is larger than 900 KB: choose a shorter period`} />
      ) : null}
      {matches.isLoading ? <Skeleton lines={4} /> : null}
      {matches.isError ? <StatementRefused error={matches.error} /> : null}
      {matches.data === undefined ? null : <MatchResults found={matches.data} />}
    </Page>
  );
}

interface InputProps {
  pasted: string;
  file: Chosen | null;
  onPaste: (text: string) => void;
  onFile: (file: File | undefined) => void;
  onRemove: () => void;
}

function Input({ pasted, file, onPaste, onFile, onRemove }: InputProps) {
  return (
    <DropZone
      className="statement-drop"
      aria-label="Drop a file here"
      onDrop={async ({ items }) => {
        const [dropped] = items.filter((item) => item.kind === 'file');
        if (dropped !== undefined) onFile(await dropped.getFile());
      }}
    >
      {file === null ? (
        <div className="field">
          <label className="field-label" htmlFor="statement-lines">
            Lines of the statement
          </label>
          <textarea
            id="statement-lines"
            className="input input-code"
            rows={5}
            value={pasted}
            placeholder="30/03/2026  FPI S260330K7M2Q9XB  1,082.50"
            spellCheck={false}
            onChange={(event) => onPaste(event.currentTarget.value)}
          />
        </div>
      ) : (
        <p>
          <strong>{file.name}</strong>
        </p>
      )}
      <div className="actions">
        <FileTrigger
          acceptedFileTypes={['.csv', '.txt', '.tsv', '.xml', 'text/csv', 'application/xml']}
          onSelect={(files) => onFile(files?.[0])}
        >
          <Button>{file === null ? 'Choose a file' : 'Choose another file'}</Button>
        </FileTrigger>
        {file === null ? (
          <span className="quiet">or drop one here: a CSV of any bank, or camt.053</span>
        ) : (
          <Button variant="ghost" onPress={onRemove}>
            Remove
          </Button>
        )}
      </div>
    </DropZone>
  );
}
