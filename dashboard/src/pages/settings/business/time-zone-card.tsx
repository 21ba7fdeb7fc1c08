import type { Merchant } from '@recollect/sdk';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useChangeMerchant } from '../../../api/merchant.ts';
import { Card } from '../../../ui/card.tsx';
import { Form } from '../../../ui/fields/form.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { CLEAN, SaveBar } from '../frame/save-bar.tsx';

interface Zone {
  time_zone: string;
}

function zonesWith(own: string): { value: string; label: string }[] {
  const places = Intl.supportedValuesOf('timeZone').filter((name) => /^(?!Etc).+\//.test(name));
  const known = new Set([own, 'UTC', ...places]);
  return [...known].sort().map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}

const HOUR_MS = 3_600_000;

/** Returns how the clocks of a zone stand, in milliseconds ahead of UTC. */
function offsetOf(timeZone: string, at: Date): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });
  const name = parts.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d+):(\d+)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * (HOUR_MS / 60));
}

const timeIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(at);

/** Says that a zone is far away, where its clocks are more than an hour from the present ones: a slip in a long list. */
function FarZoneNote({ own, wanted }: { own: string; wanted: string }) {
  const now = new Date();
  if (Math.abs(offsetOf(wanted, now) - offsetOf(own, now)) <= HOUR_MS) return null;
  return (
    <Notice tone="warning" title={`Is your business really in ${wanted.replaceAll('_', ' ')}?`}>
      It is {timeIn(wanted, now)} there, and {timeIn(own, now)} in {own.replaceAll('_', ' ')}. New
      schedules collect at the times of day of the new zone.
    </Notice>
  );
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
        {wanted === null ? null : <FarZoneNote own={merchant.time_zone} wanted={wanted} />}
      </ConfirmDialog>
    </Card>
  );
}
