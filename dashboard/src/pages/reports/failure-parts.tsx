import type { FailureReport } from '../../../../server/src/dashboard/reports/view.ts';
import { useBankName } from '../../api/banks.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { reasonLabel } from '../lists/reasons.ts';
import { percentWords } from '../overview/figures.ts';
import { boundedWords, type Part, type Rise, type Split } from './failure-words.ts';
import { outcomeColumns } from './outcome-columns.tsx';
import { failedPayments, shareWords } from './report-words.ts';

const TITLES: Readonly<Record<Split, { title: string; header: string }>> = {
  reason: { title: 'By reason', header: 'Reason' },
  bank: { title: 'By bank', header: 'Bank' },
  amount: { title: 'By amount', header: 'Amount' },
  age: { title: 'By age of the schedule', header: 'Age when due' },
};

function BankName({ id }: { id: string }) {
  return <>{useBankName(id)}</>;
}

/** The name of a part: a reason's meaning, a bank's name, or the bounds of amounts or ages. */
function PartName({ split, part, report }: Rise & { report: FailureReport }) {
  if (split === 'bank') return <BankName id={part.part} />;
  if (split === 'reason') return <>{reasonLabel(part.part) ?? part.message}</>;
  return <>{boundedWords(split, Number(part.part), report.bounds[split])}</>;
}

/** Returns the list of the lost payments of a part; undefined: no filter of payments finds them. */
function lostIn({ from, to, bounds }: FailureReport, split: Split, { part }: Part) {
  const place = Number(part);
  switch (split) {
    case 'reason':
      return failedPayments({ from, to, reason: part });
    case 'bank':
      return failedPayments({ from, to, bankId: part });
    case 'amount': {
      const { [place - 1]: least = null, [place]: below = null } = bounds.amount;
      return failedPayments({ from, to, amounts: { from: least, below } });
    }
    case 'age':
      return undefined;
  }
}

/** The payments of a range that failed, split one way, each part beside as many days before. */
export function FailureParts({
  report,
  split,
  lead,
}: {
  report: FailureReport;
  split: Split;
  lead?: string;
}) {
  const { title, header } = TITLES[split];
  return (
    <Card title={title} {...(lead === undefined ? {} : { lead })} isFlush>
      <DataTable<Part>
        label={`Failures ${title.toLowerCase()}`}
        rows={report.parts[split]}
        rowKey={({ part }) => part}
        columns={[
          { header, cell: (part) => <PartName split={split} part={part} report={report} /> },
          { header: 'Failure rate', align: 'end', cell: (part) => <Rate part={part} /> },
          ...outcomeColumns<Part>(report.currency, (part) => lostIn(report, split, part)),
        ]}
      />
    </Card>
  );
}

function Rate({ part: { failure_rate: now, before } }: { part: Part }) {
  return (
    <span className="stacked">
      <span className="nowrap">{shareWords(now)}</span>
      {before.failure_rate === null ? null : (
        <span className="quiet nowrap">was {percentWords(before.failure_rate)}</span>
      )}
    </span>
  );
}

/** Where a rise is, in a line for each split. */
export function Rises({ rises, report }: { rises: readonly Rise[]; report: FailureReport }) {
  if (rises.length === 0) return null;
  return (
    <div>
      <h3>Where the rise is</h3>
      <ul>
        {rises.map(({ split, part }) => (
          <li key={`${split} ${part.part}`}>
            <PartName split={split} part={part} report={report} />: {shareWords(part.failure_rate)},
            was {shareWords(part.before.failure_rate)}
          </li>
        ))}
      </ul>
    </div>
  );
}
