import { bySql } from './law.ts';

/** An event and its deliveries are written in one transaction: docs/rules/webhooks.md#events. */
export const NO_EVENT_LOST = bySql(
  'no-event-lost',
  'Every event has a delivery, or is on the list of those that no endpoint wanted.',
  `SELECT v.merchant_id || ' ' || v.event_id || ' ' || v.kind AS what FROM events v
   WHERE NOT EXISTS (SELECT FROM deliveries d WHERE d.merchant_id = v.merchant_id AND d.event_id = v.event_id)
     AND NOT EXISTS (SELECT FROM events_without_endpoint n WHERE n.merchant_id = v.merchant_id AND n.event_id = v.event_id)`,
);
