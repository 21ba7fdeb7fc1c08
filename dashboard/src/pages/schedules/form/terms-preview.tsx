import { RecollectError, type Schedule } from '@recollect/sdk';
import { useEffect, useMemo } from 'react';
import { type FieldPath, type UseFormReturn, useWatch } from 'react-hook-form';
import { type PreviewTerms, useTermsPreview } from '../../../api/schedules.ts';
import { Card } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/data/skeleton.tsx';
import { errorText } from '../../../ui/error-text.ts';
import { withoutPence } from '../../../ui/fields/pounds.ts';
import { Notice } from '../../../ui/notice.tsx';
import { useDebounced } from './debounced.ts';
import { capitalised, isLong } from './frequency-words.ts';
import { Occurrences } from './occurrences.tsx';
import { previewCustomer, previewTerms, type ScheduleValues } from './schedule-form.ts';

type Preview = ReturnType<typeof useTermsPreview>;

/** Long enough to finish a word, short enough to feel immediate. */
export const PREVIEW_PAUSE_MS = 350;

/** A placeholder while no amount is typed; the dates do not depend on it. */
const ANY_AMOUNT_PENCE = 100;

const PREVIEWED: ReadonlySet<string> = new Set<FieldPath<ScheduleValues>>([
  'amount.value',
  'frequency.type',
  'frequency.day',
  'frequency.interval',
  'non_working_day',
  'start_date',
  'end_date',
  'limits.per_payment.value',
  'limits.per_period.value',
  'first_payment.amount.value',
]);

/**
 * Shows the service's errors about the dates at their fields while the user types, and clears them again. `isSettled`: the
 * preview was requested for the form's current values. Returns whether the preview belongs to earlier values of the form.
 */
export function usePreviewErrors(
  form: UseFormReturn<ScheduleValues>,
  preview: Pick<Preview, 'error' | 'isPlaceholderData' | 'isLoading'>,
  isSettled: boolean,
): boolean {
  const { error } = preview;
  const isStale = !isSettled || preview.isPlaceholderData || preview.isLoading;
  // Submitting the form clears these errors: set those that remain again.
  const { submitCount } = form.formState;
  useEffect(() => {
    void submitCount;
    // An error that came back briefly, until the response, would move the form under the pointer when it disappears.
    if (isStale) return;
    const details = error instanceof RecollectError ? (error.details ?? {}) : {};
    for (const name of PREVIEWED as ReadonlySet<FieldPath<ScheduleValues>>) {
      const problem = details[name];
      const shown = form.getFieldState(name).error;
      // What the form itself says of a field stands.
      if (shown !== undefined && shown.type !== 'preview') continue;
      if (problem !== undefined)
        form.setError(name, { type: 'preview', message: capitalised(`${withoutPence(problem)}.`) });
      else if (shown !== undefined) form.clearErrors(name);
    }
  }, [form, error, isStale, submitCount]);
  return isStale;
}

/** What the terms in the form would collect, fetched from the service while the user types. */
export function TermsPreviewCard({ form }: { form: UseFormReturn<ScheduleValues> }) {
  const text = useWatch({
    control: form.control,
    compute: (values: ScheduleValues) =>
      JSON.stringify({ ...previewTerms(values, ANY_AMOUNT_PENCE), ...previewCustomer(values) }),
  });
  const hasAmount = useWatch({ control: form.control, name: 'amount.value' }) !== null;
  const settled = useDebounced(text, PREVIEW_PAUSE_MS);
  const terms = useMemo(() => JSON.parse(settled) as PreviewTerms, [settled]);
  const preview = useTermsPreview(terms);
  const isStale = usePreviewErrors(form, preview, text === settled);
  return (
    <Card title="Coming collections" lead={leadOf(preview)}>
      <div aria-busy={isStale}>
        <Dates preview={preview} hasAmount={hasAmount} startsSoon={startsSoon(terms)} />
        <OnStatement form={form} preview={preview} />
      </div>
    </Card>
  );
}

function leadOf({ data, isError }: Preview): string {
  if (isError || data === undefined) return 'With these terms';
  return capitalised(data.frequency_text);
}

/** Whether the first date may surprise: a year or a quarter is expected, and it comes within a month. */
function startsSoon({ frequency, start_date }: PreviewTerms): boolean {
  const type = typeof frequency === 'string' ? frequency : frequency.type;
  return !start_date && isLong(type);
}

function Dates({
  preview,
  hasAmount,
  startsSoon,
}: {
  preview: Preview;
  hasAmount: boolean;
  startsSoon: boolean;
}) {
  if (preview.isError)
    return (
      <p className="quiet" role="status">
        {hasDetails(preview.error)
          ? 'Correct the highlighted fields to see the dates.'
          : errorText(preview.error).advice}
      </p>
    );
  if (preview.data === undefined) return <Skeleton lines={6} />;
  const { occurrences, warnings } = preview.data;
  return (
    <>
      <Warnings warnings={warnings} />
      <Occurrences occurrences={occurrences} label="Coming collections" hidesAmounts={!hasAmount} />
      {startsSoon ? (
        <p className="small">
          Without a start date, collecting begins on the first of these dates. Set a start date to
          begin later.
        </p>
      ) : null}
      <p className="quiet small">
        If the customer gives consent before the first date. Earlier dates are skipped.
      </p>
    </>
  );
}

/** What the customer's bank statement will show beside each payment. */
function OnStatement({ form, preview }: { form: UseFormReturn<ScheduleValues>; preview: Preview }) {
  const typed = useWatch({ control: form.control, name: 'reference' }).trim();
  if (preview.isError || preview.data === undefined) return null;
  const { statement_name, reference } = preview.data;
  const shown = typed || reference;
  return (
    <p className="small">
      On their bank statement: <strong>{shown ?? statement_name}</strong>
      {shown === null ? ' and a code of six characters' : ''}
    </p>
  );
}

/** What to know of terms that are allowed. */
export function Warnings({ warnings }: { warnings: Schedule['warnings'] }) {
  return warnings.map(({ code, message }) => (
    <Notice key={code} tone="warning">
      {message}
    </Notice>
  ));
}

function hasDetails(error: unknown): boolean {
  return error instanceof RecollectError && Object.keys(error.details ?? {}).length > 0;
}
