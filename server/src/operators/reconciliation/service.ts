import { ISSUER } from '../../laws/reconciliation.ts';
import { resolveItem } from '../../laws/reconciliation-store.ts';
import { WHOLE_SERVICE } from '../../platform/actor.ts';
import { recordChanges } from '../../platform/audit-trail.ts';
import type { Tx } from '../../platform/db.ts';

/** Records an operator's resolution of a difference. Returns false if no such difference is open. */
export async function resolveDifference(
  tx: Tx,
  now: Temporal.Instant,
  { item, who, how }: { item: string; who: string; how: string },
): Promise<boolean> {
  if (!(await resolveItem(tx, now, { issuer: ISSUER, item, who, how }))) return false;
  await recordChanges(tx, now, [
    {
      merchantId: WHOLE_SERVICE,
      objectId: item,
      scheduleId: null,
      from: 'open',
      to: 'difference_resolved',
      reason: how,
    },
  ]);
  return true;
}
