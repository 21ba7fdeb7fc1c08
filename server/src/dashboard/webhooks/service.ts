import type { Asked, Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { notFound } from '../../platform/values/errors.ts';
import { findEndpoint } from '../../webhooks/store.ts';
import type { Shown } from '../shown.ts';
import { type HealthRow, readHealth, readRecent } from './store.ts';
import { type EndpointActivity, EndpointHealth } from './view.ts';

/** How long back the health of an endpoint is read. */
const LATELY = Temporal.Duration.from({ hours: 7 * 24 });
const RECENT = 10;

const NOTHING_SENT: EndpointHealth = {
  attempts: 0,
  acknowledged: 0,
  last_acknowledged_at: null,
  median_ms: null,
};

/** What the list of endpoints shows beside them: how each has answered in the last seven days. */
export const shownEndpoints: Shown = {
  operationId: 'listWebhookEndpoints',
  fields: EndpointHealth,
  read: (_: Platform, asked: Asked, rows: readonly { id: string }[]) =>
    healthOf(
      asked,
      rows.map(({ id }) => id),
    ),
};

/** Returns how an endpoint has answered in the last seven days, and its newest deliveries. Throws 404 `not_found`. */
export async function readActivity(asked: Asked, endpointId: string): Promise<EndpointActivity> {
  const { tx, now, merchantId } = asked;
  if ((await findEndpoint(tx, merchantId, endpointId)) === null) throw notFound('webhook endpoint');
  const [health = NOTHING_SENT] = await healthOf(asked, [endpointId]);
  const rows = await readRecent(tx, merchantId, endpointId, now.subtract(LATELY), RECENT);
  return {
    health,
    deliveries: rows.map((row) => ({
      event_id: row.eventId,
      kind: row.kind,
      at: formatInstant(row.createdAt),
      status: row.status,
      attempts: row.attempts,
      error: row.error,
    })),
  };
}

async function healthOf(
  { tx, now, merchantId }: Asked,
  endpointIds: readonly string[],
): Promise<EndpointHealth[]> {
  const rows = await readHealth(tx, merchantId, endpointIds, now.subtract(LATELY));
  const byId = new Map(rows.map((row) => [row.endpointId, viewHealth(row)]));
  return endpointIds.map((id) => byId.get(id) ?? NOTHING_SENT);
}

const viewHealth = (row: HealthRow): EndpointHealth => ({
  attempts: row.attempts,
  acknowledged: row.acknowledged,
  last_acknowledged_at: formatInstant(row.lastAcknowledgedAt),
  median_ms: row.medianMs,
});
