import { isDatabaseFailure } from '../platform/db/isolate-failures.ts';
import { earliestDue } from '../platform/engine/claim.ts';
import type { Stage } from '../platform/engine/stage.ts';
import type { Platform } from '../platform/platform.ts';
import type { Authenticator } from './keys/authenticator.ts';
import { applyDueChange } from './settlement-account/settlement-account-service.ts';
import {
  findMerchantsWithDueChange,
  postponeChange,
} from './settlement-account/settlement-account-store.ts';
import { leaveIfDue } from './team/leaving.ts';
import { findDueLeavings, postponeLeaving } from './team/leaving-store.ts';

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
          if (isDatabaseFailure(error)) throw error;
          log.report('settlement_account.change_failed', { merchant_id: merchantId, err: error });
          await db.transaction((tx) => postponeChange(tx, merchantId, now.add(AFTER_ERROR)));
        }
      return merchants.length;
    },
  };
}

/** Removes and demotes the owners whose 24 hours have passed, each in a transaction of its own. */
export function leavingOwnersStage(
  platform: Platform,
  authenticator: Pick<Authenticator, 'distrust'>,
): Stage {
  const { db, log } = platform;
  return {
    name: 'merchants.leaving_owners',
    batch: 50,
    ...earliestDue('members'),
    async run(now, limit) {
      const due = await db.read((tx) => findDueLeavings(tx, now, limit));
      for (const member of due)
        try {
          await db.transaction((tx) =>
            leaveIfDue({ platform, authenticator }, { tx, now }, member),
          );
        } catch (error) {
          if (isDatabaseFailure(error)) throw error;
          const { merchantId: merchant_id, userId: user_id } = member;
          log.report('team.leaving_failed', { merchant_id, user_id, err: error });
          await db.transaction((tx) => postponeLeaving(tx, member, now.add(AFTER_ERROR)));
        }
      return due.length;
    },
  };
}
