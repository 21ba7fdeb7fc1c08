import { columns } from '../platform/db/columns.ts';
import type { SqlValue, Tx } from '../platform/db/db.ts';
import { derivedId } from '../platform/values/ids.ts';
import type { Kind, Line } from './archive.ts';

/** A subject among a merchant's rows of one month. */
export interface Subject {
  id: string;
  scheduleId: string | null;
  /** With the id, its place in the order of the pages. */
  at: Temporal.Instant;
  /** Nothing of it is under way. */
  isOver: boolean;
}

const OF_P = 'x.merchant_id = p.merchant_id AND x.payment_id = p.payment_id';
const PAYMENT_UNDER_WAY = `EXISTS (SELECT FROM payment_work x WHERE ${OF_P})
  OR EXISTS (SELECT FROM to_settle x WHERE ${OF_P})
  OR EXISTS (SELECT FROM payment_evidence x WHERE ${OF_P})
  OR EXISTS (SELECT FROM attempts x WHERE ${OF_P} AND x.status IN ('started', 'processing'))
  OR EXISTS (SELECT FROM unallocated_items x WHERE ${OF_P} AND x.status = 'open')
  OR (p.returned_at IS NOT NULL AND EXISTS (SELECT FROM debts x WHERE ${OF_P}
    AND (x.netted_at IS NULL OR x.due_at IS NOT NULL)))
  OR EXISTS (SELECT FROM refunds x WHERE ${OF_P} AND (x.status IN ('pending', 'processing')
    OR EXISTS (SELECT FROM refund_lines l WHERE l.merchant_id = x.merchant_id AND l.refund_id = x.refund_id
      AND l.settlement_id IS NULL)))`;
const PAYMENT_SETTLED = `EXISTS (SELECT FROM settlements x WHERE x.merchant_id = p.merchant_id
  AND x.settlement_id = p.settlement_id AND x.status = 'success')`;
const SETTLEMENT_IS_OVER = `(p.status = 'success' OR p.status = 'failed' AND p.stage IS NULL) AND NOT EXISTS (
  SELECT FROM fee_transfers x WHERE x.merchant_id = p.merchant_id
    AND x.settlement_id = p.settlement_id AND x.due_at IS NOT NULL)`;

/** A page of rows: of `$1`, from the moment `$2` to before `$3`, after the place `$4`, `$5`, at most `$6`. */
const pageOf = (table: string, id: string, at: string, type = 'timestamptz'): string =>
  `(SELECT * FROM ${table} WHERE merchant_id = $1 AND ${at} >= $2::${type} AND ${at} < $3::${type}
    AND (${at}, ${id}) > ($4::${type}, $5)
    ORDER BY ${at}, ${id} LIMIT $6) p ORDER BY p.${at}, p.${id}`;

/**
 * A payment belongs to the month in which it was due, a settlement to that of its day, a notice to that in which it was made:
 * none of these changes.
 */
const SUBJECTS: Readonly<Record<Exclude<Kind, 'notice'>, string>> = {
  payment: `SELECT p.payment_id AS id, p.schedule_id, p.due_date AS at, p.status IN ('success', 'failed')
      AND p.next_retry_at IS NULL AND (p.status = 'failed' OR ${PAYMENT_SETTLED}) AND NOT (${PAYMENT_UNDER_WAY}) AS is_over
    FROM ${pageOf('payments', 'payment_id', 'due_date')}`,
  settlement: `SELECT p.settlement_id AS id, NULL AS schedule_id, p.settle_date::timestamptz AS at,
      ${SETTLEMENT_IS_OVER} AS is_over
    FROM ${pageOf('settlements', 'settlement_id', 'settle_date', 'date')}`,
};
const NOTICES = `SELECT notice_id AS id, schedule_id, created_at AS at, status <> 'pending' AS is_over FROM notices
  WHERE merchant_id = $1 AND notice_id >= $2 AND notice_id < $3 AND notice_id > $4 ORDER BY notice_id LIMIT $5`;

/** Where a page of subjects begins and ends. */
export interface Span {
  from: Temporal.Instant;
  to: Temporal.Instant;
  after: Pick<Subject, 'at' | 'id'> | null;
  limit: number;
}

/** Returns the smallest id for an instant. */
const firstNotice = (at: Temporal.Instant): string => derivedId('ntc', at, Buffer.alloc(10));

/** Returns a page of a merchant's subjects of a month, whether they are over or not. */
export function listSubjects(
  tx: Tx,
  kind: Kind,
  merchantId: string,
  { from, to, after, limit }: Span,
): Promise<Subject[]> {
  const id = after?.id ?? '';
  return kind === 'notice'
    ? tx.rows<Subject>(NOTICES, [merchantId, firstNotice(from), firstNotice(to), id, limit])
    : tx.rows<Subject>(SUBJECTS[kind], [merchantId, from, to, after?.at ?? from, id, limit]);
}

