import type { Replay, WebhookEndpoint } from '@recollect/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { type ReplayProgress, replayRange } from '../../api/webhooks.ts';
import { usePulse } from '../../app/pulse.ts';
import { renew } from '../../app/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Progress } from '../../ui/data/progress.tsx';
import { DateTimeField } from '../../ui/fields/date-time-field.tsx';
import { Form, FormActions } from '../../ui/fields/form.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { When } from '../../ui/values/when.tsx';

interface RangeValues {
  from: string | null;
  to: string | null;
  which: 'undelivered' | 'all';
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Resends a range of events to an endpoint, however many they are. */
export function ReplayEvents({ endpoint }: { endpoint: WebhookEndpoint }) {
  const pulse = usePulse();
  return (
    <Card
      title="Replay events"
      lead="Resends the events of a chosen period to this endpoint, oldest first."
    >
      <ReplayForm endpoint={endpoint} now={Date.parse(pulse.now)} />
    </Card>
  );
}

function ReplayForm({ endpoint, now }: { endpoint: WebhookEndpoint; now: number }) {
  const form = useForm<RangeValues>({
    defaultValues: {
      from: new Date(now - DAY_MS).toISOString(),
      to: endOf(now),
      which: 'undelivered',
    },
  });
  useEndThatFollows(form, endOf(now));
  const replay = useReplay();
  const isDisabled = endpoint.status === 'disabled';
  const isRunning = form.formState.isSubmitting;
  return (
    <Form
      form={form}
      onSubmit={({ from, to, which }) =>
        replay.start({
          endpoint_id: endpoint.id,
          from: from ?? '',
          to: to ?? '',
          only_undelivered: which === 'undelivered',
        })
      }
    >
      <div className="form-row">
        <DateTimeField control={form.control} name="from" label="From" isRequired />
        <DateTimeField control={form.control} name="to" label="To (not included)" isRequired />
      </div>
      <SelectField
        control={form.control}
        name="which"
        label="Which events"
        options={[
          { value: 'undelivered', label: 'Undelivered events only' },
          { value: 'all', label: 'All events, including delivered ones' },
        ]}
      />
      {isDisabled ? <Notice tone="warning">Enable the endpoint first.</Notice> : null}
      {isRunning ? <Running progress={replay.progress} total={form.getValues()} /> : null}
      <FormActions>
        <Button
          type="submit"
          variant="primary"
          isPending={isRunning}
          isDisabled={isDisabled || isRunning}
        >
          Replay
        </Button>
        {isRunning ? <Button onPress={replay.stop}>Stop</Button> : null}
      </FormActions>
      {isRunning ? null : <Outcome progress={replay.progress} />}
    </Form>
  );
}

/** Returns the end of a range that includes everything up to `now`, in ms. */
const endOf = (now: number): string => new Date(now + MINUTE_MS).toISOString();

/** Keeps the end ahead of the clock on a page that is left open, until the user chooses another. */
function useEndThatFollows(form: UseFormReturn<RangeValues>, end: string): void {
  const { dirtyFields, isSubmitting } = form.formState;
  const isChosen = dirtyFields.to === true;
  useEffect(() => {
    if (!isChosen && !isSubmitting) form.resetField('to', { defaultValue: end });
  }, [form, end, isChosen, isSubmitting]);
}

function countText(count: number): string {
  return count === 1 ? '1 event' : `${count.toLocaleString('en-GB')} events`;
}

function Running({ progress, total }: { progress: ReplayProgress | null; total: RangeValues }) {
  const [from, to] = [Date.parse(total.from ?? ''), Date.parse(total.to ?? '')];
  const at = progress?.at ?? null;
  const value = at === null ? undefined : (Date.parse(at) - from) / Math.max(1, to - from);
  return (
    <div role="status" className="stack stack-tight">
      <Progress label="Replay" {...(value === undefined ? {} : { value })} />
      <p className="quiet">{countText(progress?.replayed ?? 0)} resent so far</p>
    </div>
  );
}

function Outcome({ progress }: { progress: ReplayProgress | null }) {
  if (progress === null) return null;
  const { replayed, stopped, at } = progress;
  if (stopped)
    return (
      <Notice tone="warning" title={`Stopped after ${countText(replayed)}`}>
        {at === null ? null : (
          <>
            Those from <When at={at} /> on were not resent. Replay again from there.
          </>
        )}
      </Notice>
    );
  if (replayed === 0) return <Notice tone="info">No events match in that period.</Notice>;
  return (
    <Notice tone="success" title={`${countText(replayed)} resent`}>
      They are on their way. See the event log for the result of each.
    </Notice>
  );
}

/** Returns a replay of a range with its progress; null: none was started. It stops when the user leaves the page. */
function useReplay() {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<ReplayProgress | null>(null);
  const stopping = useRef<AbortController | null>(null);
  // After that it could be neither seen nor stopped, and back on the page a second one could be started beside it.
  useEffect(() => () => stopping.current?.abort(), []);
  return {
    progress,
    /** Throws what a call throws; `progress` then shows how far it came. */
    async start(range: Replay): Promise<void> {
      const controller = new AbortController();
      stopping.current = controller;
      setProgress(null);
      try {
        setProgress(await replayRange(range, controller.signal, setProgress));
      } finally {
        void renew(queries);
      }
    },
    stop: () => stopping.current?.abort(),
  };
}
