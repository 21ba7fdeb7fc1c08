import type { Tx } from '../platform/db/db.ts';
import type { Work } from '../platform/platform.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';
import { appendEvents } from '../platform/state/events.ts';
import { moveRows, type Step } from '../platform/state/move-rows.ts';
import { type Move, transition } from '../platform/state/state-machine.ts';
import { DISPUTES, type DisputeStatus } from './dispute.ts';
import { closedData, type DisputeEnd, openedData, reopenedData } from './events.ts';
import type { DisputeRow } from './store.ts';

/** The state changes of disputes; nothing else writes a dispute's status. */

const ENDS: Readonly<Record<DisputeEnd['status'], Move<DisputeStatus>>> = {
  refunded: transition(DISPUTES, ['open'], 'refunded'),
  returned: transition(DISPUTES, ['open'], 'returned'),
  rejected: transition(DISPUTES, ['open'], 'rejected'),
  withdrawn: transition(DISPUTES, ['open'], 'withdrawn'),
};
const REOPENED = transition(DISPUTES, ['refunded'], 'open');
const RETURNED_AFTER_ALL = transition(DISPUTES, ['refunded'], 'returned');

/** Inserts an open dispute, and tells the merchant. The caller holds its payment, and has seen that no dispute of it stands. */
export async function insertDispute({ platform, tx, now }: Work, row: DisputeRow): Promise<void> {
  await tx.run(
    `INSERT INTO disputes (merchant_id, dispute_id, payment_id, schedule_id, raised_by, reason, amount_pence, currency, note,
       status, deadline_at, returned_before_pence,
       refunds_before, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      row.merchantId,
      row.disputeId,
      row.paymentId,
      row.scheduleId,
      row.raisedBy,
      row.reason,
      row.amountPence,
      row.currency,
      row.note,
      DISPUTES.states.open.status ?? null,
      row.deadlineAt,
      row.returnedBeforePence,
      row.refundsBefore,
      now,
    ],
  );
  const { merchantId, scheduleId } = row;
  const change = { objectId: row.disputeId, from: null, to: 'open', reason: row.reason };
  await recordChanges(tx, now, [{ merchantId, scheduleId, ...change }]);
  const event = { kind: 'dispute.opened', subjectId: row.disputeId, data: openedData(now, row) };
  await appendEvents({ platform, tx, now }, [{ merchantId, scheduleId, ...event }]);
}

type DisputeStep = Pick<
  Step<DisputeStatus, DisputeRow>,
  'move' | 'columns' | 'set' | 'book' | 'events'
>;

async function moveOne(
  tx: Tx,
  now: Temporal.Instant,
  row: DisputeRow,
  reason: string,
  step: DisputeStep,
): Promise<void> {
  const { merchantId, disputeId: objectId, scheduleId } = row;
  const moved = await moveRows<DisputeStatus, DisputeRow>(tx, now, {
    audit: () => ({ merchantId, objectId, scheduleId, reason }),
    ...step,
    rows: [row],
    columns: {
      merchant_id: ['text', () => merchantId],
      dispute_id: ['text', () => objectId],
      at: ['timestamptz', () => now],
      ...step.columns,
    },
  });
  if (moved.length !== 1) throw new Error(`dispute ${objectId} was not locked`);
}

/** Ends an open dispute. `answer`: what the merchant answered, sealed. The caller holds it. */
export async function moveToEnd(
  { platform, tx, now }: Work,
  row: DisputeRow,
  end: DisputeEnd & { answer?: string | null; why: string },
): Promise<void> {
  const { status, returnedPence, refundId, answer = null } = end;
  const gaveBack = status === 'refunded' || status === 'returned';
  await moveOne(tx, now, row, end.why, {
    move: ENDS[status],
    columns: {
      refund_id: ['text', () => refundId],
      returned_pence: ['bigint', () => (gaveBack ? returnedPence : null)],
      answer: ['text', () => answer],
    },
    set: 'ended_at = n.at, refund_id = n.refund_id, returned_pence = n.returned_pence, answer = n.answer',
    events: { platform, of: () => ({ data: closedData(now, row, end) }) },
  });
}

/** Opens a refunded dispute again: its money did not arrive. The caller holds it. */
export function moveToReopened({ platform, tx, now }: Work, row: DisputeRow): Promise<void> {
  return moveOne(tx, now, row, 'its refund failed or came back', {
    move: REOPENED,
    columns: {},
    set: 'ended_at = NULL, refund_id = NULL, returned_pence = NULL',
    events: { platform, of: () => ({ data: reopenedData(now, row) }) },
  });
}

/** Records that a refunded dispute's money came back by the payer's bank instead. The caller holds it. */
export function moveToReturned({ tx, now }: Work, row: DisputeRow): Promise<void> {
  return moveOne(tx, now, row, "the payer's bank took the payment back", {
    move: RETURNED_AFTER_ALL,
    columns: {},
    set: 'refund_id = NULL',
  });
}
