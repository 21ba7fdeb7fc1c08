import { ISSUER } from '../../laws/reconciliation/reconciliation.ts';
import { resolveItem } from '../../laws/reconciliation/reconciliation-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { recordServiceChange } from '../../platform/state/audit-trail.ts';

/** Records an operator's resolution of a difference. Returns false if no such difference is open. */
export async function resolveDifference(
  tx: Tx,
  now: Temporal.Instant,
  { item, who, how }: { item: string; who: string; how: string },
): Promise<boolean> {
  if (!(await resolveItem(tx, now, { issuer: ISSUER, item, who, how }))) return false;
  const change = { objectId: item, from: 'open', to: 'difference_resolved', reason: how };
  await recordServiceChange(tx, now, change);
  return true;
}