/** Returns when the merchant's oldest subject was; null: it has none. */
export async function oldestOf(tx: Tx, merchantId: string): Promise<Temporal.Instant | null> {
  const row = await tx.row<{ at: Temporal.Instant | null }>(
    `SELECT least(
       (SELECT due_date FROM payments WHERE merchant_id = $1 ORDER BY due_date, payment_id LIMIT 1),
       (SELECT created_at FROM notices WHERE merchant_id = $1 ORDER BY notice_id LIMIT 1)) AS at`,
    [merchantId],
  );
  return row?.at ?? null;
}

/** SQL: the rows of a table that hang on each of `k`, found by key one after the other. `more`: a further column. */
const linesOf = (table: string, k: string, condition: string, more = ''): string =>
  `SELECT '${table}' AS "table", k.subject, to_jsonb(t) - '{xmin,version}'::text[] AS row, t.version::text${more} FROM ${k}
   CROSS JOIN LATERAL (SELECT t.*, t.xmin AS version FROM ${table} t WHERE t.merchant_id = $1 AND ${condition} OFFSET 0) t`;

const GIVEN_KEYS =
  'WITH given AS (SELECT * FROM unnest($2::text[], $3::text[]) AS g (id, schedule_id))';

/** SQL: the events and state changes of subjects, or the notices themselves. */
const HISTORY: Readonly<Record<Kind, string>> = {
  // A payment's history is that of its refunds, too.
  payment: `${GIVEN_KEYS}, k AS (SELECT id AS subject, schedule_id, id AS object_id FROM given UNION ALL
      SELECT g.id, g.schedule_id, r.refund_id FROM given g CROSS JOIN LATERAL (
        SELECT refund_id FROM refunds WHERE merchant_id = $1 AND payment_id = g.id OFFSET 0) r)
    ${linesOf('state_changes', 'k', 't.schedule_id = k.schedule_id AND t.object_id = k.object_id')} UNION ALL
    ${linesOf('events', 'k', 't.schedule_id = k.schedule_id AND t.subject_id = k.object_id')}`,
  settlement: `${GIVEN_KEYS}, k AS (SELECT id AS subject FROM given)
    ${linesOf('state_changes', 'k', 't.schedule_id IS NULL AND t.object_id = k.subject')} UNION ALL
    ${linesOf('events', 'k', 't.schedule_id IS NULL AND t.subject_id = k.subject')}`,
  notice: `${GIVEN_KEYS}, k AS (SELECT id AS subject FROM given) ${linesOf('notices', 'k', 't.notice_id = k.subject')}`,
};

/** A delivery at an endpoint that is disabled is sent once that is enabled again. */
const IS_AWAITED = `, t.status = 'pending' OR (t.status = 'held' AND EXISTS (SELECT FROM webhook_endpoints w
  WHERE w.merchant_id = $1 AND w.endpoint_id = t.endpoint_id AND w.status <> 'deleted')) AS is_awaited`;

const OF_EVENT = 'unnest($2::text[], $3::text[]) AS k (subject, event_id)';
const DELIVERIES = linesOf('deliveries', OF_EVENT, 't.event_id = k.event_id', IS_AWAITED);
const NOBODYS = linesOf('events_without_endpoint', OF_EVENT, 't.event_id = k.event_id');
const ATTEMPTS = linesOf(
  'delivery_attempts',
  'unnest($2::text[], $3::text[]) AS k (subject, delivery_id)',
  't.delivery_id = k.delivery_id',
);

/** The values of statements about what hangs on lines, by an id in their rows. */
const valuesOf = (merchantId: string, some: readonly Line[], id: string): SqlValue[] => [
  merchantId,
  some.map(({ subject }) => subject),
  some.map(({ row }) => String(row[id])),
];

/** The history of one page of subjects. */
export interface History {
  lines: Line[];
  /** Those of which a delivery is still to be tried. */
  awaited: Set<string>;
}

/** Returns all that the archived tables hold of subjects of one merchant. */
export async function findLines(
  tx: Tx,
  kind: Kind,
  merchantId: string,
  some: readonly Subject[],
): Promise<History> {
  if (some.length === 0) return { lines: [], awaited: new Set() };
  const given = [merchantId, ...columns(some, 'id', 'scheduleId')];
  const history = await tx.rows<Line>(HISTORY[kind], given);
  const events = history.filter(({ table }) => table === 'events');
  const ofEvents = valuesOf(merchantId, events, 'event_id');
  const deliveries = await tx.rows<Line & { isAwaited: boolean }>(DELIVERIES, ofEvents);
  const nobodys = await tx.rows<Line>(NOBODYS, ofEvents);
  const ofDeliveries = valuesOf(merchantId, deliveries, 'delivery_id');
  const attempts = await tx.rows<Line>(ATTEMPTS, ofDeliveries);
  const awaited = new Set(deliveries.flatMap((one) => (one.isAwaited ? [one.subject] : [])));
  return { lines: [...history, ...deliveries, ...nobodys, ...attempts], awaited };
}
