import type { Tx } from '../../platform/db/db.ts';
import { claim } from '../../platform/engine/claim.ts';

/** A notice to insert; `content` is sealed. */
export interface FreshNotice {
  noticeId: string;
  content: string;
  /** Null: it is kept, because nothing sends it here. */
  dueAt: Temporal.Instant | null;
}

/** Inserts a notice. */
export async function insertNotice(
  tx: Tx,
  now: Temporal.Instant,
  { noticeId, content, dueAt }: FreshNotice,
): Promise<void> {
  await tx.run(
    'INSERT INTO operator_notices (notice_id, content, due_at, created_at) VALUES ($1, $2, $3, $4)',
    [noticeId, content, dueAt, now],
  );
}

/** A notice as a stage claims it. */
export interface ClaimedNotice {
  noticeId: string;
  content: string;
  attempts: number;
}

/** Claims due notices, and leases them for `leaseMs`. */
export function claimNotices(
  tx: Tx,
  now: Temporal.Instant,
  leaseMs: number,
  limit: number,
): Promise<ClaimedNotice[]> {
  return claim<ClaimedNotice>(tx, now, leaseMs, limit, {
    table: 'operator_notices',
    key: ['notice_id'],
    returning: 't.notice_id, t.content, t.attempts',
  });
}

/** Records a try to send a notice; `nextTry` null: it is over. */
export async function recordTry(
  tx: Tx,
  noticeId: string,
  { error, nextTry }: { error: string | null; nextTry: Temporal.Instant | null },
): Promise<void> {
  await tx.run(
    'UPDATE operator_notices SET attempts = attempts + 1, due_at = $2, error = $3 WHERE notice_id = $1',
    [noticeId, nextTry, error],
  );
}

/** Returns the newest notices, sealed. */
export function listNotices(
  tx: Tx,
  limit: number,
): Promise<{ noticeId: string; content: string; createdAt: Temporal.Instant }[]> {
  return tx.rows(
    'SELECT notice_id, content, created_at FROM operator_notices ORDER BY notice_id DESC LIMIT $1',
    [limit],
  );
}
