import { earliestDue } from '../platform/claim.ts';
import { dueBy, type Stage } from '../platform/engine.ts';
import type { Platform } from '../platform/platform.ts';
import { deliverStage } from './deliver.ts';
import { madeBefore } from './endpoint.ts';
import { holdNextToPutAside, MOST_PUT_ASIDE, putAside } from './put-aside-store.ts';
import { makeSender, type Sender } from './sender.ts';
import { activateSecrets, NEXT_ROTATION } from './store.ts';

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
 * Returns the stages of webhooks: rotate first, so that what is due at the same moment is signed with the new secret; deliver
 * last.
 */
export function webhookStages(
  platform: Platform,
  sender: Sender = makeSender({
    mode: platform.config.mode,
    timeoutMs: platform.config.webhookTimeoutMs,
  }),
): Stage[] {
  return [rotateStage(platform), putAsideStage(platform), deliverStage(platform, sender)];
}
