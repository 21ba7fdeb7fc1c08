import { type ConsentCheckDeps, checkConsents } from '../../consents/checks.ts';
import { dueBy } from '../../platform/engine/due.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import { claimChecks, endChecks } from '../books/check-store.ts';

/** How long a check may take before another process repeats it. */
const LEASE = Temporal.Duration.from({ minutes: 15 });

/** Checks each consent at the bank a day before a collection. After an inconclusive check, `consents.look` looks again. */
export function checkStage(deps: ConsentCheckDeps): Stage {
  const { platform } = deps;
  return {
    name: 'schedules.check',
    batch: 500,
    ...dueBy({ table: 'schedule_agenda', moment: 'check_at', where: 'check_at IS NOT NULL' }),
    async run(now, limit) {
      const lease = now.add(LEASE);
      const checks = await platform.db.transaction((tx) => claimChecks(tx, now, lease, limit));
      const consents = checks.flatMap(({ consent }) => consent ?? []);
      // One look serves all schedules that share a consent.
      const byId = new Map(consents.map((consent) => [consent.consentId, consent]));
      await checkConsents(deps, [...byId.values()]);
      if (checks.length > 0) await platform.db.transaction((tx) => endChecks(tx, lease, checks));
      return checks.length;
    },
  };
}
