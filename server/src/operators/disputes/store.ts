import type { DisputeReason, DisputeStatus, RaisedBy } from '../../disputes/dispute.ts';
import type { Tx } from '../../platform/db/db.ts';
import { conditions } from '../../platform/http/lists/conditions.ts';
import { type List, type Page, readPage } from '../../platform/http/lists/page.ts';

/** A dispute of any merchant, without what names its customer. */
export interface DisputeOfAll {
  merchantId: string;
  merchantName: string;
  disputeId: string;
  paymentId: string;
  raisedBy: RaisedBy;
  reason: DisputeReason;
  amountPence: number;
  currency: string;
  status: DisputeStatus;
  deadlineAt: Temporal.Instant;
  createdAt: Temporal.Instant;
}

/** Returns a page of the disputes of all merchants in this status, the nearest deadline first. */
export function listDisputesOfAll(
  tx: Tx,
  status: DisputeStatus,
  page: Page,
): Promise<List<DisputeOfAll>> {
  const all = conditions('d.status = $1', [status]);
  return readPage<DisputeOfAll>(
    tx,
    {
      columns: `d.merchant_id, m.name AS merchant_name, d.dispute_id, d.payment_id, d.raised_by, d.reason, d.amount_pence,
        d.currency, d.status, d.deadline_at, d.created_at`,
      from: `disputes d JOIN merchants m ON m.merchant_id = d.merchant_id WHERE ${all.where()}`,
      values: all.values,
      order: {
        by: { 'd.deadline_at': 'instant', 'd.merchant_id': 'text', 'd.dispute_id': 'text' },
        isDescending: false,
      },
    },
    page,
  );
}

/** Returns the merchant of a dispute; null: there is none. Looks it up once per merchant, along the primary key. */
export async function merchantOfDispute(tx: Tx, disputeId: string): Promise<string | null> {
  const row = await tx.row<{ merchantId: string }>(
    `SELECT m.merchant_id FROM merchants m CROSS JOIN LATERAL (SELECT FROM disputes
       WHERE merchant_id = m.merchant_id AND dispute_id = $1 OFFSET 0) d LIMIT 1`,
    [disputeId],
  );
  return row?.merchantId ?? null;
}
