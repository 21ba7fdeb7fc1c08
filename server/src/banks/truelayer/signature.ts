import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { flattenedVerify } from 'jose';
import { BankUnavailable } from '../bank.ts';
import type { FindKey } from '../bank-keys.ts';

/**
 * The detached signature `Tl-Signature` (ES512, version 2) over method, path, named headers and body, in either direction. It is
 * held against TrueLayer's published vectors where they are at hand.
 */

const ALGORITHM = 'ES512';
const VERSION = '2';
const CURVE = 'secp521r1';

/** What a signature is over. */
export interface SignedMessage {
  method: string;
  /** Without host and query. */
  path: string;
  /** In their order, spelt as the signature names them. */
  headers: readonly (readonly [name: string, value: string])[];
  /** The bytes as they are sent. */
  body: string | Buffer;
}

/** Our key for requests. */
export interface RequestKey {
  kid: string;
  key: KeyObject;
}

/** The header of a signature. */
export interface SignatureHeader {
  /** The headers that it covers. */
  names: readonly string[];
  /** Where the signer says that its keys are; empty: it does not say. */
  keysAt: string;
}

/** Not a signature of the expected party over this message. */
export class SignatureInvalid extends Error {
  override readonly name = 'SignatureInvalid';
}

/** Reads a private key for ES512 in PEM. Throws if it is none. */
export function readRequestKey(kid: string, pem: string): RequestKey {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== CURVE)
    throw new TypeError('not a private key on the curve P-521');
  return { kid, key };
}

/** Returns the bytes that a signature is over; they are never sent. */
export function signedBytes({ method, path, headers, body }: SignedMessage): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\n`).join('');
  const head = `${method} ${path.replace(/\/+$/, '')}\n${lines}`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

/** Signs a message with our key. */
export function signMessage({ kid, key }: RequestKey, message: SignedMessage): string {
  const names = message.headers.map(([name]) => name).join(',');
  const header = { alg: ALGORITHM, kid, tl_version: VERSION, tl_headers: names };
  const protectedHeader = Buffer.from(JSON.stringify(header)).toString('base64url');
  const input = Buffer.from(`${protectedHeader}.${signedBytes(message).toString('base64url')}`);
  const signature = sign('sha512', input, { key, dsaEncoding: 'ieee-p1363' });
  return `${protectedHeader}..${signature.toString('base64url')}`;
}

/** Reads the header of a detached signature. It proves nothing yet. Throws `SignatureInvalid`. */
export function readSignatureHeader(signature: string): SignatureHeader {
  const header = headerOf(partsOf(signature).protected);
  if (header.alg !== ALGORITHM || header.tl_version !== VERSION)
    throw new SignatureInvalid('not a signature by ES512 of version 2');
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const names = text(header.tl_headers).split(',').filter(Boolean);
  return { names, keysAt: text(header.jku) };
}

/** Throws `SignatureInvalid` unless the signature is over this message, and `BankUnavailable` where the keys cannot be read. */
export async function verifySignature(
  signature: string,
  message: SignedMessage,
  keys: FindKey,
): Promise<void> {
  const payload = signedBytes(message).toString('base64url');
  try {
    const jws = { ...partsOf(signature), payload };
    await flattenedVerify(jws, keys, { algorithms: [ALGORITHM] });
  } catch (cause) {
    if (cause instanceof BankUnavailable || cause instanceof SignatureInvalid) throw cause;
    throw new SignatureInvalid('the signature is not over this message', { cause });
  }
}

function partsOf(signature: string): { protected: string; signature: string } {
  const [header = '', payload, value = '', ...rest] = signature.split('.');
  const isDetached = header !== '' && payload === '' && value !== '' && rest.length === 0;
  if (!isDetached) throw new SignatureInvalid('not a detached signature');
  return { protected: header, signature: value };
}

function headerOf(encoded: string): Record<string, unknown> {
  try {
    const header: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return { ...(header as object) };
  } catch (cause) {
    throw new SignatureInvalid('the header of the signature cannot be read', { cause });
  }
}
