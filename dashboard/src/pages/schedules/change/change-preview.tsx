import { RecollectError } from '@recollect/sdk';
import type { ChangePreview } from '../../../../../server/src/dashboard/schedules/view.ts';
import type { useChangePreview } from '../../../api/schedules.ts';
import { Card } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/data/skeleton.tsx';
import { errorText } from '../../../ui/error-text.ts';
import { Notice } from '../../../ui/notice.tsx';
import { capitalised } from '../form/frequency-words.ts';
import { Occurrences } from '../form/occurrences.tsx';
import { Warnings } from '../form/terms-preview.tsx';

interface ChangePreviewProps {
  preview: ReturnType<typeof useChangePreview>;
  isUntouched: boolean;
  /** The response belongs to earlier values of the form. */
  isStale: boolean;
}

/** What a change needs (nothing, or a new consent), why, and the resulting dates. */
export function ChangePreviewCard({ preview, isUntouched, isStale }: ChangePreviewProps) {
  if (isUntouched)
    return (
      <Card title="Preview of the change">
        <p className="quiet">
          Change a field to see here whether the customer needs to give consent again.
        </p>
      </Card>
    );
  if (preview.isError && !isStale)
    return (
      <Card title="Preview of the change">
        <p className="quiet" role="status">
          {preview.error instanceof RecollectError && preview.error.details !== undefined
            ? 'Correct the highlighted fields to see the preview.'
            : errorText(preview.error).advice}
        </p>
      </Card>
    );
  const { data } = preview;
  return (
    <Card
      title="Preview of the change"
      {...(data === undefined ? {} : { lead: capitalised(data.frequency_text) })}
    >
      {data === undefined ? (
        <Skeleton lines={6} />
      ) : (
        <div className="stack" aria-busy={isStale}>
          <div aria-live="polite">
            {isStale ? (
              <p className="quiet">Checking whether consent is needed…</p>
            ) : (
              <Needs change={data} />
            )}
          </div>
          <Warnings warnings={data.warnings} />
          <Occurrences occurrences={data.occurrences} label="Collections after the change" />
        </div>
      )}
    </Card>
  );
}

function Needs({ change }: { change: ChangePreview }) {
  const isFree = change.needs === 'nothing';
  return (
    <Notice
      tone={isFree ? 'success' : 'warning'}
      title={isFree ? 'No new consent needed' : 'New customer consent needed'}
    >
      {change.reason}
    </Notice>
  );
}
