import type { Platform, Work } from '../../platform/platform.ts';
import { realNow } from '../../platform/time/clock.ts';
import { isNewcomer } from '../../platform/two-people/pair.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { personOf } from './acting.ts';
import { type ListedOperator, listPresent } from './books/store.ts';
import { readOperator } from './present.ts';

/** Fewer than two cannot agree on anything, so the machine makes the first ones. */
export const MIN = 2;

/** Whether an operator can come in: by a valid key, or by their address where there is an identity provider. */
function canSignIn(
  { config }: Pick<Platform, 'config'>,
  { keys, email }: Pick<ListedOperator, 'keys' | 'email'>,
): boolean {
  return keys > 0 || (email !== null && config.consoleSignIn.sso !== null);
}

/** Returns the operators of `security` who can come in. */
export async function listAgreeing({ platform, tx }: Work): Promise<ListedOperator[]> {
  const present = await listPresent(tx, realNow(), 'security');
  return present.filter((one) => canSignIn(platform, one));
}

/** Throws 409 `operation_refused` if, without this operator, fewer than two of `security` were left who are no newcomers. */
export async function requireOthers(work: Work, operatorId: string): Promise<void> {
  const present = await listAgreeing(work);
  if (present.some((one) => one.operatorId === operatorId))
    await requireTwo(work, present, operatorId);
}

/**
 * Throws as `requireOthers` does if an operator of `security`, as they were before somebody else took a key or an address from
 * them, has now lost their last way in. The caller has locked the operators.
 */
export async function requireOthersIfShutOut(work: Work, before: ListedOperator): Promise<void> {
  const { platform, tx } = work;
  if (!before.roles.includes('security') || !canSignIn(platform, before)) return;
  if (canSignIn(platform, await readOperator(tx, before.operatorId))) return;
  await requireTwo(work, await listAgreeing(work), before.operatorId);
}

async function requireTwo(
  { tx, now }: Work,
  present: readonly ListedOperator[],
  without: string,
): Promise<void> {
  const others = present.filter((one) => one.operatorId !== without);
  const people = await Promise.all(
    others.map((one) => personOf(tx, { id: one.operatorId, name: one.name })),
  );
  if (people.filter((person) => !isNewcomer(person, now)).length >= MIN) return;
  throw new ApiError(
    'operation_refused',
    'Two other operators with the role security, who are no newcomers, must be left: nobody could agree on anything.',
  );
}
