import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from '../../platform/config/config.ts';
import type { Keys } from '../../platform/vault/deployment.ts';
import { DERIVED_KEY } from '../../platform/vault/vault.ts';

interface KeyFile {
  encryption_keys: Record<string, string>;
  blind_index_key: string;
  /** Absent in files of earlier versions. */
  signing_keys?: Record<string, string>;
}

/**
 * Returns this process's keys. In the sandbox, if none are configured, keys are generated once and stored in the data folder; a
 * live service must be given its keys.
 */
export function keysForStart(config: Config): Keys {
  const found = findKeys(config);
  if (found !== null) return found;
  const fresh: KeyFile = {
    encryption_keys: { k1: randomBytes(32).toString('base64') },
    blind_index_key: randomBytes(32).toString('base64'),
    signing_keys: { s1: randomBytes(32).toString('base64') },
  };
  writeFileSync(keyFile(config), JSON.stringify(fresh, null, 2), { mode: 0o600, flag: 'wx' });
  return read(fresh);
}

/** Returns the keys that are configured or stored in the data folder; null if there are none yet. Creates nothing. */
export function findKeys(config: Config): Keys | null {
  const { encryptionKeys, blindIndexKey, signingKeys } = config;
  if (encryptionKeys !== null && blindIndexKey !== null)
    return {
      encryption: encryptionKeys,
      blindIndex: blindIndexKey,
      signing: signingKeys ?? DERIVED_ALONE,
    };
  if (encryptionKeys !== null || blindIndexKey !== null)
    throw new ConfigError('ENCRYPTION_KEYS and BLIND_INDEX_KEY go together');
  const path = keyFile(config);
  if (!existsSync(path)) return null;
  try {
    return read(JSON.parse(readFileSync(path, 'utf8')) as KeyFile);
  } catch {
    throw new ConfigError(`${path} is damaged: put back the one that this sandbox was made with`);
  }
}

const keyFile = (config: Config): string => join(config.dataDir, 'keys.json');

const DERIVED_ALONE: ReadonlyMap<string, null> = new Map([[DERIVED_KEY, null]]);

const ringOf = (keys: Readonly<Record<string, string>>): Map<string, Buffer> =>
  new Map(Object.entries(keys).map(([id, key]) => [id, Buffer.from(key, 'base64')]));

function read({ encryption_keys, blind_index_key, signing_keys }: KeyFile): Keys {
  return {
    encryption: ringOf(encryption_keys),
    blindIndex: Buffer.from(blind_index_key, 'base64'),
    signing: signing_keys === undefined ? DERIVED_ALONE : ringOf(signing_keys),
  };
}
