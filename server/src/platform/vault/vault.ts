import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { SealCounts } from './seal-counts.ts';

/** Encryption at rest: AES-256-GCM under a key with an id, so that keys can be rotated. */
export interface Vault {
  /** Returns sealed text `v1.<key id>.<base64url of nonce, ciphertext, tag>`, bound to its context. */
  seal(plain: string, context: string): string;
  /** Throws if the text was tampered with, moved to another context, or sealed under an unknown key. */
  open(sealed: string, context: string): string;
  /** Returns a blind index: equal values have equal indexes, and an index reveals nothing else. */
  index(value: string, context: string): Buffer;
  /** Returns a signature of a value that we hand out and get back, such as a cookie's. */
  sign(value: string, context: string): Buffer;
  /** Whether we signed the value, under any key of the signing ring. */
  isSigned(signature: Buffer, value: string, context: string): boolean;
  /** Returns secrets for a library that signs and encrypts on its own: one for each signing key, the current one first. */
  secrets(context: string): readonly NumberedSecret[];
  /** How often each key has sealed in this process, until it is stored. */
  readonly seals: SealCounts;
}

/** A secret with a number that stays its own, whatever its place in the ring. */
export interface NumberedSecret {
  version: number;
  value: string;
}

/** The entry of a signing ring for the key that is derived from the blind index key. */
export const DERIVED_KEY = 'derived';

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;
/** Three for each merchant. */
const MAX_INDEX_KEYS = 10_000;

/**
 * Makes a vault. `keys`: id → 32 bytes; the first key seals, all open. `indexKey`: 32 bytes that never rotate. `signing`: id →
 * 32 bytes, or null for the key derived from `indexKey`; the first signs, all verify.
 */
export function makeVault(
  keys: ReadonlyMap<string, Buffer>,
  indexKey: Buffer,
  signing: ReadonlyMap<string, Buffer | null> = new Map([[DERIVED_KEY, null]]),
): Vault {
  const [current] = keys.keys();
  if (current === undefined) throw new Error('the vault needs a key');
  const keyOf = (id: string): Buffer => {
    const key = keys.get(id);
    if (key === undefined) throw new Error(`sealed under the unknown key ${id}`);
    return key;
  };
  const indexKeyOf = derived(indexKey);
  const signers = [...signing].map(([id, key]) => ({
    version: versionOf(id),
    keyOf: key === null ? indexKeyOf : derived(key),
  }));
  const [signer] = signers;
  if (signer === undefined) throw new Error('the vault needs a signing key');
  const mac = (key: Buffer, value: string): Buffer =>
    createHmac('sha256', key).update(value).digest();
  const seals = new SealCounts();
  return {
    seals,
    seal(plain, context) {
      seals.add(current);
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
    index: (value, context) => mac(indexKeyOf(context), value),
    sign: (value, context) => mac(signer.keyOf(context), value),
    isSigned: (signature, value, context) =>
      signers.some(({ keyOf: signingKeyOf }) => {
        const expected = mac(signingKeyOf(context), value);
        return signature.length === expected.length && timingSafeEqual(signature, expected);
      }),
    secrets: (context) =>
      signers.map(({ version, keyOf: signingKeyOf }) => ({
        version,
        value: mac(signingKeyOf(context), 'secret').toString('base64url'),
      })),
  };
}

/** The derived key's number, under which everything was encrypted before there were others. */
const DERIVED_VERSION = 1;
const VERSION_BYTES = 6;

function versionOf(id: string): number {
  if (id === DERIVED_KEY) return DERIVED_VERSION;
  return DERIVED_VERSION + 1 + hashSecret(id).readUIntBE(0, VERSION_BYTES);
}

/** Derives a key for each context; the latest ones are kept, because deriving one costs more than its use. */
function derived(indexKey: Buffer): (context: string) => Buffer {
  const kept = new Map<string, Buffer>();
  return (context) => {
    const known = kept.get(context);
    if (known !== undefined) return known;
    const key = Buffer.from(hkdfSync('sha256', indexKey, '', context, 32));
    if (kept.size >= MAX_INDEX_KEYS) kept.clear();
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
