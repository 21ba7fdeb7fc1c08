import { DISPUTE_EVENTS } from '../../disputes/events.ts';
import { MERCHANT_EVENTS } from '../../merchants/events.ts';
import { PAYMENT_EVENTS } from '../../payments/payment/events.ts';
import type { EventDescriptions } from '../../platform/state/events.ts';
import { REFUND_EVENTS } from '../../refunds/events.ts';
import { SCHEDULE_EVENTS } from '../../schedules/request/events.ts';
import { SETTLEMENT_EVENTS } from '../../settlements/events.ts';
import type { EventKind } from '../../webhooks/endpoint.ts';

/** Every kind of event, as its slice describes it. */
export const EVENTS: EventDescriptions<EventKind> = {
  ...SCHEDULE_EVENTS,
  ...PAYMENT_EVENTS,
  ...REFUND_EVENTS,
  ...DISPUTE_EVENTS,
  ...SETTLEMENT_EVENTS,
  ...MERCHANT_EVENTS,
};
