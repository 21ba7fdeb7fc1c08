import { findEndingHolds, findHolds, HOLD_ENDS, lockHolds } from '../merchants/holds/hold-store.ts';
import { endAccountHold } from '../merchants/settlement-account/account-hold.ts';
import {
  personWhoDecides,
  whyNotConfirm,
} from '../merchants/settlement-account/settlement-account-service.ts';
import {
  type AccountChange,
  findLatestInForce,
} from '../merchants/settlement-account/settlement-account-store.ts';
import { dueBy } from '../platform/engine/due.ts';
import type { Stage } from '../platform/engine/stage.ts';
import type { Asked, AskedBy, Platform } from '../platform/platform.ts';
import type { Person } from '../platform/two-people/pair.ts';
import { ApiError, notFound, orNotFound } from '../platform/values/errors.ts';
import { isBefore } from '../platform/values/instants.ts';
import { resumePayOuts } from './held-store.ts';

/** Ends the hold after a change of the account; what waited is due at once. Returns false if there is none. */
export async function releaseAccount(asked: Asked, why: string): Promise<boolean> {
  if (!(await endAccountHold(asked, why))) return false;
  await resumePayOuts(asked.tx, asked.now, [asked.merchantId]);
  return true;
}

/**
 * Returns why this owner cannot release the pay-outs that wait after a change of the account; null: they can, because they and
 * whoever asked for the account are a pair.
 */
export async function whyNotRelease(
  asked: Asked,
  change: AccountChange | null,
  owner: Person,
): Promise<string | null> {
  const { [HOLD]: hold } = await findHolds(asked.tx, asked.merchantId);
  if (hold?.endsAt === null)
    return 'The account of an owner had just been reset: whoever runs this service releases the pay-outs.';
  if (change === null) return 'It is not known who asked for the account.';
  return whyNotConfirm(asked, change, owner);
}

const HOLD = 'account_changed';

/**
 * Releases the pay-outs that wait because one owner alone asked for another account, on behalf of a second one who has seen that
 * change and proved their identity again. Throws 403 `forbidden`, 403 `second_factor_required`, 404 `not_found` also where
 * another change is in force.
 */
export async function releaseAsOwner(
  { vault }: Platform,
  asked: AskedBy,
  changeId: string,
): Promise<void> {
  const { tx, merchantId } = asked;
  await lockHolds(tx);
  const { [HOLD]: standing } = await findHolds(tx, merchantId);
  orNotFound(standing ?? null, 'hold after a change of the account');
  const owner = await personWhoDecides(asked);
  const change = await findLatestInForce(tx, vault, merchantId);
  if (change?.changeId !== changeId) throw notFound('change in force');
  const problem = await whyNotRelease(asked, change, owner);
  if (problem !== null) throw new ApiError('forbidden', problem);
  await releaseAccount(asked, `a second owner, ${asked.actorId}, confirmed the account`);
}

/** Ends the holds whose time is over. */
export function accountHoldsStage({ db }: Platform): Stage {
  return {
    name: 'settlements.account_holds',
    batch: 50,
    ...dueBy(HOLD_ENDS),
    async run(now, limit) {
      const due = await db.read((tx) => findEndingHolds(tx, now, limit));
      for (const { merchantId } of due)
        await db.transaction((tx) => endIfOver({ tx, now, merchantId }));
      return due.length;
    },
  };
}

/** Ends the hold if its time is over: another change may have prolonged it since it was found. */
async function endIfOver(asked: Asked): Promise<void> {
  await lockHolds(asked.tx);
  const { [HOLD]: hold } = await findHolds(asked.tx, asked.merchantId);
  const endsAt = hold?.endsAt ?? null;
  if (endsAt === null || isBefore(asked.now, endsAt)) return;
  await releaseAccount(asked, '72 hours have passed since it was asked for');
}
