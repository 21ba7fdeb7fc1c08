import type { Tx } from '../platform/db.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import { NEWCOMER_FOR } from '../platform/two-people/pair.ts';
import { holdForTwo } from './hold-service.ts';

const REASON =
  'another settlement account was asked for within 72 hours of an owner’s sign-in being reset';

/**
 * Holds the pay-outs of a merchant for which another account is asked while an owner is a newcomer because operators had let them
 * in again; only two operators release them. Take it before any row: docs/rules/holds.md#pay-outs-that-two-people-release.
 */
export async function holdAfterReset(platform: Platform, asked: Asked): Promise<void> {
  if (!(await wasOwnerLetInAgain(asked.tx, asked.merchantId, asked.now.subtract(NEWCOMER_FOR))))
    return;
  await holdForTwo(platform, asked, { by: 'the service', reason: REASON });
}

async function wasOwnerLetInAgain(
  tx: Tx,
  merchantId: string,
  since: Temporal.Instant,
): Promise<boolean> {
  const row = await tx.row<{ was: boolean }>('SELECT was_owner_let_in_again($1, $2) AS was', [
    merchantId,
    since,
  ]);
  return row?.was === true;
}
