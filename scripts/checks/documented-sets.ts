import { MERCHANT_EVENTS } from '../../server/src/merchants/events.ts';
import { PAYMENT_EVENTS } from '../../server/src/payments/payment/events.ts';
import type { EventDescriptions } from '../../server/src/platform/state/events.ts';
import { REFUND_EVENTS } from '../../server/src/refunds/events.ts';
import { SCHEDULE_EVENTS } from '../../server/src/schedules/request/events.ts';
import { FREQUENCY_BOUNDS, FREQUENCY_TYPES } from '../../server/src/schedules/terms/frequency.ts';
import { SETTLEMENT_EVENTS } from '../../server/src/settlements/events.ts';
import {
  DEFAULT_EVENT_KINDS,
  EVENT_KINDS,
  type EventKind,
} from '../../server/src/webhooks/endpoint.ts';

const EVENTS: EventDescriptions<EventKind> = {
  ...MERCHANT_EVENTS,
  ...PAYMENT_EVENTS,
  ...REFUND_EVENTS,
  ...SCHEDULE_EVENTS,
  ...SETTLEMENT_EVENTS,
};

const DAYS: Readonly<Record<number, string>> = { 7: '1 (Monday) to 7', 31: '1 to 31' };

/** Returns the table of how often a schedule can collect. */
export function frequencyTable(): string {
  const rows = FREQUENCY_TYPES.map((type) => {
    const { noun, lastDay, longestInterval } = FREQUENCY_BOUNDS[type];
    return `| \`${type}\` | ${noun} | ${DAYS[lastDay ?? 0] ?? 'refused'} | 1 to ${longestInterval} |`;
  });
  return `| type | every | \`day\` | \`interval\` |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

/** Returns the table of the event kinds: who gets each, and when. */
export function eventKindTable(): string {
  const rows = EVENT_KINDS.map((kind) => {
    const sentTo = DEFAULT_EVENT_KINDS.includes(kind) ? 'every endpoint' : 'opt-in';
    return `| \`${kind}\` | ${sentTo} | ${EVENTS[kind].description} |`;
  });
  return `| kind | sent to | when |\n|---|---|---|\n${rows.join('\n')}\n`;
}
