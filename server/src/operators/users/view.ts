import Type, { type Static } from 'typebox';
import type { AccountFacts } from '../../merchants/team/account-store.ts';
import { Id, Instant, NamedObject, OrNull } from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';

/** A person of merchants' teams, in responses. */
export const UserView = NamedObject('User', {
  id: Id('usr'),
  name: Type.String(),
  email: Type.String(),
  created_at: Instant,
  made_by: Type.String({ description: '`operator`, `invitation` or `unknown`.' }),
  has_password: Type.Boolean(),
  passkeys: Type.Integer(),
  two_factor: Type.Boolean(),
  last_seen_at: OrNull(Instant),
  teams: Type.Array(Type.Object({ merchant_id: Id('mer'), role: Type.String() })),
});
export type UserView = Static<typeof UserView>;

/** Returns an account as operators see it. */
export function viewUser(account: AccountFacts): UserView {
  return {
    id: account.userId,
    name: account.name,
    email: account.email,
    created_at: formatInstant(account.createdAt),
    made_by: account.madeBy,
    has_password: account.hasPassword,
    passkeys: account.passkeys,
    two_factor: account.twoFactor,
    last_seen_at: formatInstant(account.lastSeenAt),
    teams: account.teams.map(({ merchantId, role }) => ({ merchant_id: merchantId, role })),
  };
}
