import type { Arrival } from '../../merchants/sign-in/sso/providers.ts';
import { parseEmail } from '../../merchants/team/email.ts';
import type { Platform } from '../../platform/platform.ts';
import { operatorActor } from '../../platform/state/actor.ts';
import { realNow } from '../../platform/time/clock.ts';
import {
  findByAccount,
  findByEmail,
  type LinkedOperator,
  linkAccount,
} from './books/identity-store.ts';
import { noteOperator } from './present.ts';

/** Why nobody comes in: the address is not verified, is no operator's, or is one's who is another account there. */
export type OperatorRefusal = 'unverified' | 'stranger' | 'other_account';

/**
 * Returns the operator who is this account at the operators' identity provider. At first they are found by their verified
 * address, and linked; from then on the account alone counts, whatever address it has: docs/rules/access.md#operators.
 */
export async function recogniseOperator(
  platform: Platform,
  issuer: string,
  arrival: Arrival,
): Promise<LinkedOperator | OperatorRefusal> {
  const account = { issuer, subject: arrival.subject };
  const linked = await platform.db.read((tx) => findByAccount(tx, account));
  if (linked !== null) return linked;
  const email = arrival.isEmailVerified ? parseEmail(arrival.email ?? '') : null;
  if (email === null) return 'unverified';
  const known = await platform.db.read((tx) => findByEmail(tx, email));
  if (known === null) return 'stranger';
  return platform.db.transaction(
    async (tx) => {
      const found = await findByEmail(tx, email, 'FOR UPDATE OF i');
      if (found === null) return 'stranger';
      if (found.issuer === issuer) return (await findByAccount(tx, account)) ?? 'other_account';
      const linkedAt = realNow();
      await linkAccount(tx, found.operatorId, account, linkedAt);
      const work = { platform, tx, now: platform.clock.now() };
      await noteOperator(work, found.operatorId, 'operator_linked', `${email} at ${issuer}`);
      return { ...found, linkedAt };
    },
    { actor: operatorActor(known.name) },
  );
}
