import { RecollectError } from '@recollect/sdk';
import type { useChangePreview } from '../../api/schedules.ts';
import { Card } from '../../ui/card.tsx';
import { errorText } from '../../ui/error-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { capitalised } from './frequency-words.ts';
import { Occurrences } from './occurrences.tsx';

interface ChangePreviewProps {
  preview: ReturnType<typeof useChangePreview>;
  isUntouched: boolean;
}

/** What a change needs (nothing, or a new consent), why, and the dates that it brings. */
export function ChangePreviewCard({ preview, isUntouched }: ChangePreviewProps) {
  if (isUntouched)
    return (
      <Card title="What the change brings">
        <p className="quiet">
          Change something: whether the customer must agree anew shows here before you save.
        </p>
      </Card>
    );
  if (preview.isError)
    return (
      <Card title="What the change brings">
        <p className="quiet" role="status">
          {preview.error instanceof RecollectError && preview.error.details !== undefined
            ? 'It shows here once the marked fields are right.'
            : errorText(preview.error).advice}
        </p>
      </Card>
    );
  const { data } = preview;
  return (
    <Card
      title="What the change brings"
      {...(data === undefined ? {} : { lead: capitalised(data.frequency_text) })}
    >
      {data === undefined ? (
        <Skeleton lines={6} />
      ) : (
        <div className="stack" aria-busy={preview.isFetching}>
          <div aria-live="polite">
            <Notice
              tone={data.needs === 'nothing' ? 'success' : 'warning'}
              title={
                data.needs === 'nothing' ? 'Needs nothing' : 'Needs the customer’s new consent'
              }
            >
              {data.reason}
            </Notice>
          </div>
          <Occurrences occurrences={data.occurrences} label="Collections after the change" />
        </div>
      )}
    </Card>
  );
}
