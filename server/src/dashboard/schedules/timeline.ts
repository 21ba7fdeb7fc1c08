import { decodeCursor, encodeCursor } from '../../platform/http/lists/cursor.ts';
import type { Page } from '../../platform/http/lists/page.ts';
import type { Asked } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { requireSchedule } from '../../schedules/change/service.ts';
import type { Actor } from '../actor.ts';
import { readActors } from '../actor-store.ts';
import { type Merged, type MergePosition, mergeLatest, positionAfter } from './merge.ts';
import { type ChangeRow, type EventRow, listChanges, listEventsOf } from './timeline-store.ts';
import {
  changeTitle,
  changeWhy,
  eventTitle,
  objectKind,
  summariseDeliveries,
} from './timeline-words.ts';
import type { TimelineEntry, TimelineList } from './view.ts';

const MAX_EVENTS = 2 ** 31 - 1;
const START_POSITION: MergePosition = { change: Number.MAX_SAFE_INTEGER, event: MAX_EVENTS };

/**
 * Returns everything that happened to a schedule and the webhooks about it, latest first. A cursor stores how far each of the two
 * lists was shown. Throws 404 for an unknown schedule, 400 for an invalid cursor.
 */
export async function showTimeline(
  { tx, merchantId }: Asked,
  scheduleId: string,
  { limit, after, filters }: Page,
): Promise<TimelineList> {
  const list = `timeline ${filters}`;
  const keyset = decodeCursor(after, list, ['integer', 'integer']);
  await requireSchedule(tx, merchantId, scheduleId);
  const shown = keyset === null ? START_POSITION : { change: keyset[0], event: keyset[1] };
  const beforeEvent = Math.max(0, Math.min(shown.event, MAX_EVENTS));
  const merged = mergeLatest(
    await listChanges(tx, merchantId, scheduleId, shown.change, limit + 1),
    await listEventsOf(tx, merchantId, scheduleId, beforeEvent, limit + 1),
  );
  const page = merged.slice(0, limit);
  const { change, event } = positionAfter(shown, page);
  const nameOf = await readActors(
    tx,
    merchantId,
    page.flatMap((one) => one.change?.actor ?? []),
  );
  return {
    data: page.map((one) => toEntry(one, nameOf)),
    ...(merged.length > limit && { next_cursor: encodeCursor(list, [change, event]) }),
  };
}

type NameOf = (actor: string) => Actor;

function toEntry({ change, event }: Merged<ChangeRow, EventRow>, nameOf: NameOf): TimelineEntry {
  return change === null ? ofEvent(event) : ofChange(change, nameOf(change.actor));
}

function ofChange(row: ChangeRow, actor: Actor): TimelineEntry {
  const object = objectKind(row.objectId);
  return {
    at: formatInstant(row.at),
    kind: 'state_change',
    object_id: row.objectId,
    object,
    title: changeTitle(object, row.fromState, row.toState, row.reason),
    reason: changeWhy(object, row.reason),
    from: row.fromState,
    to: row.toState,
    actor,
    event: null,
  };
}

function ofEvent(row: EventRow): TimelineEntry {
  return {
    at: formatInstant(row.createdAt),
    kind: 'event',
    object_id: row.subjectId,
    object: objectKind(row.subjectId),
    title: eventTitle(row.kind),
    reason: null,
    from: null,
    to: null,
    actor: null,
    event: {
      id: row.eventId,
      kind: row.kind,
      delivery: summariseDeliveries(row.deliveries),
    },
  };
}
