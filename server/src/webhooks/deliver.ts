import { earliestDue } from '../platform/claim.ts';
import { realNow } from '../platform/clock.ts';
import { coalesce } from '../platform/coalesce.ts';
import { ConcurrencyLimits } from '../platform/concurrency-limits.ts';
import type { Tx } from '../platform/db.ts';
import type { Stage } from '../platform/engine.ts';
import { openEventBody } from '../platform/events.ts';
import type { Platform } from '../platform/platform.ts';
import type { Candidate, ClaimedDelivery, Cursor } from './delivery-store.ts';
import { claimDeliveries, dueInTurn } from './delivery-store.ts';
import { webhookRequest } from './request.ts';
import { nextTry } from './retry-ladder.ts';
import type { Answer, Sender } from './sender.ts';
import { secretContext } from './service.ts';
import { recordResults, type SendingResult } from './state-store.ts';

const BATCH = 256;
/** Limits on concurrent requests in this process: per endpoint, and in total. */
const PER_ENDPOINT = 10;
const IN_ALL = 512;
const MOST_RESULTS = 500;
/** Short: an endpoint that responds at once gets its few slots filled forty times a second. */
const GATHER_MS = 25;
/** Lease time beyond the time-out, for signing, waiting and recording. */
const LEASE_MARGIN_MS = 60_000;
/** Of the day in an instant's text. */
const DATE_LENGTH = 10;
const START: Cursor = { merchantId: '', endpointId: '' };

/** A result, and the endpoint that it is about. */
type SentResult = SendingResult & { endpointId: string; url: string };

/** Returns a delivery's result and when to retry it (docs/rules/webhooks.md#delivery-retries). `at`: business time. */
function resultOf(delivery: ClaimedDelivery, answer: Answer, at: Temporal.Instant): SentResult {
  const acknowledged = answer.error === null;
  return {
    merchantId: delivery.merchant_id,
    deliveryId: delivery.delivery_id,
    endpointId: delivery.endpoint_id,
    url: delivery.url,
    lease: delivery.due_at,
    // Only a manual resend puts a delivery that was sent before back on the first rung.
    manual: delivery.attempts > 0 && delivery.failures === 0,
    acknowledged,
    nextTry: acknowledged ? null : nextTry(delivery.failures + 1, at),
    responseStatus: answer.status,
    responseBody: answer.body,
    error: answer.error,
    durationMs: answer.durationMs,
    at,
  };
}

/** Tells the team, at most once a day per endpoint, that the last try of a delivery failed. */
async function tellOfFailing(
  { notify }: Platform,
  tx: Tx,
  results: readonly SentResult[],
): Promise<void> {
  const failed = results.filter(
    ({ acknowledged, nextTry: next }) => !acknowledged && next === null,
  );
  const [first] = failed;
  if (first === undefined) return;
  const notices = failed.map(({ merchantId, endpointId, url, error, at }) => ({
    merchantId,
    kind: 'endpoint_failing',
    causeId: `${endpointId} ${at.toString().slice(0, DATE_LENGTH)}`,
    facts: { endpoint_id: endpointId, url, host: new URL(url).host, error: error ?? '' },
  }));
  await notify(tx, first.at, notices);
}

/** Counts requests in progress per endpoint. */
class Counts {
  readonly #counts = new Map<string, number>();

  add(endpointId: string, change: 1 | -1): void {
    const count = (this.#counts.get(endpointId) ?? 0) + change;
    if (count === 0) this.#counts.delete(endpointId);
    else this.#counts.set(endpointId, count);
  }

  all(): { endpointId: string; count: number }[] {
    return [...this.#counts].map(([endpointId, count]) => ({ endpointId, count }));
  }
}

/**
 * Sends due deliveries, endpoint by endpoint in turn: a slow or unreachable endpoint fills only its own few slots. The
 * request is made between the claiming and the recording transaction, outside any transaction.
 */
export function deliverStage(platform: Platform, sender: Sender): Stage {
  const { config, clock, db, log, vault } = platform;
  const lanes = new ConcurrencyLimits(PER_ENDPOINT);
  const counts = new Counts();
  // Results that arrive together are recorded together; one statement changes a delivery only once.
  const record = coalesce<SentResult>(
    MOST_RESULTS,
    (result) => result.deliveryId,
    (results) =>
      db.transaction(async (tx) => {
        await recordResults(tx, results);
        await tellOfFailing(platform, tx, results);
      }),
  );
  let cursor = START;

  const inTurn = async (tx: Tx, now: Temporal.Instant, limit: number): Promise<Candidate[]> => {
    const turn = { busy: counts.all(), perEndpoint: PER_ENDPOINT, limit };
    const found = await dueInTurn(tx, now, { ...turn, after: cursor });
    if (found.length > 0 || cursor === START) return found;
    return dueInTurn(tx, now, { ...turn, after: START });
  };

  const claimSome = (now: Temporal.Instant, limit: number): Promise<ClaimedDelivery[]> =>
    db.transaction(async (tx) => {
      const candidates = await inTurn(tx, now, limit);
      const last = candidates.at(-1);
      cursor =
        last === undefined || candidates.length < limit
          ? START
          : { merchantId: last.merchant_id, endpointId: last.endpoint_id };
      if (candidates.length === 0) return [];
      return claimDeliveries(tx, now, config.webhookTimeoutMs + LEASE_MARGIN_MS, candidates);
    });

  const deliver = async (delivery: ClaimedDelivery): Promise<void> => {
    const open = (sealed: string): string =>
      vault.open(sealed, secretContext(delivery.merchant_id, delivery.endpoint_id));
    const body = openEventBody(vault, delivery.event_id, delivery.body);
    const request = webhookRequest({
      delivery: { ...delivery, body },
      secret: open(delivery.secret),
      nextSecret: delivery.next_secret === null ? null : open(delivery.next_secret),
      realNow: realNow(),
      sandboxNow: config.mode === 'sandbox' ? clock.now() : null,
    });
    const answer = await sender.send(request);
    await record(resultOf(delivery, answer, clock.now()));
  };

  const start = (delivery: ClaimedDelivery): void => {
    const { endpoint_id: endpointId, delivery_id: deliveryId } = delivery;
    counts.add(endpointId, 1);
    const work = (): Promise<void> => deliver(delivery).finally(() => counts.add(endpointId, -1));
    lanes.start(endpointId, work, (error) =>
      log.report('webhook.delivery_not_recorded', {
        endpoint_id: endpointId,
        delivery_id: deliveryId,
        err: error,
      }),
    );
  };

  return {
    name: 'webhooks.deliver',
    batch: BATCH,
    gatherMs: GATHER_MS,
    ...earliestDue('deliveries'),
    async run(now, limit) {
      const room = Math.min(limit, IN_ALL - lanes.size);
      if (room <= 0) return 0;
      const claimed = await claimSome(now, room);
      for (const delivery of claimed) start(delivery);
      return claimed.length;
    },
    idle: () => lanes.idle(),
  };
}
