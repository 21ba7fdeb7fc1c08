import { dueBy } from '../platform/engine/due.ts';
import type { Stage } from '../platform/engine/stage.ts';
import { claimChecks } from './check-store.ts';
import { type ConsentCheckDeps, checkConsents } from './checks.ts';

/** How long a check may take before another process repeats it. */
const LEASE = Temporal.Duration.from({ minutes: 15 });

/** Checks consents outside the check before each collection: on a hint, and a second time after a doubt. */
export function consentCheckStage(deps: ConsentCheckDeps): Stage {
  const { platform } = deps;
  return {
    name: 'consents.look',
    batch: 500,
    ...dueBy({ table: 'consents', moment: 'look_again_at', where: 'look_again_at IS NOT NULL' }),
    async run(now, limit) {
      const lease = now.add(LEASE);
      const claimed = await platform.db.transaction((tx) => claimChecks(tx, now, lease, limit));
      await checkConsents(deps, claimed);
      return claimed.length;
    },
  };
}
