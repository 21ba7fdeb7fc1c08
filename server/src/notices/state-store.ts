import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';
import { moveRows } from '../platform/state/move-rows.ts';
import { transition } from '../platform/state/state-machine.ts';
import { isKind, kindOf } from './kinds.ts';
import { NOTICES, type NoticeStatus } from './notice.ts';

/** The state changes of notices; nothing else writes a notice's status. */

const SENT = transition(NOTICES, ['pending'], 'sent');
const RETRY = transition(NOTICES, ['pending'], 'pending');
const FAILED = transition(NOTICES, ['pending'], 'failed');

/** A notice to insert; `content` is sealed. */
export interface FreshNotice {
  merchantId: string;
  noticeId: string;
  kind: string;
  causeId: string;
  /** Null: not to a customer. */
  scheduleId: string | null;
  customerId: string | null;
  readerIndex: Buffer;
  content: string;
  status: 'pending' | 'kept';
  dueAt: Temporal.Instant | null;
}

/**
 * Inserts notices; one that its reader has for this cause stays as it is. Returns how many are new. A new one to a customer that
 * is kept is recorded in the audit trail here, because it is never sent.
 */
export async function insertNotices(
  tx: Tx,
  now: Temporal.Instant,
  notices: readonly FreshNotice[],
): Promise<number> {
  const inserted = await tx.rows<{ noticeId: string }>(
    `INSERT INTO notices (merchant_id, notice_id, kind, cause_id, schedule_id, customer_id, reader_index, content, status,
       due_at, created_at)
     SELECT n.*, $11::timestamptz
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::text[], $9::text[],
       $10::timestamptz[]) AS n
     ON CONFLICT (merchant_id, kind, cause_id, reader_index) DO NOTHING RETURNING notice_id`,
    [
      ...columns(
        notices,
        'merchantId',
        'noticeId',
        'kind',
        'causeId',
        'scheduleId',
        'customerId',
        'readerIndex',
        'content',
        'status',
        'dueAt',
      ),
      now,
    ],
  );
  const isNew = new Set(inserted.map(({ noticeId }) => noticeId));
  const kept = notices.filter(
    ({ noticeId, status, scheduleId }) =>
      isNew.has(noticeId) && status === 'kept' && scheduleId !== null,
  );
  await recordChanges(
    tx,
    now,
    kept.map(({ merchantId, noticeId, scheduleId, kind }) => ({
      merchantId,
      objectId: noticeId,
      scheduleId,
      from: null,
      to: 'kept',
      reason: isKind(kind) ? kindOf(kind).title : kind,
    })),
  );
  return inserted.length;
}

/** The outcome of one try to send a notice. */
export interface Tried {
  merchantId: string;
  noticeId: string;
  /** Null: not to a customer. */
  scheduleId: string | null;
  /** Its content, sealed, if the customer's address has changed since it was written. */
  content: string | null;
  /** What it was about, for the audit trail. */
  about: string;
  /** Null: it was sent. */
  error: string | null;
  /** When it is tried again; null: not again. */
  nextTry: Temporal.Instant | null;
}

const moveOf = ({ error, nextTry }: Tried) =>
  error === null ? SENT : nextTry === null ? FAILED : RETRY;

/** Records tries, each of a different notice, and what is sent or given up in the audit trail. */
export async function recordTries(
  tx: Tx,
  now: Temporal.Instant,
  tries: readonly Tried[],
): Promise<void> {
  await moveRows<NoticeStatus, Tried>(tx, now, {
    rows: tries,
    move: [SENT, RETRY, FAILED],
    choose: moveOf,
    columns: {
      merchant_id: ['text', (row) => row.merchantId],
      notice_id: ['text', (row) => row.noticeId],
      next_try: ['timestamptz', (row) => row.nextTry],
      error: ['text', (row) => row.error],
      content: ['text', (row) => row.content],
      ended_at: ['timestamptz', (row) => (row.nextTry === null ? now : null)],
    },
    set: `attempts = t.attempts + 1, due_at = n.next_try, error = n.error, ended_at = n.ended_at,
      content = coalesce(n.content, t.content)`,
    audit: (row) => ({
      merchantId: row.merchantId,
      objectId: row.noticeId,
      scheduleId: row.scheduleId,
      reason: row.error === null ? row.about : `${row.about}: ${row.error}`,
      from: 'pending',
    }),
  });
}
