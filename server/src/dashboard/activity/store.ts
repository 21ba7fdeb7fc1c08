import type { Tx } from '../../platform/db/db.ts';
import { conditions } from '../../platform/http/lists/conditions.ts';
import type { Span } from '../../platform/http/lists/list-filters.ts';
import { type List, type Page, readPage } from '../../platform/http/lists/page.ts';
import type { ChangeRow } from '../schedules/timeline-store.ts';

export interface ActivityRow extends ChangeRow {
  scheduleId: string | null;
}

/** Which changes; an absent field does not filter. */
export interface ActivityFilter extends Span {
  /** `member`, `api_key`, `operator` or `customer`. */
  actorType?: string | undefined;
  /** The id of a member or an API key. */
  actorId?: string | undefined;
  /** The prefix of the object's id. */
  prefix?: string | undefined;
}

/** As the index `state_changes_by_people` says it. */
const BY_PEOPLE = `(split_part(actor, ':', 1) IN ('member', 'api_key', 'operator', 'customer') OR to_state = 'erased')`;

/** Returns a page of what people changed, and whom the service erased, newest first. */
export function listActivity(
  tx: Tx,
  merchantId: string,
  filter: ActivityFilter,
  page: Page,
): Promise<List<ActivityRow>> {
  const all = conditions(`merchant_id = $1 AND ${BY_PEOPLE}`, [merchantId]);
  all.add(filter.actorType, (type) => `split_part(actor, ':', 1) = ${type}`);
  all.add(filter.actorId, (id) => `split_part(actor, ':', 2) = ${id}`);
  all.add(filter.prefix, (prefix) => `starts_with(object_id, ${prefix}::text || '_')`);
  all.span('at', filter);
  return readPage<ActivityRow>(
    tx,
    {
      columns: 'change_id, object_id, schedule_id, from_state, to_state, reason, at, actor',
      from: `state_changes WHERE ${all.where()}`,
      values: all.values,
      order: { by: { change_id: 'integer' }, isDescending: true },
    },
    page,
  );
}
