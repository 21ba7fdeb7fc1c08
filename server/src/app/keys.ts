import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from '../platform/config.ts';
import { makeVault, type Vault } from '../platform/vault.ts';

interface KeyFile {
  encryption_keys: Record<string, string>;
  blind_index_key: string;
}

/**
 * The vault over the configured keys. In the sandbox, where none are configured, keys are made once and kept in the data
 * folder; a live service has to be given its keys.
 */
export function openVault(config: Config): Vault {
  if (config.encryptionKeys !== null && config.blindIndexKey !== null)
    return makeVault(config.encryptionKeys, config.blindIndexKey);
  if (config.encryptionKeys !== null || config.blindIndexKey !== null)
    throw new ConfigError('ENCRYPTION_KEYS and BLIND_INDEX_KEY go together');
  const file = readKeyFile(join(config.dataDir, 'keys.json'));
  const keys = Object.entries(file.encryption_keys).map(([id, key]): [string, Buffer] => [
    id,
    Buffer.from(key, 'base64'),
  ]);
  return makeVault(new Map(keys), Buffer.from(file.blind_index_key, 'base64'));
}

function readKeyFile(path: string): KeyFile {
  if (!existsSync(path)) {
    const fresh: KeyFile = {
      encryption_keys: { k1: randomBytes(32).toString('base64') },
      blind_index_key: randomBytes(32).toString('base64'),
    };
    writeFileSync(path, JSON.stringify(fresh, null, 2), { mode: 0o600, flag: 'wx' });
  }
  return JSON.parse(readFileSync(path, 'utf8')) as KeyFile;
}
