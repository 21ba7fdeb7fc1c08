import type { Schedule, ScheduleChanges } from '@recollect/sdk';
import { useMemo, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useNavigate, useParams } from 'react-router';
import {
  useChangePreview,
  useSchedule,
  useSchedulePayments,
  useUpdateSchedule,
} from '../../../api/schedules.ts';
import { useCan } from '../../../app/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { Form, FormActions } from '../../../ui/fields/form.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { Page } from '../../../ui/page.tsx';
import { useDebounced } from '../form/debounced.ts';
import { MetadataFields } from '../form/metadata-fields.tsx';
import { changesOf, type ScheduleValues, valuesOf } from '../form/schedule-form.ts';
import { ChangePreviewCard } from './change-preview.tsx';
import { ChangedPage } from './changed-page.tsx';
import '../form/schedules.css';
import {
  AmountFields,
  DateFields,
  FrequencyFields,
  LimitFields,
  ReferenceField,
  RetriesField,
} from '../form/terms-fields.tsx';
import { PREVIEW_PAUSE_MS, usePreviewErrors } from '../form/terms-preview.tsx';

/** Changes a schedule; shows before saving whether the customer must agree again. */
export function ChangeSchedulePage() {
  const { id = '' } = useParams();
  const query = useSchedule(id);
  const [changed, setChanged] = useState<Schedule | null>(null);
  const mayChange = useCan('manage_schedules');
  const back = { to: `/schedules/${id}`, label: query.data?.description ?? 'Schedule' };
  if (changed !== null) return <ChangedPage schedule={changed} />;
  return (
    <Page title="Edit schedule" back={back}>
      <QueryView query={query}>
        {(schedule) => {
          if (!mayChange)
            return (
              <Notice tone="info" title="Your role cannot edit schedules">
                Ask an owner, a developer or someone in finance on your team.
              </Notice>
            );
          if (schedule.status === 'cancelled')
            return (
              <Notice tone="info" title="A cancelled schedule cannot be changed">
                Create a new one instead; the customer will need to give consent to it.
              </Notice>
            );
          return <ChangeForm key={schedule.id} schedule={schedule} onWaiting={setChanged} />;
        }}
      </QueryView>
    </Page>
  );
}

interface ChangeFormProps {
  schedule: Schedule;
  /** The change was saved and waits for the customer. */
  onWaiting: (schedule: Schedule) => void;
}

function ChangeForm({ schedule, onWaiting }: ChangeFormProps) {
  const navigate = useNavigate();
  const update = useUpdateSchedule(schedule.id);
  // The form's initial values: an update from elsewhere is not undone by fields that were not edited here.
  const [before] = useState(schedule);
  const form = useForm<ScheduleValues>({ defaultValues: valuesOf(before) });
  const { control } = form;
  const text = useWatch({
    control,
    compute: (values: ScheduleValues) => JSON.stringify(changesOf(before, values)),
  });
  const settled = useDebounced(text, PREVIEW_PAUSE_MS);
  const changes = useMemo(() => JSON.parse(settled) as ScheduleChanges, [settled]);
  const preview = useChangePreview(schedule.id, changes);
  const isStale = usePreviewErrors(form, preview, text === settled);
  const save = async (values: ScheduleValues) => {
    const saved = await update.mutateAsync(changesOf(before, values));
    if (saved.consent_url !== undefined && saved.consent_url !== before.consent_url)
      return onWaiting(saved);
    toast('Schedule updated.', 'success');
    await navigate(`/schedules/${schedule.id}`);
  };
  const startFixed = useStartFixed(schedule.id);
  return (
    <div className="form-and-preview">
      <Card>
        <Form form={form} onSubmit={save} guardsChanges>
          <AmountFields control={control} />
          <FrequencyFields form={form} />
          <DateFields control={control} {...startFixed} />
          <LimitFields control={control} />
          {schedule.consented === null ? <ReferenceField control={control} /> : null}
          <RetriesField control={control} />
          <MetadataFields control={control} />
          <FormActions>
            <Button
              variant="primary"
              type="submit"
              isPending={form.formState.isSubmitting}
              isDisabled={text === '{}'}
            >
              Save changes
            </Button>
            <LinkButton variant="ghost" to={`/schedules/${schedule.id}`} discardsChanges>
              Discard changes
            </LinkButton>
          </FormActions>
        </Form>
      </Card>
      <aside className="preview" aria-label="Preview of the change">
        <ChangePreviewCard preview={preview} isUntouched={text === '{}'} isStale={isStale} />
      </aside>
    </div>
  );
}

/** Returns why the start can no longer change, or nothing. */
function useStartFixed(id: string): { startFixed?: string } {
  const payments = useSchedulePayments(id);
  return (payments.data?.length ?? 0) > 0
    ? { startFixed: 'This cannot be changed after the first payment.' }
    : {};
}
