import type { Tx } from '../../platform/db/db.ts';
import { readSpan } from '../../platform/http/lists/list-filters.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { type Actor, mentionedIn, nameMentions } from '../actor.ts';
import { readActors } from '../actor-store.ts';
import { decodeCursor, encodeCursor, pageOf } from '../cursor-list.ts';
import { type ActivityFilter, type ActivityRow, listActivity } from './store.ts';
import type { ActivityItem, ActivityList, ActivityQuery } from './view.ts';
import { activityTitle, activityWhy, SUBJECTS, subjectOf } from './words.ts';

const ORDER = 'activity';

/** Returns a page of what people changed, newest first. Throws 400 `cursor`. */
export async function searchActivity(
  tx: Tx,
  merchantId: string,
  { limit, cursor, ...wanted }: ActivityQuery,
): Promise<ActivityList> {
  const keyset = decodeCursor(cursor, ORDER, ['integer']);
  const before = keyset?.[0] ?? Number.MAX_SAFE_INTEGER;
  const found = await listActivity(tx, merchantId, filterOf(wanted), before, limit + 1);
  const { rows, next_cursor } = pageOf(found, limit, (last) =>
    encodeCursor(ORDER, [last.changeId]),
  );
  const actors = rows.flatMap(({ actor, reason }) => [actor, ...mentionedIn(reason)]);
  const nameOf = await readActors(tx, merchantId, actors);
  return { data: rows.map((row) => view(row, nameOf)), next_cursor };
}

function filterOf(wanted: Omit<ActivityQuery, 'limit' | 'cursor'>): ActivityFilter {
  return {
    actorType: wanted.actor_type,
    actorId: wanted.actor_id,
    prefix: wanted.subject && SUBJECTS[wanted.subject],
    ...readSpan(wanted),
  };
}

function view(row: ActivityRow, nameOf: (actor: string) => Actor): ActivityItem {
  return {
    id: String(row.changeId),
    at: formatInstant(row.at),
    actor: nameOf(row.actor),
    subject: subjectOf(row.objectId),
    object_id: row.objectId,
    schedule_id: row.scheduleId,
    title: activityTitle(row.objectId, row.fromState, row.toState, row.reason),
    reason: nameMentions(activityWhy(row.objectId, row.reason), nameOf),
  };
}
