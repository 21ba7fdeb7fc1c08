import type { Tx } from '../../platform/db/db.ts';

export interface ChangeRow {
  changeId: number;
  objectId: string;
  fromState: string | null;
  toState: string;
  reason: string;
  at: Temporal.Instant;
  actor: string;
}

/** Returns the changes of a schedule and its objects written before `before`, latest first. */
export function listChanges(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
  before: number,
  limit: number,
): Promise<ChangeRow[]> {
  return tx.rows<ChangeRow>(
    `SELECT change_id, object_id, from_state, to_state, reason, at, actor FROM state_changes
     WHERE merchant_id = $1 AND schedule_id = $2 AND change_id < $3 ORDER BY change_id DESC LIMIT $4`,
    [merchantId, scheduleId, before, limit],
  );
}

export interface EventRow {
  eventId: string;
  kind: string;
  sequence: number;
  subjectId: string;
  createdAt: Temporal.Instant;
  /** The statuses of its deliveries to existing endpoints, and of those that arrived anywhere. */
  deliveries: string[];
}

/** Returns a schedule's events with a sequence below `before`, latest first, with their outcomes. */
export function listEventsOf(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
  before: number,
  limit: number,
): Promise<EventRow[]> {
  return tx.rows<EventRow>(
    `SELECT v.event_id, v.kind, v.sequence, v.subject_id, v.created_at,
            ARRAY(SELECT d.status FROM deliveries d JOIN webhook_endpoints w USING (merchant_id, endpoint_id)
                  WHERE d.merchant_id = $1 AND d.event_id = v.event_id
                    AND (w.status <> 'deleted' OR d.status = 'delivered')) AS deliveries
     FROM events v WHERE v.merchant_id = $1 AND v.schedule_id = $2 AND v.sequence < $3
     ORDER BY v.sequence DESC LIMIT $4`,
    [merchantId, scheduleId, before, limit],
  );
}
