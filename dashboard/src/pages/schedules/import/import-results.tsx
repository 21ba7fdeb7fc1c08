import { type ImportResult, importErrorsCsv, importLinksCsv, RecollectError } from '@recollect/sdk';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { DataTable } from '../../../ui/data/data-table.tsx';
import { errorText } from '../../../ui/error-text.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { countWords } from '../../overview/figures.ts';

const MAX_SHOWN = 50;
const WHAT_HAPPENS =
  'Each line becomes a schedule that waits for its customer’s consent. ' +
  'Customers with an email get the link at once if you have turned that email on under Settings, Emails.';

/** What a check found, and the button that imports what is good. */
export function Checked({ result, onImport }: { result: ImportResult; onImport: () => void }) {
  const { valid, existing, invalid } = result.counts;
  const isNothing = valid === 0;
  return (
    <>
      <Card
        title={isNothing ? 'Nothing to import' : `${countWords(valid, 'line')} ready to import`}
        lead={foundWords(existing, invalid)}
        actions={
          isNothing ? undefined : (
            <Button variant="primary" onPress={onImport}>
              Import {countWords(valid, 'schedule')}
            </Button>
          )
        }
      >
        <p>{isNothing ? 'Correct the file, and choose it again.' : WHAT_HAPPENS}</p>
      </Card>
      <Problems result={result} />
    </>
  );
}

/** What an import created, with the links for the customers. */
export function Imported({ result }: { result: ImportResult }) {
  const { created, existing, invalid } = result.counts;
  return (
    <>
      <Card
        title={`${countWords(created, 'schedule')} created`}
        lead={foundWords(existing, invalid)}
        actions={
          <>
            <LinkButton to="/schedules">Go to the schedules</LinkButton>
            <Button
              variant="primary"
              onPress={() => saveFile('consent-links.csv', importLinksCsv(result), 'text/csv')}
            >
              Download the consent links
            </Button>
          </>
        }
      >
        <p>
          Send each customer their link: the file has one row per schedule, with the customer and
          the link.
        </p>
      </Card>
      <Problems result={result} />
    </>
  );
}

function foundWords(existing: number, invalid: number): string {
  const known = existing === 0 ? [] : [`${countWords(existing, 'line')} imported before`];
  const wrong =
    invalid === 0 ? 'no line has a problem' : `${countWords(invalid, 'line')} with a problem`;
  const text = [...known, wrong].join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function Problems({ result }: { result: ImportResult }) {
  const problems = result.lines.flatMap(({ line, errors }) =>
    errors.map(({ column, reason }) => ({ line, column, reason })),
  );
  if (problems.length === 0) return null;
  return (
    <Card
      title="Problems"
      lead={
        problems.length > MAX_SHOWN
          ? `The first ${MAX_SHOWN} of ${problems.length.toLocaleString('en-GB')}.`
          : 'These lines are left out.'
      }
      actions={
        <Button
          onPress={() => saveFile('import-problems.csv', importErrorsCsv(result), 'text/csv')}
        >
          Download the problems
        </Button>
      }
      isFlush
    >
      <DataTable
        label="Problems"
        rows={problems.slice(0, MAX_SHOWN)}
        rowKey={({ line, column, reason }) => `${line} ${column} ${reason}`}
        columns={[
          { header: 'Line', cell: ({ line }) => `Line ${line}` },
          {
            header: 'Column',
            cell: ({ column }) => column?.replaceAll('_', ' ') ?? 'The whole line',
          },
          { header: 'Reason', cell: ({ reason }) => reason },
        ]}
      />
    </Card>
  );
}

/** Why a file could not be read or imported at all. `isHalfDone`: some of it may have been. */
export function Refused({ error, isHalfDone }: { error: unknown; isHalfDone?: boolean }) {
  const isAboutFile = error instanceof RangeError || fileProblem(error) !== undefined;
  const { title, advice } = errorText(error);
  return (
    <Notice tone="danger" title={isAboutFile ? 'This file cannot be imported' : title}>
      {fileProblem(error) ?? advice}
      {isHalfDone ? ' Choose the file again to go on: what exists is recognised.' : null}
    </Notice>
  );
}

/** What the service says is wrong with the file as a whole. */
function fileProblem(error: unknown): string | undefined {
  if (!(error instanceof RecollectError)) return undefined;
  const problem = error.details?.csv;
  return problem === undefined ? undefined : `The file ${problem}.`;
}
