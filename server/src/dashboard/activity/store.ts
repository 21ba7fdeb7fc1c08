import type { SqlValue, Tx } from '../../platform/db.ts';
import type { Span } from '../../platform/http/list-filters.ts';

export interface ActivityRow {
  change_id: number;
  object_id: string;
  schedule_id: string | null;
  from_state: string | null;
  to_state: string;
  reason: string;
  at: Temporal.Instant;
  actor: string;
}

/** Which changes; an absent field does not filter. */
export interface ActivityFilter extends Span {
  /** `member`, `api_key`, `operator` or `customer`. */
  actorType?: string;
  /** The id of a member or an API key. */
  actorId?: string;
  /** The prefix of the object's id. */
  prefix?: string;
}

/** As the index `state_changes_by_people` says it. */
const BY_PEOPLE = `split_part(actor, ':', 1) IN ('member', 'api_key', 'operator', 'customer')`;

/** Returns what people changed before the change `before`, newest first. */
export function listActivity(
  tx: Tx,
  merchantId: string,
  filter: ActivityFilter,
  before: number,
  limit: number,
): Promise<ActivityRow[]> {
  const { sql, values } = activityStatement(merchantId, filter, before, limit);
  return tx.rows<ActivityRow>(sql, values);
}

/** Returns the statement of the list, with its values in binding order. */
export function activityStatement(
  merchantId: string,
  filter: ActivityFilter,
  before: number,
  limit: number,
): { sql: string; values: SqlValue[] } {
  const values: SqlValue[] = [merchantId, before];
  const conditions = [`merchant_id = $1 AND change_id < $2 AND ${BY_PEOPLE}`];
  const add = (value: SqlValue | undefined, condition: (place: string) => string): void => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  add(filter.actorType, (type) => `split_part(actor, ':', 1) = ${type}`);
  add(filter.actorId, (id) => `split_part(actor, ':', 2) = ${id}`);
  add(filter.prefix, (prefix) => `starts_with(object_id, ${prefix}::text || '_')`);
  add(filter.from, (from) => `at >= ${from}`);
  add(filter.to, (to) => `at < ${to}`);
  const sql = `SELECT change_id, object_id, schedule_id, from_state, to_state, reason, at, actor FROM state_changes
     WHERE ${conditions.join(' AND ')} ORDER BY change_id DESC LIMIT ${Math.trunc(limit)}`;
  return { sql, values };
}
