import type { Tx } from '../../platform/db/db.ts';
import { type AccessRules, NO_RULES, type SessionLimits } from './access.ts';

const RULES = 'requires_second_factor, session_idle_minutes, session_longest_minutes';

/** Returns a team's rules; those of a team that has set none allow what the service allows. */
export async function findAccessRules(tx: Tx, merchantId: string): Promise<AccessRules> {
  const rules = await tx.row<AccessRules>(
    `SELECT ${RULES} FROM access_rules WHERE merchant_id = $1`,
    [merchantId],
  );
  return rules ?? NO_RULES;
}

/** Writes a team's rules. */
export async function saveAccessRules(
  tx: Tx,
  merchantId: string,
  rules: AccessRules,
): Promise<void> {
  await tx.run(
    `INSERT INTO access_rules (merchant_id, requires_second_factor, session_idle_minutes, session_longest_minutes)
     VALUES ($1, $2, $3, $4)
     ON CONFLICT (merchant_id) DO UPDATE SET requires_second_factor = excluded.requires_second_factor,
       session_idle_minutes = excluded.session_idle_minutes, session_longest_minutes = excluded.session_longest_minutes`,
    [merchantId, rules.requiresSecondFactor, rules.sessionIdleMinutes, rules.sessionLongestMinutes],
  );
}

/** A session, and the shortest limits among the teams of its user. Instants are real time. */
export interface LimitedSession {
  sessionId: string;
  createdAt: Temporal.Instant;
  usedAt: Temporal.Instant;
  limits: SessionLimits;
  /** The team by whose identity provider it was opened; null: by what belongs to its user. */
  ssoMerchantId: string | null;
}

/** Returns the session with this token and its limits, or null. Across merchants: needs the engine's role. */
export function findLimitedSession(tx: Tx, token: string): Promise<LimitedSession | null> {
  return tx.row<LimitedSession>(
    `SELECT s.id AS session_id, s.created_at, s.sso_merchant_id, coalesce(s.used_at, s.created_at) AS used_at,
       json_build_object('sessionIdleMinutes', min(r.session_idle_minutes),
         'sessionLongestMinutes', min(r.session_longest_minutes)) AS limits
     FROM sessions s LEFT JOIN members m ON m.user_id = s.user_id
       LEFT JOIN access_rules r ON r.merchant_id = m.merchant_id
     WHERE s.token = $1 GROUP BY s.id`,
    [token],
  );
}

/** Records that a session was used. */
export async function noteSessionUse(
  tx: Tx,
  sessionId: string,
  at: Temporal.Instant,
): Promise<void> {
  await tx.run('UPDATE sessions SET used_at = greatest(used_at, $2) WHERE id = $1', [
    sessionId,
    at,
  ]);
}

/** Ends one session. */
export async function endSession(tx: Tx, sessionId: string): Promise<void> {
  await tx.run('DELETE FROM sessions WHERE id = $1', [sessionId]);
}
