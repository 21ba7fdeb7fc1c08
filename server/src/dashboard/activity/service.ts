import { readSpan } from '../../platform/http/lists/list-filters.ts';
import { mapList, type Page } from '../../platform/http/lists/page.ts';
import type { Asked } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { type Actor, mentionedIn, nameMentions } from '../actor.ts';
import { readActors } from '../actor-store.ts';
import { type ActivityFilter, type ActivityRow, listActivity } from './store.ts';
import type { ActivityItem, ActivityList, ActivityQuery } from './view.ts';
import { activityTitle, explainActivity, SUBJECTS, subjectOf } from './words.ts';

/** Returns a page of what people changed, newest first. Throws 400 `after`. */
export async function searchActivity(
  { tx, merchantId }: Asked,
  query: ActivityQuery,
  page: Page,
): Promise<ActivityList> {
  const found = await listActivity(tx, merchantId, filterOf(query), page);
  const actors = found.data.flatMap(({ actor, reason }) => [actor, ...mentionedIn(reason)]);
  const nameOf = await readActors(tx, merchantId, actors);
  return mapList(found, (row) => view(row, nameOf));
}

function filterOf(wanted: ActivityQuery): ActivityFilter {
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
    reason: nameMentions(explainActivity(row.objectId, row.reason), nameOf),
  };
}
