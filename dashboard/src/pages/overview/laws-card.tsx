import type { OverviewView } from '../../../../server/src/dashboard/overview/view.ts';
import { Card } from '../../ui/card.tsx';
import { CircleCheck, CircleHelp, CircleX } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { When } from '../../ui/values/when.tsx';
import { lawWords } from './figures.ts';

type Finding = OverviewView['laws']['findings'][number];

/** The laws of money: whether each holds, when that was checked, and its text on demand. */
export function LawsCard({ overview }: { overview: OverviewView }) {
  const { checked_at, findings } = overview.laws;
  const broken = findings.filter((finding) => finding.holds === false);
  return (
    <Card title="Books checked" lead="Every check that the books must pass.">
      <p className="laws-sum">
        <Sum findings={findings} />{' '}
        <span className="quiet">
          {checked_at === null ? (
            'They are checked every hour.'
          ) : (
            <>
              Checked <When at={checked_at} as="relative" />.
            </>
          )}
        </span>
      </p>
      {broken.length === 0 ? null : (
        <Notice tone="danger" title="The books need attention">
          {broken.map((finding) => finding.sentence).join(' ')} This check fails. Tell whoever runs
          this service: the details are in its log and in <code>recollect audit</code>.
        </Notice>
      )}
      {findings.length === 0 ? null : (
        <details className="laws">
          <summary>What is checked</summary>
          <ul>
            {findings.map((finding) => (
              <Law key={finding.law} finding={finding} />
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

function Sum({ findings }: { findings: readonly Finding[] }) {
  const broken = findings.filter((finding) => finding.holds === false).length;
  const unknown = findings.filter((finding) => finding.holds === null).length;
  if (findings.length === 0) return <strong>Not checked yet.</strong>;
  if (broken > 0)
    return (
      <strong className="law-broken">
        {broken} of {findings.length} laws broken.
      </strong>
    );
  if (unknown > 0)
    return (
      <strong>
        {findings.length - unknown} of {findings.length} checks pass; {unknown} could not be made.
      </strong>
    );
  return (
    <strong className="law-holds">
      <CircleCheck aria-hidden="true" /> All {findings.length} checks pass.
    </strong>
  );
}

function Law({ finding }: { finding: Finding }) {
  return (
    <li>
      <Mark holds={finding.holds} />
      <span className="row-words">
        <strong>{lawWords(finding.law)}</strong>
        <span className="quiet">{finding.sentence}</span>
        {finding.unknown === null ? null : (
          <span className="quiet">
            Not fully checked since <When at={finding.unknown.since} as="datetime" />:{' '}
            {finding.unknown.reason}.
          </span>
        )}
      </span>
    </li>
  );
}

function Mark({ holds }: { holds: boolean | null }) {
  if (holds === null)
    return <CircleHelp className="law-unknown" role="img" aria-label="Not known" />;
  return holds ? (
    <CircleCheck className="law-holds" role="img" aria-label="Holds" />
  ) : (
    <CircleX className="law-broken" role="img" aria-label="Broken" />
  );
}
