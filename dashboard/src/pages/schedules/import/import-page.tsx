import { useState } from 'react';
import { useImport } from '../../../api/import.ts';
import { useCan } from '../../../app/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/data/empty.tsx';
import { Progress } from '../../../ui/data/progress.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { Page } from '../../../ui/page.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { Checked, Imported, Refused } from './import-results.tsx';
import { TEMPLATE } from './import-template.ts';
import '../form/schedules.css';

/** Creates schedules from a CSV file: choose it, see what was found, import. */
export function ImportPage() {
  const mayImport = useCan('manage_schedules');
  return (
    <Page
      title="Import schedules"
      back={{ to: '/schedules', label: 'Schedules' }}
      lead="Create schedules for up to 10,000 customers from a CSV file. You can check everything before it is created."
    >
      {mayImport ? (
        <Steps />
      ) : (
        <Empty title="Your role cannot create schedules">
          Ask an owner of your team for another role.
        </Empty>
      )}
    </Page>
  );
}

function Steps() {
  const check = useImport(true);
  const run = useImport(false);
  const [file, setFile] = useState<File | null>(null);
  const isBusy = check.isPending || run.isPending;
  const choose = (chosen: File | undefined) => {
    if (chosen === undefined) return;
    setFile(chosen);
    run.reset();
    check.mutate(chosen);
  };
  return (
    <>
      <FileCard isBusy={isBusy} onChoose={choose} />
      {check.isPending ? <Working label="Checking the file" share={check.share} /> : null}
      {run.isPending ? <Working label="Importing" share={run.share} /> : null}
      {check.isError ? <Refused error={check.error} /> : null}
      {run.isError ? <Refused error={run.error} isHalfDone /> : null}
      {run.data !== undefined ? <Imported result={run.data} /> : null}
      {check.data !== undefined && !isBusy && run.data === undefined && file !== null ? (
        <Checked result={check.data} onImport={() => run.mutate(file)} />
      ) : null}
    </>
  );
}

interface FileCardProps {
  isBusy: boolean;
  onChoose: (file: File | undefined) => void;
}

function FileCard({ isBusy, onChoose }: FileCardProps) {
  return (
    <Card
      title="The file"
      lead="One line per schedule, with amounts in pounds. The template has the most common columns."
      actions={
        <>
          <LinkButton href="/docs/guides/moving-in" isNewTab>
            Read the guide
          </LinkButton>
          <Button onPress={() => saveFile('recollect-import.csv', TEMPLATE, 'text/csv')}>
            Download the template
          </Button>
        </>
      }
    >
      <div className="field">
        <label className="field-label" htmlFor="import-file">
          CSV file
        </label>
        <input
          id="import-file"
          className="input"
          type="file"
          accept=".csv,.txt,text/csv"
          disabled={isBusy}
          onClick={(event) => {
            event.currentTarget.value = ''; // so that a corrected file of the same name can be chosen
          }}
          onChange={(event) => onChoose(event.currentTarget.files?.[0])}
        />
      </div>
    </Card>
  );
}

function Working({ label, share }: { label: string; share: number }) {
  return (
    <Card title={label} lead="Keep this page open until it is finished.">
      <Progress label={label} value={share} />
    </Card>
  );
}
