import type { Schedule } from '@recollect/sdk';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSearchParams } from 'react-router';
import { useCreateSchedule } from '../../../api/schedules.ts';
import { useCan } from '../../../app/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Form, FormActions } from '../../../ui/fields/form.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { CustomerFields } from '../form/customer-fields.tsx';
import { HeadRoomOffer } from '../form/head-room-offer.tsx';
import { MetadataFields } from '../form/metadata-fields.tsx';
import { emptyValues, newSchedule, type ScheduleValues } from '../form/schedule-form.ts';
import { CreatedPage } from './created-page.tsx';
import '../form/schedules.css';
import {
  AmountFields,
  DateFields,
  FirstPaymentFields,
  FrequencyFields,
  LimitFields,
  ReferenceField,
  RetriesField,
} from '../form/terms-fields.tsx';
import { TermsPreviewCard } from '../form/terms-preview.tsx';

const BACK = { to: '/schedules', label: 'Schedules' };

/** Creates a schedule, with its dates beside the form; then shows the link for the customer. */
export function NewSchedulePage() {
  const [created, setCreated] = useState<Schedule | null>(null);
  const mayCreate = useCan('manage_schedules');
  if (created !== null)
    return <CreatedPage schedule={created} onAnother={() => setCreated(null)} />;
  return (
    <Page title="New schedule" back={BACK}>
      {mayCreate ? (
        <NewSchedule onCreated={setCreated} />
      ) : (
        <Notice tone="info" title="Your role cannot create schedules">
          Ask an owner, a developer or someone in finance on your team.
        </Notice>
      )}
    </Page>
  );
}

function NewSchedule({ onCreated }: { onCreated: (schedule: Schedule) => void }) {
  const [params] = useSearchParams();
  const create = useCreateSchedule();
  const form = useForm<ScheduleValues>({ defaultValues: emptyValues(params.get('customer')) });
  const { control } = form;
  return (
    <div className="form-and-preview">
      <Card>
        <Form
          form={form}
          guardsChanges
          onSubmit={async (values) => onCreated(await create.mutateAsync(newSchedule(values)))}
        >
          <h2 className="form-part">Payment</h2>
          <AmountFields control={control} />
          <FirstPaymentFields control={control} />
          <HeadRoomOffer form={form} />
          <h2 className="form-part">Timing</h2>
          <FrequencyFields form={form} />
          <DateFields control={control} />
          <h2 className="form-part">Customer</h2>
          <CustomerFields form={form} />
          <h2 className="form-part">More options</h2>
          <LimitFields control={control} />
          <ReferenceField control={control} />
          <RetriesField control={control} />
          <MetadataFields control={control} />
          <FormActions>
            <Button variant="primary" type="submit" isPending={form.formState.isSubmitting}>
              Create schedule
            </Button>
            <LinkButton variant="ghost" to="/schedules" discardsChanges>
              Cancel
            </LinkButton>
          </FormActions>
        </Form>
      </Card>
      <aside className="preview" aria-label="Preview">
        <TermsPreviewCard form={form} />
      </aside>
    </div>
  );
}
