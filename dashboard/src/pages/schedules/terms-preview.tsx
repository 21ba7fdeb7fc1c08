import { RecollectError } from '@recollect/sdk';
import { useEffect, useMemo } from 'react';
import { type FieldPath, type UseFormReturn, useWatch } from 'react-hook-form';
import { type PreviewTerms, useTermsPreview } from '../../api/schedules.ts';
import { Card } from '../../ui/card.tsx';
import { errorText } from '../../ui/error-text.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useDebounced } from './debounced.ts';
import { capitalised } from './frequency-words.ts';
import { Occurrences } from './occurrences.tsx';
import { previewTerms, type ScheduleValues } from './schedule-form.ts';

type Preview = ReturnType<typeof useTermsPreview>;

/** Long enough to finish a word, short enough to seem at once. */
export const PREVIEW_PAUSE_MS = 350;

/** The dates do not depend on it: it stands in while no amount is typed. */
const ANY_AMOUNT_PENCE = 100;

const PREVIEWED: ReadonlySet<string> = new Set<FieldPath<ScheduleValues>>([
  'amount.value',
  'frequency.type',
  'frequency.day',
  'frequency.interval',
  'start_date',
  'end_date',
]);

/**
 * Puts what the service finds wrong with the dates onto their fields while one types, and takes it away again. `isSettled`:
 * the preview was asked for what stands in the form now. Answers whether what came of it belongs to what stood there a
 * moment ago, and says nothing of what stands there now.
 */
export function usePreviewErrors(
  form: UseFormReturn<ScheduleValues>,
  preview: Pick<Preview, 'error' | 'isPlaceholderData' | 'isLoading'>,
  isSettled: boolean,
): boolean {
  const { error } = preview;
  const isStale = !isSettled || preview.isPlaceholderData || preview.isLoading;
  // Sending the form takes the marks away: what is still wrong is marked again.
  const { submitCount } = form.formState;
  useEffect(() => {
    void submitCount;
    // A mark that came back for the moment until the answer would move the form under the pointer when it goes.
    if (isStale) return;
    const details = error instanceof RecollectError ? (error.details ?? {}) : {};
    for (const name of PREVIEWED as ReadonlySet<FieldPath<ScheduleValues>>) {
      const problem = details[name];
      if (problem !== undefined)
        form.setError(name, { type: 'preview', message: capitalised(`${problem}.`) });
      else if (form.getFieldState(name).error?.type === 'preview') form.clearErrors(name);
    }
  }, [form, error, isStale, submitCount]);
  return isStale;
}

/** What the terms in the form would collect, asked of the service as one types. */
export function TermsPreviewCard({ form }: { form: UseFormReturn<ScheduleValues> }) {
  const text = useWatch({
    control: form.control,
    compute: (values: ScheduleValues) => JSON.stringify(previewTerms(values, ANY_AMOUNT_PENCE)),
  });
  const hasAmount = useWatch({ control: form.control, name: 'amount.value' }) !== null;
  const settled = useDebounced(text, PREVIEW_PAUSE_MS);
  const terms = useMemo(() => JSON.parse(settled) as PreviewTerms, [settled]);
  const preview = useTermsPreview(terms);
  const isStale = usePreviewErrors(form, preview, text === settled);
  return (
    <Card title="Coming collections" lead={leadOf(preview)}>
      <div aria-busy={isStale}>
        <Dates preview={preview} hasAmount={hasAmount} />
      </div>
    </Card>
  );
}

function leadOf({ data, isError }: Preview): string {
  if (isError || data === undefined) return 'With these terms';
  return capitalised(data.frequency_text);
}

function Dates({ preview, hasAmount }: { preview: Preview; hasAmount: boolean }) {
  if (preview.isError)
    return (
      <p className="quiet" role="status">
        {hasDetails(preview.error)
          ? 'Correct the highlighted fields to see the dates.'
          : errorText(preview.error).advice}
      </p>
    );
  if (preview.data === undefined) return <Skeleton lines={6} />;
  const { occurrences } = preview.data;
  return (
    <>
      <Occurrences occurrences={occurrences} label="Coming collections" hidesAmounts={!hasAmount} />
      <p className="quiet small">
        If the customer gives consent before the first date. Earlier dates are skipped.
      </p>
    </>
  );
}

function hasDetails(error: unknown): boolean {
  return error instanceof RecollectError && Object.keys(error.details ?? {}).length > 0;
}
