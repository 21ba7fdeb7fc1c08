import type { Config } from '../../../platform/config/config.ts';
import { forgetKey, sealedUnder } from '../../../platform/vault/deployment-store.ts';
import { findKeys } from '../../deployment/keys.ts';
import { withPlatform } from '../session/offline.ts';
import type { CommandResult } from '../session/output.ts';

/**
 * `keys retire`: removes a key from the database's stamp, so that processes start without it. Refuses the key that seals, a key
 * that is not in the ring, and a key under which anything is still sealed; the result says where.
 */
export function retireKeyCommand(config: Config, keyId: string): Promise<CommandResult> {
  return withPlatform(config, async ({ db }) => {
    const ids = [...(findKeys(config)?.encryption.keys() ?? [])];
    const refused = (line: string): CommandResult => ({ line, isDone: false });
    if (!ids.includes(keyId)) return refused(`ENCRYPTION_KEYS has no key ${keyId}`);
    if (ids[0] === keyId)
      return refused(`${keyId} is the key in use for encryption: put another one before it first`);
    return db.transaction(async (tx) => {
      const sealed = await sealedUnder(tx, keyId);
      const where = sealed.map(({ column, count }) => `${column} ${count}`).join(', ');
      if (sealed.length > 0) return refused(`rows are still encrypted with ${keyId}: ${where}`);
      await forgetKey(tx, keyId);
      const line = `${keyId} is retired: remove it from ENCRYPTION_KEYS and restart every process`;
      return { line, isDone: true };
    });
  });
}
