import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Vault } from '../../../platform/vault/vault.ts';

/** The context of the secrets with which the library signs its cookies and encrypts second factors. */
export const LIBRARY_SECRETS = 'sign-in';

/** The library's cookies; ours are `recollect_…` and `recollect.device.…`. */
const LIBRARY_COOKIE = /^(__Secure-)?recollect[.](?!device[.])/;

/**
 * Returns the `cookie` header with those cookies of the library signed again that an older key of the signing ring has signed:
 * the library checks the current key alone, and everybody would have to sign in again when a key is replaced.
 */
export function signedAgain(vault: Vault, cookies: string): string {
  const [current, ...older] = vault.secrets(LIBRARY_SECRETS);
  if (current === undefined || older.length === 0) return cookies;
  return cookies
    .split(';')
    .map((part) => {
      const at = part.indexOf('=');
      if (at < 0 || !LIBRARY_COOKIE.test(part.slice(0, at).trim())) return part;
      const signed = decoded(part.slice(at + 1).trim());
      const dot = signed.lastIndexOf('.');
      const [value, signature] = [signed.slice(0, dot), signed.slice(dot + 1)];
      if (dot < 0 || !older.some((key) => isSame(signature, signatureOf(key.value, value))))
        return part;
      const fresh = encodeURIComponent(`${value}.${signatureOf(current.value, value)}`);
      return `${part.slice(0, at)}=${fresh}`;
    })
    .join(';');
}

/** The signature that the library writes. */
const signatureOf = (secret: string, value: string): string =>
  createHmac('sha256', secret).update(value).digest('base64');

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return ''; // not one of the library's
  }
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
