import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { lockName } from '../../platform/db/lock-store.ts';
import { conditions } from '../../platform/http/lists/conditions.ts';
import { type List, type Page, readPage } from '../../platform/http/lists/page.ts';
import type { ManyChange } from './body.ts';
import type { Effect, Line, LineState } from './line.ts';

/** A change of many schedules: a preview until it is started, running while it is due, done afterwards. */
export interface ChangeRow {
  changeId: string;
  actor: string;
  change: ManyChange;
  createdAt: Temporal.Instant;
  startedAt: Temporal.Instant | null;
  finishedAt: Temporal.Instant | null;
  dueAt: Temporal.Instant | null;
}

const COLUMNS = 'change_id, actor, change, created_at, started_at, finished_at, due_at';
const PREVIEW = 'merchant_id = $1 AND started_at IS NULL';

/** How many lines of a change have an effect and a state, and what one collection of each takes together. */
export interface Count {
  changeId: string;
  effect: Effect;
  state: LineState;
  count: number;
  beforePence: number;
  afterPence: number;
}

/** Waits until no other change of the merchant begins or is being begun, until the end of the transaction. */
export const lockBeginning = (tx: Tx, merchantId: string): Promise<void> =>
  lockName(tx, `schedule changes ${merchantId}`);

/** Returns the change of the merchant that is running; null: none is. */
export async function findRunning(tx: Tx, merchantId: string): Promise<string | null> {
  const row = await tx.row<{ changeId: string }>(
    `SELECT change_id FROM schedule_changes WHERE merchant_id = $1 AND due_at IS NOT NULL LIMIT 1`,
    [merchantId],
  );
  return row?.changeId ?? null;
}

/** Inserts a change that was just asked for. */
export async function insertChange(
  tx: Tx,
  merchantId: string,
  {
    changeId,
    actor,
    change,
    createdAt,
  }: Pick<ChangeRow, 'changeId' | 'actor' | 'change' | 'createdAt'>,
): Promise<void> {
  await tx.run(
    `INSERT INTO schedule_changes (merchant_id, change_id, actor, change, created_at) VALUES ($1, $2, $3, $4, $5)`,
    [merchantId, changeId, actor, JSON.stringify(change), createdAt],
  );
}

/** Inserts the lines of a change. */
export async function insertLines(
  tx: Tx,
  merchantId: string,
  changeId: string,
  lines: readonly Line[],
): Promise<void> {
  await tx.run(
    `INSERT INTO schedule_change_lines (merchant_id, change_id, schedule_id, terms_version, schedule_status, amount_pence,
       new_amount_pence, effect, state, error_code, reason)
     SELECT $1, $2, l.* FROM unnest($3::text[], $4::int[], $5::text[], $6::bigint[], $7::bigint[], $8::text[], $9::text[],
       $10::text[], $11::text[]) AS l`,
    [
      merchantId,
      changeId,
      ...columns(
        lines,
        'scheduleId',
        'termsVersion',
        'scheduleStatus',
        'amountPence',
        'newAmountPence',
        'effect',
        'state',
        'errorCode',
        'reason',
      ),
    ],
  );
}

/** Deletes the previews of the merchant that were never carried out, but the newest `kept`. */
export async function deletePreviews(tx: Tx, merchantId: string, kept: number): Promise<void> {
  await tx.run(
    `DELETE FROM schedule_changes WHERE ${PREVIEW} AND change_id <= (
       SELECT change_id FROM schedule_changes WHERE ${PREVIEW} ORDER BY change_id DESC OFFSET $2 LIMIT 1)`,
    [merchantId, kept],
  );
}

/** Returns a change; null: there is none. `isLocked`: until the end of the transaction nobody else starts or ends it. */
export function findChange(
  tx: Tx,
  merchantId: string,
  changeId: string,
  isLocked = false,
): Promise<ChangeRow | null> {
  return tx.row<ChangeRow>(
    `SELECT ${COLUMNS} FROM schedule_changes WHERE merchant_id = $1 AND change_id = $2 ${isLocked ? 'FOR UPDATE' : ''}`,
    [merchantId, changeId],
  );
}

/** Returns a page of the merchant's changes, the newest first. */
export function findChangesPage(tx: Tx, merchantId: string, page: Page): Promise<List<ChangeRow>> {
  const listing = {
    columns: COLUMNS,
    from: 'schedule_changes WHERE merchant_id = $1',
    values: [merchantId],
    order: { by: { change_id: 'text' }, isDescending: true },
  } as const;
  return readPage<ChangeRow>(tx, listing, page);
}

/** Counts the lines of changes by effect and state. */
export function countLines(
  tx: Tx,
  merchantId: string,
  changeIds: readonly string[],
): Promise<Count[]> {
  return tx.rows<Count>(
    `SELECT change_id, effect, state, count(*) AS count, sum(amount_pence)::bigint AS before_pence,
       sum(coalesce(new_amount_pence, amount_pence))::bigint AS after_pence
     FROM schedule_change_lines WHERE merchant_id = $1 AND change_id = ANY($2) GROUP BY change_id, effect, state`,
    [merchantId, changeIds],
  );
}

/** A line with the schedule's own words. */
export interface LineRow extends Line {
  description: string;
}

const LINE_COLUMNS = `l.schedule_id, l.terms_version, l.schedule_status, l.amount_pence, l.new_amount_pence, l.effect, l.state,
  l.error_code, l.reason, l.link`;

/** Returns a page of a change's lines, in the order in which they are carried out. */
export function findLines(
  tx: Tx,
  merchantId: string,
  changeId: string,
  filter: { effect?: Effect; state?: LineState },
  page: Page,
): Promise<List<LineRow>> {
  const all = conditions('l.merchant_id = $1 AND l.change_id = $2', [merchantId, changeId]);
  all.add(filter.effect, (effect) => `l.effect = ${effect}`);
  all.add(filter.state, (state) => `l.state = ${state}`);
  const listing = {
    columns: `${LINE_COLUMNS}, s.description`,
    from: `schedule_change_lines l JOIN schedules s ON s.merchant_id = l.merchant_id AND s.schedule_id = l.schedule_id
      WHERE ${all.where()}`,
    values: all.values,
    order: { by: { 'l.schedule_id': 'text' }, isDescending: false },
  } as const;
  return readPage<LineRow>(tx, listing, page);
}

/** Starts a locked change, or goes on with it. */
export async function startChange(
  tx: Tx,
  merchantId: string,
  changeId: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE schedule_changes SET started_at = coalesce(started_at, $3), finished_at = NULL, due_at = $3
     WHERE merchant_id = $1 AND change_id = $2`,
    [merchantId, changeId, now],
  );
}

/** Plans the failed lines of a locked change again; returns how many. */
export function planFailedAgain(tx: Tx, merchantId: string, changeId: string): Promise<number> {
  return tx.run(
    `UPDATE schedule_change_lines SET state = 'planned', error_code = NULL, reason = NULL
     WHERE merchant_id = $1 AND change_id = $2 AND state = 'failed'`,
    [merchantId, changeId],
  );
}
