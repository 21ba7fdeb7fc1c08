import type { Tx } from '../../platform/db/db.ts';
import { type List, type Page, readPage } from '../../platform/http/lists/page.ts';
import { operatorActor } from '../../platform/state/actor.ts';

/** A change that an operator made. */
export interface Change {
  at: Temporal.Instant;
  actor: string;
  merchantId: string;
  objectId: string;
  fromState: string | null;
  toState: string;
  reason: string;
}

/** Which changes: an absent part does not limit; `from` is included, `to` is not. */
export interface ChangeFilter {
  operator?: string;
  action?: string;
  objectId?: string;
  merchantId?: string;
  from?: Temporal.Instant;
  to?: Temporal.Instant;
}

/** Repeats the condition of the partial index, so that the index is used. */
const WHERE = `split_part(actor, ':', 1) = 'operator' AND ($1::text IS NULL OR actor = $1)
  AND ($2::text IS NULL OR to_state = $2) AND ($3::text IS NULL OR object_id = $3)
  AND ($4::text IS NULL OR merchant_id = $4) AND ($5::timestamptz IS NULL OR at >= $5)
  AND ($6::timestamptz IS NULL OR at < $6)`;

const valuesOf = (filter: ChangeFilter) => [
  filter.operator === undefined ? null : operatorActor(filter.operator),
  filter.action ?? null,
  filter.objectId ?? null,
  filter.merchantId ?? null,
  filter.from ?? null,
  filter.to ?? null,
];

/** Returns which of these objects an operator was shown since a moment. */
export async function findDisclosures(
  tx: Tx,
  actor: string,
  since: Temporal.Instant,
  objectIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (objectIds.length === 0) return new Set();
  const rows = await tx.rows<{ objectId: string }>(
    `SELECT object_id FROM state_changes WHERE split_part(actor, ':', 1) = 'operator' AND actor = $1 AND at >= $2
     AND to_state = 'shown' AND object_id = ANY ($3::text[])`,
    [actor, since, objectIds],
  );
  return new Set(rows.map(({ objectId }) => objectId));
}

/** Returns a page of operators' changes, newest first. */
export function listChanges(tx: Tx, filter: ChangeFilter, page: Page): Promise<List<Change>> {
  return readPage<Change>(
    tx,
    {
      columns: 'at, actor, merchant_id, object_id, from_state, to_state, reason, change_id',
      from: `state_changes WHERE ${WHERE}`,
      values: valuesOf(filter),
      order: { by: { at: 'instant', change_id: 'integer' }, isDescending: true },
    },
    page,
  );
}
