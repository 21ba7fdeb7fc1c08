import { edges, type StateMachine, statuses } from '../platform/state/state-machine.ts';

/**
 * The event kinds: six that every endpoint gets, and those it has to subscribe to. See docs/rules/webhooks.md#event-kinds.
 */
const KINDS = {
  'schedule.setup_success': 'default',
  'schedule.setup_failed': 'default',
  'collection.success': 'default',
  'collection.failed': 'default',
  'settlement.success': 'default',
  'settlement.failed': 'default',
  'collection.skipped': 'opt-in',
  'collection.returned': 'opt-in',
  'refund.success': 'opt-in',
  'refund.failed': 'opt-in',
  'dispute.opened': 'opt-in',
  'dispute.closed': 'opt-in',
  'dispute.reopened': 'opt-in',
  'schedule.cancelled': 'opt-in',
  'schedule.paused': 'opt-in',
  'schedule.resumed': 'opt-in',
  'consent.revoked': 'opt-in',
  'consent.reauthentication_needed': 'opt-in',
  'merchant.settlement_account_changed': 'opt-in',
  'payment.unexpected_money': 'opt-in',
} as const;

export type EventKind = keyof typeof KINDS;

/** Every kind that an endpoint can subscribe to. */
export const EVENT_KINDS = Object.keys(KINDS) as EventKind[];

/** The kinds that an endpoint gets by default. */
export const DEFAULT_EVENT_KINDS = EVENT_KINDS.filter((kind) => KINDS[kind] === 'default');

/** An event created by hand for one endpoint, which is its subject. No endpoint subscribes to it. */
export const TEST_EVENT_KIND = 'endpoint.test';

export type EndpointStatus = 'enabled' | 'disabled' | 'deleted';

export const ENDPOINTS: StateMachine<EndpointStatus> = {
  noun: 'webhook endpoints',
  table: 'webhook_endpoints',
  key: ['merchant_id', 'endpoint_id'],
  states: statuses('enabled', 'disabled', 'deleted'),
  begins: ['enabled'],
  edges: [
    { from: 'enabled', to: 'disabled', why: 'the merchant disabled it' },
    { from: 'disabled', to: 'enabled', why: 'the merchant enabled it again' },
    ...edges<EndpointStatus>(['enabled', 'disabled'], 'deleted', 'the merchant deleted it'),
  ],
};

/** How long a new secret waits for the merchant before it is activated automatically. */
export const OVERLAP = Temporal.Duration.from({ hours: 24 });

/** Returns when a new secret becomes active if it is not activated before: docs/rules/webhooks.md#rotating-a-secret. */
export function activatesAt(nextSecretAt: Temporal.Instant): Temporal.Instant {
  return nextSecretAt.add(OVERLAP);
}

/** Returns the moment at or before which secrets must be made to sign now. */
export function activationCutoff(now: Temporal.Instant): Temporal.Instant {
  return now.subtract(OVERLAP);
}

/** Returns the first status of a delivery to an endpoint of this status. */
export function firstStatus(endpoint: EndpointStatus): 'pending' | 'held' {
  return endpoint === 'enabled' ? 'pending' : 'held';
}
