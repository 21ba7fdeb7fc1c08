import type { Asked } from '../platform/platform.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';

/** Records in the audit trail what was changed of the merchant itself. */
export function recordMerchantChange(
  { tx, now, merchantId }: Asked,
  to: string,
  reason: string,
): Promise<void> {
  return recordChanges(tx, now, [
    { merchantId, objectId: merchantId, scheduleId: null, from: null, to, reason },
  ]);
}
