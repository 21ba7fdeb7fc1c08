import { earliestDue } from '../platform/claim.ts';
import type { Stage } from '../platform/engine.ts';
import { isOfTheDatabase } from '../platform/isolate-failures.ts';
import type { Platform } from '../platform/platform.ts';
import { applyDueChange } from './settlement-account-service.ts';
import { findMerchantsWithDueChange, putOffChange } from './settlement-account-store.ts';

const AFTER_ERROR = Temporal.Duration.from({ hours: 1 });

/** Puts due changes of settlement accounts into force, each in a transaction of its own. */
export function settlementAccountStage(platform: Platform): Stage {
  const { db, log } = platform;
  return {
    name: 'merchants.settlement_account',
    batch: 50,
    ...earliestDue('settlement_account_changes'),
    async run(now, limit) {
      const merchants = await db.read((tx) => findMerchantsWithDueChange(tx, now, limit));
      for (const merchantId of merchants)
        try {
          await db.transaction((tx) => applyDueChange(platform, { tx, now, merchantId }));
        } catch (error) {
          if (isOfTheDatabase(error)) throw error;
          log.report('settlement_account.change_failed', { merchant_id: merchantId, err: error });
          await db.transaction((tx) => putOffChange(tx, merchantId, now.add(AFTER_ERROR)));
        }
      return merchants.length;
    },
  };
}
