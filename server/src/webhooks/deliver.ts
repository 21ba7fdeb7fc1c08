import { coalesce } from '../platform/db/coalesce.ts';
import type { Db, Tx } from '../platform/db/db.ts';
import { earliestDue } from '../platform/engine/claim.ts';
import type { Halt, Stage } from '../platform/engine/stage.ts';
import { ConcurrencyLimits } from '../platform/network/concurrency-limits.ts';
import type { Platform } from '../platform/platform.ts';
import { openEventBody } from '../platform/state/events.ts';
import { realNow } from '../platform/time/clock.ts';
import type { Candidate, ClaimedDelivery, Cursor } from './delivery-store.ts';
import { claimDeliveries, dueInTurn, readNewDeliveries, releaseFresh } from './delivery-store.ts';
import { type FreshDeliveries, leaseOf, PER_ENDPOINT } from './fresh-deliveries.ts';
import { webhookRequest } from './request.ts';
import { nextTry } from './retry-ladder.ts';
import type { Answer, Sender } from './sender.ts';
import { secretContext } from './service.ts';
import { recordResults, type SendingResult } from './state-store.ts';

const BATCH = 500;
/** Limit on concurrent requests in this process. */
const MAX_CONCURRENT = 512;
const MAX_RESULTS = 500;
/** Short: an endpoint that responds at once gets its few slots filled forty times a second. */
const GATHER_MS = 25;
/** A delivery that has waited so long in memory, at an endpoint that became slow, waits in its queue again. */
const LONGEST_WAIT_MS = 10_000;
/** Of the day in an instant's text. */
const DATE_LENGTH = 10;
const START: Cursor = { merchantId: '', endpointId: '' };

/** A result, and the endpoint that it is about. */
type SentResult = SendingResult & { endpointId: string; url: string };

