import { keyCheckValue } from './vault.ts';

export type Mode = 'sandbox' | 'live';

/** The keys of a process. */
export interface Keys {
  /** Id → 32 bytes; the first key seals. */
  encryption: ReadonlyMap<string, Buffer>;
  blindIndex: Buffer;
  /** Id → 32 bytes, or null for the key derived from the blind index key; the first signs. */
  signing: ReadonlyMap<string, Buffer | null>;
}

/** A key as a database records it. */
export interface KeyCheck {
  purpose: 'encryption' | 'blind_index';
  /** Empty for the blind index, which has one key. */
  keyId: string;
  value: Buffer;
}

/** What a database records about itself: its deployment, and the keys it was opened with. */
export interface Stamp {
  deploymentId: string;
  mode: Mode;
  keys: readonly KeyCheck[];
}

/** Returns the check values of keys, as written to the stamp. */
export function keyChecks({ encryption, blindIndex }: Keys): KeyCheck[] {
  const sealing = [...encryption].map(
    ([keyId, key]): KeyCheck => ({
      purpose: 'encryption',
      keyId,
      value: keyCheckValue(key, `encryption ${keyId}`),
    }),
  );
  const value = keyCheckValue(blindIndex, 'blind index');
  return [...sealing, { purpose: 'blind_index', keyId: '', value }];
}

/**
 * Returns why a process of this mode may not use the database, as a sentence that begins with the setting; null if it may.
 */
export function refuseMode(stamp: Stamp, mode: Mode): string | null {
  if (stamp.mode === mode) return null;
  const [its, ours] = [inWords(stamp.mode), inWords(mode)];
  const whose = `this database belongs to ${its} (deployment ${stamp.deploymentId})`;
  return `MODE does not fit: ${whose}, and this process is ${ours}: set MODE=${stamp.mode}, or name another database`;
}

const inWords = (mode: Mode): string => (mode === 'live' ? 'a live service' : 'a sandbox');

/**
 * Returns why a process with these keys may not use the database; empty if it may. A key under a new id is a rotation. A key
 * that the database knows must be present and unchanged.
 */
export function refuseKeys(stamp: Stamp, keys: Keys): string[] {
  const ours = new Map(keyChecks(keys).map((check) => [nameOf(check), check.value]));
  return stamp.keys.flatMap((known) => {
    const value = ours.get(nameOf(known));
    return value?.equals(known.value) ? [] : [refusalOf(known, value === undefined)];
  });
}

function refusalOf({ purpose, keyId }: KeyCheck, isMissing: boolean): string {
  if (purpose === 'blind_index')
    return 'BLIND_INDEX_KEY is not the one that this database was made with: put that one back';
  return isMissing
    ? `ENCRYPTION_KEYS has no key ${keyId}, which this database was sealed with: put it back, behind the key that seals`
    : `ENCRYPTION_KEYS has another key ${keyId} than this database: put that one back, and give a new key a new id`;
}

const nameOf = ({ purpose, keyId }: KeyCheck): string => `${purpose} ${keyId}`;
