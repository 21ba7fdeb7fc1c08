import type { Adapter, AdapterPayload } from 'oidc-provider';
import { realNow } from '../../clock.ts';
import type { Store } from '../../store.ts';

/**
 * Stores sessions, grants, codes and tokens for one bank's OpenID provider. Lifetimes are protocol time, so this is the only
 * place in the bank that uses the real clock for its rows. Clients are not among them: `clientOf` finds them.
 */
export function createOidcAdapter(
  store: Store,
  bank: string,
  clientOf: (clientId: string) => AdapterPayload | undefined,
): (model: string) => Adapter {
  const find = (where: string, params: Record<string, string>): AdapterPayload | undefined => {
    const row = store.get<{ payload: string }>(
      `SELECT payload FROM oidc_records WHERE bank = :bank AND ${where}
       AND (expires_at IS NULL OR expires_at > :now)`,
      { bank, now: epochSeconds(), ...params },
    );
    return row && JSON.parse(row.payload);
  };
  let upserts = 0;
  return (model) => ({
    upsert: async (id, payload, expiresIn) => {
      upserts += 1;
      if (upserts % PURGE_EVERY === 0) purgeExpired(store);
      store.run(UPSERT, {
        bank,
        model,
        id,
        payload: JSON.stringify(payload),
        grant_id: payload.grantId ?? null,
        uid: payload.uid ?? null,
        expires_at: expiresIn ? epochSeconds() + expiresIn : null,
      });
    },
    find: async (id) =>
      model === 'Client' ? clientOf(id) : find('model = :model AND id = :id', { model, id }),
    findByUid: async (uid) => find('model = :model AND uid = :uid', { model, uid }),
    findByUserCode: async () => undefined,
    consume: async (id) => {
      store.run(
        `UPDATE oidc_records SET payload = json_set(payload, '$.consumed', :now)
         WHERE bank = :bank AND model = :model AND id = :id`,
        { bank, model, id, now: epochSeconds() },
      );
    },
    destroy: async (id) => {
      store.run('DELETE FROM oidc_records WHERE bank = :bank AND model = :model AND id = :id', {
        bank,
        model,
        id,
      });
    },
    revokeByGrantId: async (grantId) => revokeGrant(store, grantId),
  });
}

/** Tokens are many and short-lived; expired records are deleted once per this many new ones. */
const PURGE_EVERY = 500;

const UPSERT = `
INSERT INTO oidc_records (bank, model, id, payload, grant_id, uid, expires_at)
VALUES (:bank, :model, :id, :payload, :grant_id, :uid, :expires_at)
ON CONFLICT (bank, model, id) DO UPDATE SET payload = :payload, grant_id = :grant_id, uid = :uid,
  expires_at = :expires_at`;

/** Ends a grant: every code and token issued under it stops working. */
export function revokeGrant(store: Store, grantId: string): void {
  store.run('DELETE FROM oidc_records WHERE grant_id = :grantId', { grantId });
  store.run("DELETE FROM oidc_records WHERE model = 'Grant' AND id = :grantId", { grantId });
}

/** Deletes records that have expired by the real clock. */
export function purgeExpired(store: Store): void {
  store.run('DELETE FROM oidc_records WHERE expires_at <= :now', { now: epochSeconds() });
}

function epochSeconds(): number {
  return Math.floor(realNow().epochMilliseconds / 1000);
}
