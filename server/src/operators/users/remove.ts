import type { AccountFacts } from '../../merchants/team/account-store.ts';
import { readAccountById, removeAccount } from '../../merchants/team/accounts.ts';
import type { Work } from '../../platform/platform.ts';
import { operatorActor } from '../../platform/state/actor.ts';
import { type Acting, requireRole, requireTrusted } from '../access/acting.ts';
import type { OperatorRequest, RequestPayloads } from '../requests/request.ts';
import { askFor } from '../requests/service.ts';

/** Whom to remove from where, and why. */
export interface Removal {
  userId: string;
  wish: RequestPayloads['user_removal'];
  reason: string;
}

/**
 * Removes somebody from a team, or from all and deletes the account, as one of `security`; an owner only once a second operator
 * agrees. Returns the account as it was. Throws 403 `forbidden`, 404 `not_found`, 409 `last_owner`, `operation_refused`.
 */
export async function removeUser(
  work: Work,
  acting: Acting,
  { userId, wish, reason }: Removal,
): Promise<{ account: AccountFacts; isDeleted: boolean; request: OperatorRequest | null }> {
  const account = await readAccountById(work.tx, userId);
  const isOwner = account.teams.some(
    ({ merchantId, role }) =>
      role === 'owner' && (wish.merchantId === null || wish.merchantId === merchantId),
  );
  if (isOwner) {
    const asking = { kind: 'user_removal', wish, subject: userId, reason } as const;
    return { account, isDeleted: false, request: await askFor(work, acting, asking) };
  }
  requireRole(acting, 'security');
  await requireTrusted(work.tx, work.now, acting);
  const done = await removeAccount(work, account.email, operatorActor(acting.name), wish);
  return { ...done, request: null };
}
