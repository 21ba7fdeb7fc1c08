import { earliestDue } from '../platform/claim.ts';
import { dueBy, type Stage } from '../platform/engine.ts';
import type { Platform } from '../platform/platform.ts';
import { deliverStage } from './deliver.ts';
import {
  becomeRouter,
  noteWithoutEndpoint,
  OLDEST_UNROUTED,
  takeUnrouted,
} from './delivery-store.ts';
import { madeBefore } from './endpoint.ts';
import { fanOut } from './fan-out.ts';
import { holdNextToPutAside, MOST_PUT_ASIDE, putAside } from './put-aside-store.ts';
import { makeSender, type Sender } from './sender.ts';
import { insertDeliveries } from './state-store.ts';
import { activateSecrets, holdEndpoints, NEXT_ROTATION } from './store.ts';

/** Routes new events to the endpoints that subscribe to them, in the order in which they occurred. */
function routeStage({ db, ids }: Platform): Stage {
  return {
    name: 'webhooks.route',
    batch: 500,
    ...dueBy(OLDEST_UNROUTED),
    run: (now, limit) =>
      db.transaction(async (tx) => {
        if (!(await becomeRouter(tx))) return 0;
        const events = await takeUnrouted(tx, limit);
        if (events.length === 0) return 0;
        const merchants = [...new Set(events.map((event) => event.merchant_id))];
        const endpoints = await holdEndpoints(tx, merchants);
        const deliveries = fanOut(events, endpoints, () => ids.next('del', now));
        await insertDeliveries(tx, now, deliveries);
        const wanted = new Set(deliveries.map((delivery) => delivery.eventId));
        await noteWithoutEndpoint(
          tx,
          events.filter((event) => !wanted.has(event.event_id)),
        );
        return events.length;
      }),
  };
}

/** Activates new secrets that were not activated within 24 hours. */
function rotateStage({ db }: Platform): Stage {
  return {
    name: 'webhooks.rotate',
    batch: 100,
    ...dueBy(NEXT_ROTATION),
    run: (now, limit) => db.transaction((tx) => activateSecrets(tx, now, madeBefore(now), limit)),
  };
}

/** Puts aside what still waits at endpoints that were disabled or deleted with a long backlog. */
function putAsideStage({ db }: Platform): Stage {
  return {
    name: 'webhooks.put_aside',
    batch: MOST_PUT_ASIDE,
    ...earliestDue('webhook_endpoints'),
    run: (now, limit) =>
      db.transaction(async (tx) => {
        const endpoint = await holdNextToPutAside(tx, now);
        if (endpoint === null) return 0;
        return Math.max(1, await putAside(tx, now, endpoint, limit)); // the endpoint counts as work, too
      }),
  };
}

/**
 * Returns the stages of webhooks: rotate first, so that what is due at the same moment is signed with the new secret; then
 * route; then deliver.
 */
export function webhookStages(
  platform: Platform,
  sender: Sender = makeSender({
    mode: platform.config.mode,
    timeoutMs: platform.config.webhookTimeoutMs,
  }),
): Stage[] {
  return [
    rotateStage(platform),
    putAsideStage(platform),
    routeStage(platform),
    deliverStage(platform, sender),
  ];
}
