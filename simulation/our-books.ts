import { openEventBody } from '../server/src/platform/state/events.ts';
import type { World } from './world.ts';

/** What of our own books belongs to history: all columns that say what happened, none that is sealed again each time. */
const BOOKS: Readonly<Record<string, string>> = {
  schedule: `SELECT merchant_id, schedule_id, status, due_at, terms_version, live_version
    FROM schedules JOIN schedule_agenda USING (merchant_id, schedule_id)`,
  consent: `SELECT merchant_id, consent_id, status, bank_id, bank_consent_id, granted_at, ended_at FROM consents`,
  payment: `SELECT merchant_id, payment_id, status, due_date, amount_pence, error_code, completed_at, failed_at,
    settlement_id, fee_pence FROM payments`,
  attempt: `SELECT merchant_id, payment_id, number, manual, status, bank_status, error_code, started_at, sent_at,
    finished_at, pay_in_id FROM attempts`,
  order: `SELECT merchant_id, payment_id, attempt, call, sent_at, taken_back_at FROM payment_orders`,
  transfer: `SELECT merchant_id, transfer_id, kind, debit_account_id, credit_account_id, amount_pence, source_id, at
    FROM transfers`,
  settlement: `SELECT merchant_id, settlement_id, settle_date, amount_pence, status, attempts, error_code, completed_at
    FROM settlements`,
  refund: `SELECT merchant_id, refund_id, payment_id, amount_pence, status, error_code, created_at, completed_at, failed_at
    FROM refunds`,
  dispute: `SELECT merchant_id, dispute_id, payment_id, amount_pence, status, deadline_at, refund_id, returned_pence,
    created_at, ended_at FROM disputes`,
  'refund line': `SELECT merchant_id, refund_id, kind, amount_pence, settlement_id FROM refund_lines`,
  'came back line': `SELECT merchant_id, item_id, amount_pence, settlement_id FROM came_back_lines`,
  'fee transfer': `SELECT merchant_id, settlement_id, fees_pence, order_pence, taken_pence, tries FROM fee_transfers`,
  change: `SELECT merchant_id, object_id, from_state, to_state, reason, at FROM state_changes`,
  delivery: `SELECT merchant_id, delivery_id, event_id, status, attempts, finished_at FROM deliveries`,
  sending: `SELECT merchant_id, delivery_id, number, manual, response_status, error, at
    FROM all_delivery_attempts`,
};

/** Our own books, a line for each row, and every event with the body that was signed and sent. */
export async function ourBooks({ db, platform }: World): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, sql] of Object.entries(BOOKS))
    for (const row of await db.read((tx) => tx.rows<object>(sql)))
      lines.push(`${name} ${JSON.stringify(row)}`);
  const events = await db.read((tx) =>
    tx.rows<{ eventId: string; kind: string; sequence: number | null; body: string }>(
      'SELECT event_id, kind, sequence, body FROM events',
    ),
  );
  for (const { eventId, kind, sequence, body } of events)
    lines.push(
      `event ${eventId} ${kind} ${sequence} ${openEventBody(platform.vault, eventId, body)}`,
    );
  return lines;
}
