import { earliestDue } from '../platform/engine/claim.ts';
import type { Stage } from '../platform/engine/stage.ts';
import type { Platform } from '../platform/platform.ts';
import { deliverStage } from './deliver.ts';
import { activationCutoff } from './endpoint.ts';
import { FreshDeliveries } from './fresh-deliveries.ts';
import { holdNextInSteps, holdUndelivered, MAX_HELD_PER_RUN, resumeHeld } from './held-store.ts';
import { makeSender, type Sender } from './sender.ts';
import { activateSecrets, nextRotation } from './store.ts';

/** Activates new secrets that were not activated within 24 hours. */
function rotateStage({ db }: Platform): Stage {
  return {
    name: 'webhooks.rotate',
    batch: 100,
    ...nextRotation,
    run: (now, limit) =>
      db.transaction((tx) => activateSecrets(tx, now, activationCutoff(now), limit)),
  };
}

/** Continues with long backlogs: puts them aside for disabled and deleted endpoints, and takes up the retries of enabled ones. */
function backlogStage({ db }: Platform): Stage {
  return {
    name: 'webhooks.backlog',
    batch: MAX_HELD_PER_RUN,
    ...earliestDue('webhook_endpoints'),
    run: (now, limit) =>
      db.transaction(async (tx) => {
        const endpoint = await holdNextInSteps(tx, now);
        if (endpoint === null) return 0;
        const step = endpoint.status === 'enabled' ? resumeHeld : holdUndelivered;
        return Math.max(1, await step(tx, now, endpoint, limit)); // the endpoint counts as work, too
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
  fresh = new FreshDeliveries(platform.config),
): Stage[] {
  return [rotateStage(platform), backlogStage(platform), deliverStage(platform, sender, fresh)];
}
