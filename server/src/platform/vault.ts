import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

/** Encryption at rest: AES-256-GCM under a key with an id, so that keys can be rotated. */
export interface Vault {
  /** Returns sealed text `v1.<key id>.<base64url of nonce, ciphertext, tag>`, bound to its context. */
  seal(plain: string, context: string): string;
  /** Throws if the text was tampered with, moved to another context, or sealed under an unknown key. */
  open(sealed: string, context: string): string;
  /** Returns a blind index: equal values have equal indexes, and an index reveals nothing else. */
  index(value: string, context: string): Buffer;
}

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;
/** Three for each merchant. */
const MOST_INDEX_KEYS = 10_000;

/** Makes a vault. `keys`: id → 32 bytes; the first key seals, all open. `indexKey`: 32 bytes that never rotate. */
export function makeVault(keys: ReadonlyMap<string, Buffer>, indexKey: Buffer): Vault {
  const [current] = keys.keys();
  if (current === undefined) throw new Error('the vault needs a key');
  const keyOf = (id: string): Buffer => {
    const key = keys.get(id);
    if (key === undefined) throw new Error(`sealed under the unknown key ${id}`);
    return key;
  };
  const indexKeyOf = derived(indexKey);
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv(CIPHER, keyOf(current), nonce, { authTagLength: TAG }).setAAD(
        Buffer.from(context),
      );
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `v1.${current}.${Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')}`;
    },
    open(sealed, context) {
      const [version, id, text, ...rest] = sealed.split('.');
      const bytes = Buffer.from(text ?? '', 'base64url');
      // Shorter bytes would be read as a shorter tag, which is easier to guess.
      if (version !== 'v1' || id === undefined || rest.length > 0 || bytes.length < NONCE + TAG)
        throw new Error('not sealed text');
      const nonce = bytes.subarray(0, NONCE);
      const decipher = createDecipheriv(CIPHER, keyOf(id), nonce, { authTagLength: TAG })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG));
      const body = bytes.subarray(NONCE, -TAG);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
    index: (value, context) => createHmac('sha256', indexKeyOf(context)).update(value).digest(),
  };
}

/** Derives a key for each context; the latest ones are kept, because deriving one costs more than its use. */
function derived(indexKey: Buffer): (context: string) => Buffer {
  const kept = new Map<string, Buffer>();
  return (context) => {
    const known = kept.get(context);
    if (known !== undefined) return known;
    const key = Buffer.from(hkdfSync('sha256', indexKey, '', context, 32));
    if (kept.size >= MOST_INDEX_KEYS) kept.clear();
    kept.set(context, key);
    return key;
  };
}

/** Returns a value that identifies a key and reveals nothing about it. */
export function keyCheckValue(key: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `recollect key check ${name}`, 16));
}

/** Returns the hash under which a secret known only to its holder (API key, link, state) is found again. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
