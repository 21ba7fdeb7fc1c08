import { Link } from 'react-router';
import type { TimelineEntry } from '../../../../../server/src/dashboard/schedules/view.ts';
import { useScheduleTimeline } from '../../../api/schedules.ts';
import { ArchivedNote } from '../../../app/notices/archived-note.tsx';
import { Card } from '../../../ui/card.tsx';
import { LoadMore } from '../../../ui/data/list-card.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { Timeline, type TimelineItem } from '../../../ui/data/timeline.tsx';
import { StatusBadge, statusMeaning } from '../../../ui/status-badge.tsx';
import { capitalised } from '../form/frequency-words.ts';

/** Everything that happened to a schedule and why, newest first. */
export function TimelineCard({ scheduleId }: { scheduleId: string }) {
  const timeline = useScheduleTimeline(scheduleId);
  return (
    <Card title="What happened">
      <QueryView query={timeline}>
        {(entries) =>
          entries.length === 0 ? (
            <p className="quiet">Nothing yet.</p>
          ) : (
            <>
              <Timeline items={entries.map(itemOf)} />
              <LoadMore query={timeline} />
            </>
          )
        }
      </QueryView>
      <ArchivedNote />
    </Card>
  );
}

function itemOf(entry: TimelineEntry): TimelineItem {
  const { at, kind, object_id, title, from, to, event } = entry;
  return {
    key: event?.id ?? `${kind} ${object_id} ${from} ${to} ${at}`,
    at,
    title,
    detail: detailOf(entry),
    tone: event !== null ? 'neutral' : to === null ? 'info' : statusMeaning(to).tone,
    meta: metaOf(entry),
  };
}

/** Who did it, unless the service did on its own, and why. */
function detailOf({ actor, reason }: TimelineEntry): string | undefined {
  const who = actor === null || actor.type === 'service' ? '' : `By ${inLine(actor)}. `;
  const why = reason === null ? '' : capitalised(reason);
  return `${who}${why}`.trim() || undefined;
}

function inLine({ type, name }: NonNullable<TimelineEntry['actor']>): string {
  if (type === 'api_key') return `API key “${name}”`;
  return type === 'member' || type === 'operator' ? name : lowerFirst(name);
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

function metaOf({ object, object_id, event }: TimelineEntry) {
  if (event !== null)
    return (
      <span className="row">
        <Link to={`/webhooks/events/${event.id}`}>
          <code>{event.kind}</code>
        </Link>
        <StatusBadge status={event.delivery} of="delivery" />
      </span>
    );
  if (object === 'payment') return <Link to={`/payments/${object_id}`}>Payment</Link>;
  if (object === 'settlement') return <Link to={`/settlements/${object_id}`}>Settlement</Link>;
  return undefined;
}
