import type { Tx } from '../../server/src/platform/db/db.ts';
import type { Platform } from '../../server/src/platform/platform.ts';
import { appendEvents } from '../../server/src/platform/state/events.ts';
import { createEndpoint } from '../../server/src/webhooks/service.ts';
import { seedMerchant } from './seed.ts';

/** An endpoint; each has its own merchant. */
export interface Endpoint {
  merchantId: string;
  endpointId: string;
}

/** How long the events of some endpoints waited, from due to acknowledged. */
export interface Waited {
  delivered: number;
  p50Ms: number;
  p99Ms: number;
}

/** Creates `count` merchants with an endpoint each. */
export async function seedEndpoints(
  platform: Platform,
  count: number,
  url: string,
): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = [];
  for (let n = 0; n < count; n++) {
    const merchantId = await seedMerchant(platform);
    const now = platform.clock.now();
    const { endpoint } = await platform.db.transaction((tx) =>
      createEndpoint(platform, { tx, now, merchantId }, { url }),
    );
    endpoints.push({ merchantId, endpointId: endpoint.endpointId });
  }
  return endpoints;
}

/** Changes the address of each endpoint. */
export async function moveEndpoints(
  tx: Tx,
  endpoints: readonly Endpoint[],
  urlOf: (n: number) => string,
): Promise<void> {
  await tx.run(
    `UPDATE webhook_endpoints w SET url = n.url FROM unnest($1::text[], $2::text[]) AS n (endpoint_id, url)
     WHERE w.endpoint_id = n.endpoint_id`,
    [endpoints.map((e) => e.endpointId), endpoints.map((_, n) => urlOf(n))],
  );
}

/** Appends an event due now for each of the merchants given; one that is listed twice gets two. */
export async function publishToMerchants(
  platform: Platform,
  merchantIds: readonly string[],
): Promise<void> {
  const now = platform.clock.now();
  const data = {
    payment_id: 'pay_0000000000000000000000',
    schedule_id: 'sch_0000000000000000000000',
    amount: { value: 4999, currency: 'GBP' },
    completed_at: now.toString(),
  };
  const events = merchantIds.map((merchantId) => ({
    merchantId,
    kind: 'collection.success',
    scheduleId: null,
    subjectId: data.payment_id,
    data,
  }));
  await platform.db.transaction((tx) => appendEvents({ platform, tx, now }, events));
}

/** Returns what the endpoints have acknowledged since a moment, and how long after the event. */
export async function readWaits(
  tx: Tx,
  endpoints: readonly Endpoint[],
  since: Temporal.Instant,
): Promise<Waited> {
  const row = await tx.row<{ delivered: number; p50: number | null; p99: number | null }>(
    `SELECT count(*)::int AS delivered, percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) AS p50,
            percentile_disc(0.99) WITHIN GROUP (ORDER BY ms) AS p99
     FROM (SELECT extract(epoch FROM d.finished_at - v.created_at)::float8 * 1000 AS ms
           FROM deliveries d JOIN events v USING (merchant_id, event_id)
           WHERE d.endpoint_id = ANY($1) AND d.status = 'delivered' AND v.created_at >= $2) waits`,
    [endpoints.map((e) => e.endpointId), since],
  );
  return { delivered: row?.delivered ?? 0, p50Ms: row?.p50 ?? 0, p99Ms: row?.p99 ?? 0 };
}

/** Abandons pending deliveries, so that the next round starts with nothing due. */
export async function giveUpDeliveries(tx: Tx): Promise<void> {
  await tx.run(
    "UPDATE deliveries SET status = 'failed', due_at = NULL, finished_at = now() WHERE status = 'pending'",
  );
}
