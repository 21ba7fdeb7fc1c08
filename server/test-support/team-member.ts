import assert from 'node:assert/strict';
import type { Role } from '../src/merchants/role.ts';
import { createUser } from '../src/merchants/team/users.ts';
import type { Db } from '../src/platform/db/db.ts';
import { appCode, appKey } from './authenticator-app.ts';
import { DashboardVisitor } from './dashboard-visitor.ts';
import { asOwner } from './owner.ts';
import type { TestService } from './service.ts';

export const PASSWORD = 'correct horse battery';

/** A member of a team who is signed in with a password, and may have an authenticator. */
export interface TeamMember {
  email: string;
  userId: string;
  visitor: DashboardVisitor;
  /** Returns what proves who they are, once: the password, and a code that counts once. */
  proof(): { password: string; code?: string };
  /** Proves who they are, for five minutes. */
  prove(): Promise<void>;
}

let people = 0;

/**
 * Adds a person to a team as the operator does, and signs them in. They are nobody's newcomer unless `isNewcomer`, and have an
 * authenticator unless `hasFactor` is false.
 */
export async function teamMember(
  { running: { platform }, baseUrl, db, merchantId }: TestService,
  {
    role = 'owner',
    isNewcomer = false,
    hasFactor = true,
  }: { role?: Role; isNewcomer?: boolean; hasFactor?: boolean } = {},
): Promise<TeamMember> {
  const email = `person${++people}@fernhill.example`;
  const asked = { now: platform.clock.now(), merchantId, actorId: 'operator:test' };
  const { url, userId } = await platform.db.transaction((tx) =>
    createUser(platform, { tx, ...asked }, { email, name: `P ${people}`, role }),
  );
  if (!isNewcomer) await trust(db, userId);
  const visitor = new DashboardVisitor(baseUrl);
  assert.equal((await visitor.setPassword(url, PASSWORD)).status, 200);
  const codes = hasFactor ? await setUpFactor(visitor) : null;
  return memberWith(visitor, { email, userId }, codes);
}

/** Returns a member who proves who they are with these backup codes; null: they have no second factor. */
export function memberWith(
  visitor: DashboardVisitor,
  who: { email: string; userId: string },
  codes: string[] | null,
): TeamMember {
  const proof = () => {
    if (codes === null) return { password: PASSWORD };
    const code = codes.shift();
    assert.ok(code !== undefined, 'no backup code is left');
    return { password: PASSWORD, code };
  };
  return {
    ...who,
    visitor,
    proof,
    async prove() {
      const { status, body } = await visitor.call('POST', '/auth/prove', proof());
      assert.equal(status, 200, JSON.stringify(body));
    },
  };
}

/** Sets up an authenticator for whoever is signed in; returns the backup codes, each of which counts once. */
export async function setUpFactor(
  visitor: DashboardVisitor,
  password = PASSWORD,
): Promise<string[]> {
  const enabled = await visitor.call('POST', '/auth/two-factor/enable', { password });
  const key = appKey(new URL(String(enabled.body.totpURI)).searchParams.get('secret') ?? '');
  const on = await visitor.call('POST', '/auth/two-factor/verify-totp', { code: appCode(key) });
  assert.equal(on.status, 200, JSON.stringify(on.body));
  return [...(enabled.body.backupCodes as string[])];
}

/** Makes a person nobody's newcomer: who let them in stays recorded. */
export async function trust(db: Db, personId: string): Promise<void> {
  await asOwner(db, (tx) =>
    tx.run('UPDATE let_ins SET is_trusted = true WHERE person_id = $1', [personId]),
  );
}

/** Lets it seem that a person has a second factor, for tests below the sign-in. */
export async function setSecondFactor(db: Db, userId: string): Promise<void> {
  await db.transaction((tx) =>
    tx.run('UPDATE users SET two_factor_enabled = true WHERE id = $1', [userId]),
  );
}
