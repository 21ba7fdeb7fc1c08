import { useState } from 'react';
import { useParams } from 'react-router';
import {
  type ChangedSchedule,
  type ScheduleChange,
  useChangedSchedules,
  useRunChange,
  useScheduleChange,
} from '../../../api/schedule-changes.ts';
import { Can } from '../../../app/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ListCard } from '../../../ui/data/list-card.tsx';
import { Progress } from '../../../ui/data/progress.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { errorText } from '../../../ui/error-text.ts';
import { choicesOf } from '../../../ui/fields/choices.ts';
import { FilterSelect } from '../../../ui/fields/filter-select.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { Page } from '../../../ui/page.tsx';
import { When } from '../../../ui/values/when.tsx';
import { DownloadCsv } from '../../lists/download-csv.tsx';
import { useUrlFilter } from '../../lists/url-filter.ts';
import { countWords } from '../../overview/figures.ts';
import { CHANGED_COLUMNS, EFFECTS, STATUSES } from './changed-columns.tsx';
import { ConfirmChange } from './confirm-change.tsx';
import { Effects } from './effects.tsx';
import { ACTS, actOf, changeTitle, changing } from './many-words.ts';

/** One change of many schedules: how far it is, and what becomes of each. */
export function ChangePage() {
  const { id = '' } = useParams();
  const query = useScheduleChange(id);
  const change = query.data;
  return (
    <Page
      title={change === undefined ? 'Change of schedules' : changeTitle(change)}
      back={{ to: '/schedules/changes', label: 'Changes of many schedules' }}
      badge={change === undefined ? null : <StatusOf change={change} />}
    >
      <QueryView query={query}>
        {(shown) => (
          <>
            <ChangeStatus change={shown} />
            <Lines change={shown} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function StatusOf({ change: { status, failed } }: { change: ScheduleChange }) {
  const { tone, label } = STATUSES[status];
  return failed > 0 && status === 'done' ? (
    <Badge tone="warning">Done, {failed.toLocaleString('en-GB')} failed</Badge>
  ) : (
    <Badge tone={tone}>{label}</Badge>
  );
}

function ChangeStatus({ change }: { change: ScheduleChange }) {
  const { status, done, failed, total, started_at, finished_at } = change;
  return (
    <Card
      title={HEADINGS[status]}
      lead={status === 'running' ? 'This continues if you leave the page or sign out.' : undefined}
      actions={
        status === 'preview' && changing(change) > 0 ? (
          <Start change={change} />
        ) : status === 'done' && failed > 0 ? (
          <RunAgain change={change} />
        ) : undefined
      }
    >
      {status === 'running' ? (
        <Progress label={`${done + failed} of ${total} done`} value={(done + failed) / total} />
      ) : null}
      {status === 'preview' ? null : (
        <p role="status">
          {(done + failed).toLocaleString('en-GB')} of {countWords(total, 'schedule')}
          {failed > 0 ? `, ${failed.toLocaleString('en-GB')} failed, can be run again` : ''}
        </p>
      )}
      <Effects change={change} />
      {started_at === null ? null : (
        <p className="quiet small">
          Started <When at={started_at} as="datetime" />
          {finished_at === null ? null : (
            <>
              , finished <When at={finished_at} as="datetime" />
            </>
          )}
        </p>
      )}
    </Card>
  );
}

/** Starts a preview, after the question that its act has everywhere. */
function Start({ change }: { change: ScheduleChange }) {
  const [isAsking, setAsking] = useState(false);
  const { confirm, tone } = ACTS[actOf(change)];
  return (
    <Can do="manage_schedules">
      <Button variant={tone} onPress={() => setAsking(true)}>
        {confirm(countWords(changing(change), 'schedule'))}
      </Button>
      {isAsking ? <ConfirmChange change={change} onClose={() => setAsking(false)} /> : null}
    </Can>
  );
}

/** Runs again what failed of a change that was confirmed before. */
function RunAgain({ change: { id, failed } }: { change: ScheduleChange }) {
  const run = useRunChange();
  return (
    <Can do="manage_schedules">
      <Button
        variant="primary"
        isPending={run.isPending}
        onPress={() =>
          run.mutate(id, { onError: (error) => toast(errorText(error).advice, 'danger') })
        }
      >
        Run {countWords(failed, 'schedule')} again
      </Button>
    </Can>
  );
}

const HEADINGS: Readonly<Record<ScheduleChange['status'], string>> = {
  preview: 'Nothing has changed yet',
  running: 'Under way',
  done: 'The outcome',
};

function Lines({ change }: { change: ScheduleChange }) {
  const url = useUrlFilter(['effect']);
  const effect = Object.hasOwn(EFFECTS, url.values.effect) ? url.values.effect : '';
  const progress = `${change.status} ${change.done} ${change.failed}`;
  const query = useChangedSchedules(change.id, { effect }, progress);
  return (
    <ListCard<ChangedSchedule & { id: string }>
      title="Schedules"
      actions={
        <>
          <FilterSelect
            label="Effect"
            {...url.field('effect')}
            options={choicesOf(EFFECTS, 'All effects')}
          />
          <DownloadCsv of={`/api/v1/schedule_changes/${change.id}/lines`} filter={{ effect }} />
        </>
      }
      query={query}
      columns={CHANGED_COLUMNS}
      rowPath="/schedules"
    />
  );
}