/** Returns a delivery's result and when to retry it (docs/rules/webhooks.md#delivery-retries). `at`: business time. */
function resultOf(delivery: ClaimedDelivery, answer: Answer, at: Temporal.Instant): SentResult {
  const acknowledged = answer.error === null;
  return {
    merchantId: delivery.merchantId,
    deliveryId: delivery.deliveryId,
    endpointId: delivery.endpointId,
    url: delivery.url,
    lease: delivery.dueAt,
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
async function notifyEndpointFailing(
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

function requestOf(
  { vault, config, clock }: Platform,
  delivery: ClaimedDelivery,
): ReturnType<typeof webhookRequest> {
  const open = (sealed: string): string =>
    vault.open(sealed, secretContext(delivery.merchantId, delivery.endpointId));
  const body = openEventBody(vault, delivery.eventId, delivery.body);
  return webhookRequest({
    delivery: { ...delivery, body },
    secret: open(delivery.secret),
    nextSecret: delivery.nextSecret === null ? null : open(delivery.nextSecret),
    realNow: realNow(),
    sandboxNow: config.mode === 'sandbox' ? clock.now() : null,
  });
}

/** Takes what was handed over; what an endpoint has no room for after all is given back. */
function claimFresh(
  db: Db,
  fresh: FreshDeliveries,
  now: Temporal.Instant,
  limit: number,
): Promise<ClaimedDelivery[]> {
  const room = new Map<string, number>();
  const { going = [], waiting = [] } = Object.groupBy(
    fresh.claims.takeWithLease(now, limit),
    ({ row: { endpointId: id } }) => {
      const left = room.get(id) ?? fresh.lanes.room(id, fresh.most(id));
      room.set(id, left - 1);
      return left > 0 ? 'going' : 'waiting';
    },
  );
  return db.transaction(async (tx) => {
    await releaseFresh(tx, now, waiting);
    return readNewDeliveries(tx, going);
  });
}

/** Makes the function that records results: those that arrive together at once. One statement changes a delivery only once. */
const recorder = (platform: Platform): ((result: SentResult) => Promise<void>) =>
  coalesce<SentResult>(
    MAX_RESULTS,
    (result) => result.deliveryId,
    (results) =>
      platform.db.transaction(async (tx) => {
        await recordResults(tx, platform.clock.now(), results);
        await notifyEndpointFailing(platform, tx, results);
      }),
  );

/** Makes the function that gives back what was claimed and is not sent after all: it is due now. */
const makeReleaser = ({ db, clock }: Platform): ((delivery: ClaimedDelivery) => Promise<void>) =>
  coalesce<ClaimedDelivery>(
    MAX_RESULTS,
    (delivery) => delivery.deliveryId,
    (some) => {
      const rows = some.map((row) => ({ row, until: row.dueAt }));
      return db.transaction((tx) => releaseFresh(tx, clock.now(), rows));
    },
  );

/** Makes the function that claims what is due, endpoint by endpoint in turn, as many of each as it has room for. */
function claimer(
  { config, db }: Platform,
  fresh: FreshDeliveries,
): (now: Temporal.Instant, limit: number) => Promise<ClaimedDelivery[]> {
  let cursor = START;
  const inTurn = async (tx: Tx, now: Temporal.Instant, limit: number): Promise<Candidate[]> => {
    const turn = { known: fresh.knownRooms(), perEndpoint: PER_ENDPOINT, limit };
    const found = await dueInTurn(tx, now, { ...turn, after: cursor });
    if (found.length > 0 || cursor === START) return found;
    return dueInTurn(tx, now, { ...turn, after: START });
  };
  return (now, limit) =>
    db.transaction(async (tx) => {
      const candidates = await inTurn(tx, now, limit);
      const last = candidates.at(-1);
      cursor =
        last === undefined || candidates.length < limit
          ? START
          : { merchantId: last.merchantId, endpointId: last.endpointId };
      if (candidates.length === 0) return [];
      return claimDeliveries(tx, now, leaseOf(config), candidates);
    });
}

/**
 * Sends deliveries: first those that were handed over with their event, then due ones, endpoint by endpoint in turn: a slow or
 * unreachable endpoint fills only its own few slots, and more are taken only for one that acknowledges quickly. The request is
 * made between the claiming and the recording transaction, outside any transaction.
 */
export function deliverStage(platform: Platform, sender: Sender, fresh: FreshDeliveries): Stage {
  const { clock, db, log } = platform;
  const { lanes, claims } = fresh;
  const record = recorder(platform);
  const releaseUnsent = makeReleaser(platform);
  const claimSome = claimer(platform, fresh);
  const halt: Halt = { isHalted: false };
  /** What is recorded has given its slot at the endpoint to the next. */
  const recordings = new ConcurrencyLimits(MAX_CONCURRENT);

  const deliver = async (delivery: ClaimedDelivery, takenAt: number): Promise<void> => {
    const isLate = performance.now() - takenAt > LONGEST_WAIT_MS;
    if (halt.isHalted || isLate) return releaseUnsent(delivery);
    const answer = await sender.send(requestOf(platform, delivery));
    fresh.answered(delivery.endpointId, answer);
    const result = resultOf(delivery, answer, clock.now());
    recordings.start(delivery.endpointId, () => record(result), notRecorded(delivery));
  };

  const notRecorded =
    ({ endpointId, deliveryId }: ClaimedDelivery) =>
    (err: unknown): void =>
      log.report('webhook.delivery_not_recorded', {
        endpoint_id: endpointId,
        delivery_id: deliveryId,
        err,
      });

  const start = (delivery: ClaimedDelivery): void => {
    const takenAt = performance.now();
    lanes.start(delivery.endpointId, () => deliver(delivery, takenAt), notRecorded(delivery));
  };

  return {
    name: 'webhooks.deliver',
    batch: BATCH,
    gatherMs: GATHER_MS,
    ...earliestDue('deliveries'),
    async run(now, limit) {
      const room = Math.min(limit, MAX_CONCURRENT - lanes.size - recordings.size);
      if (room <= 0) return 0;
      const isHanded = !claims.isEmpty;
      const claimed = await (isHanded ? claimFresh(db, fresh, now, room) : claimSome(now, room));
      for (const delivery of claimed) start(delivery);
      return isHanded ? Math.max(1, claimed.length) : claimed.length; // what is given back is work, too
    },
    idle: () => lanes.idle().then(() => recordings.idle()),
    isSending: () => lanes.size + recordings.size > 0,
    handed: claims,
    halt,
    async handBack() {
      const rest = claims.clear();
      if (rest.length > 0) await db.transaction((tx) => releaseFresh(tx, clock.now(), rest));
    },
  };
}
