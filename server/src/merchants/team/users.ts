import { realNow } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db.ts';
import { invalid } from '../../platform/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Role } from '../role.ts';
import { findUserByEmail, insertUser, type User } from '../sign-in/user-store.ts';
import { parseEmail } from './email.ts';
import { type Actor, addMember } from './service.ts';

/**
 * Puts somebody on a team without an invitation: only for whoever runs the service. Who is a user already keeps their name and
 * their password. Needs the engine's role; `now` is business time. Throws 400 `invalid_request`.
 */
export async function createUser(
  { ids }: Platform,
  tx: Tx,
  now: Temporal.Instant,
  actor: Actor,
  wanted: { email: string; name: string; role: Role },
): Promise<User> {
  const email = parseEmail(wanted.email);
  if (email === null) throw invalid({ email: 'must be an email address' });
  const name = wanted.name.trim();
  if (name === '') throw invalid({ name: 'must not be empty' });
  const known = await findUserByEmail(tx, email);
  const user = known ?? {
    userId: ids.next('usr', realNow()),
    name,
    email,
    twoFactor: false,
    hasPassword: false,
  };
  if (known === null) await insertUser(tx, user, realNow());
  await addMember(tx, now, actor, user.userId, wanted.role);
  return user;
}
