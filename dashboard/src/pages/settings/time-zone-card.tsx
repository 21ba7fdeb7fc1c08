import type { Merchant } from '@recollect/sdk';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useChangeMerchant } from '../../api/merchant.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { CLEAN, SaveBar } from './save-bar.tsx';

interface Zone {
  time_zone: string;
}

function zonesWith(own: string): { value: string; label: string }[] {
  const known = new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')]);
  return [...known].sort().map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}

/** The time zone of the schedules. */
export function TimeZoneCard({ merchant, isLocked }: { merchant: Merchant; isLocked: boolean }) {
  const [wanted, setWanted] = useState<string | null>(null);
  const change = useChangeMerchant();
  const form = useForm<Zone>({
    values: { time_zone: merchant.time_zone },
    resetOptions: { keepDirtyValues: true },
  });
  const confirm = async () => {
    if (wanted === null) return;
    const { time_zone } = await change.mutateAsync({ time_zone: wanted });
    form.reset({ time_zone }, CLEAN);
    toast('Time zone changed.', 'success');
  };
  return (
    <Card
      title="Time zone"
      lead="Used for your schedules and for every time shown in the dashboard."
    >
      <Form form={form} onSubmit={async ({ time_zone }) => setWanted(time_zone)} guardsChanges>
        <SelectField
          control={form.control}
          name="time_zone"
          label="Time zone"
          options={zonesWith(merchant.time_zone)}
          isDisabled={isLocked}
        />
        <SaveBar form={form} isLocked={isLocked} label="Change…" />
      </Form>
      <ConfirmDialog
        isOpen={wanted !== null}
        onClose={() => setWanted(null)}
        title={`Change time zone to ${wanted?.replaceAll('_', ' ')}?`}
        confirmLabel="Change time zone"
        tone="primary"
        onConfirm={confirm}
      >
        <p>
          New schedules use the new time zone, and so do all times and days shown in the dashboard.
        </p>
      </ConfirmDialog>
    </Card>
  );
}
