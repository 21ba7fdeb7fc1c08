import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';

/** TrueLayer's signature, written from its description alone: it shares no code with the connector. */

interface Signed {
  method: string;
  path: string;
  /** By name in small letters. */
  headers: Readonly<Record<string, unknown>>;
  body: string;
}

const decode = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));

function inputOf(header: string, names: string[], { method, path, headers, body }: Signed): Buffer {
  let text = `${method.toUpperCase()} ${path}\n`;
  for (const name of names) text += `${name}: ${String(headers[name.toLowerCase()])}\n`;
  return Buffer.from(`${header}.${Buffer.from(text + body).toString('base64url')}`);
}

/** Whether a request is signed by this key, over its idempotency key too. */
export function isSignedBy(kid: string, key: KeyObject, signed: Signed): boolean {
  const [header = '', middle, value = ''] = String(signed.headers['tl-signature']).split('.');
  if (middle !== '' || header === '') return false;
  const { alg, kid: named, tl_version: version, tl_headers: list } = decode(header);
  const names = String(list).split(',');
  if (alg !== 'ES512' || named !== kid || version !== '2') return false;
  if (!names.includes('Idempotency-Key')) return false;
  const signature = Buffer.from(value, 'base64url');
  const options = { key, dsaEncoding: 'ieee-p1363' } as const;
  return (
    signature.length === 132 && verify('sha512', inputOf(header, names, signed), options, signature)
  );
}

/** Makes a pair of keys for ES512. */
export function makeKeyPair(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-521' });
}

/** Signs a notice as TrueLayer does; `claims` may say something else in its header. */
export function signNotice(
  key: KeyObject,
  signed: Signed,
  claims: Record<string, unknown>,
): string {
  const names = String(claims.tl_headers).split(',');
  const header = Buffer.from(JSON.stringify({ alg: 'ES512', tl_version: '2', ...claims }));
  const encoded = header.toString('base64url');
  const options = { key, dsaEncoding: 'ieee-p1363' } as const;
  const value = sign('sha512', inputOf(encoded, names, signed), options);
  return `${encoded}..${value.toString('base64url')}`;
}
