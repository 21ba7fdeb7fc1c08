import type { Config } from '../../../platform/config/config.ts';
import { formatInstant } from '../../../platform/time/calendar.ts';
import { confirmDoubtedAccount } from '../../../settlements/account-trust.ts';
import { listWaiting, merchantOfDoubted } from '../../../settlements/return-store.ts';
import { resumePolling } from '../../../settlements/service.ts';
import { change, withPlatform } from '../session/offline.ts';

/** `settlement waiting`: one line each, oldest first. */
export function waitingSettlementsCommand(config: Config): Promise<string[]> {
  return withPlatform(config, async ({ db }) => {
    const rows = await db.read(listWaiting);
    return rows.map((row) =>
      [
        row.settlementId,
        row.merchantId,
        `${row.amountPence} pence`,
        `since ${formatInstant(row.since)}`,
        row.errorMessage ?? '',
      ].join('  '),
    );
  });
}

/** `settlement ask`. Returns false if no such settlement waits because of a different amount. */
export function askAgainCommand(
  config: Config,
  settlementId: string,
  reason: string,
): Promise<boolean> {
  return change(config, ({ tx, now }) => resumePolling(tx, now, settlementId, reason));
}

/** `settlement confirm`. Returns false if no such settlement waits. */
export function confirmAccountCommand(
  config: Config,
  settlementId: string,
  reason: string,
): Promise<boolean> {
  return change(config, async ({ tx, now }) => {
    const merchantId = await merchantOfDoubted(tx, settlementId);
    return merchantId !== null && confirmDoubtedAccount({ tx, now, merchantId }, reason);
  });
}
