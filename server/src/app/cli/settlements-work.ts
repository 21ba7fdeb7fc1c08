import { formatInstant } from '../../platform/calendar.ts';
import type { Config } from '../../platform/config.ts';
import { trustIfDoubted } from '../../settlements/account-trust.ts';
import { listDoubted, merchantOfDoubted } from '../../settlements/return-store.ts';
import { withPlatform } from './offline.ts';

/** `settlement waiting`: a line each, the oldest first. */
export function waitingSettlementsCommand(config: Config): Promise<string[]> {
  return withPlatform(config, async ({ db }) => {
    const rows = await db.read(listDoubted);
    return rows.map((row) =>
      [
        row.settlement_id,
        row.merchant_id,
        `${row.amount_pence} pence`,
        `since ${formatInstant(row.account_doubted_at)}`,
        row.error_message ?? '',
      ].join('  '),
    );
  });
}

/** `settlement confirm`. False: no such settlement waits. */
export function confirmAccountCommand(
  config: Config,
  settlementId: string,
  reason: string,
): Promise<boolean> {
  return withPlatform(config, ({ db, clock }) =>
    db.transaction(async (tx) => {
      const merchantId = await merchantOfDoubted(tx, settlementId);
      return merchantId !== null && (await trustIfDoubted(tx, clock.now(), merchantId, reason));
    }),
  );
}
