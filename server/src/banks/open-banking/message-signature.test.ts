import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createLocalJWKSet,
  FlattenedSign,
  flattenedVerify,
  generateKeyPair,
  importJWK,
} from 'jose';
import { makeSigningKey } from '../../sandbox/signing-key.ts';
import { BankUnavailable } from '../bank.ts';
import {
  type MessageSigner,
  SignatureInvalid,
  signMessage,
  verifyMessage,
} from './message-signature.ts';
import { keySigner } from './signer.ts';

const now = Temporal.Instant.from('2027-01-04T06:00:00Z');
const ours = await makeSigningKey();
const key = (await importJWK(ours.privateJwk, 'PS256')) as CryptoKey;
const signer: MessageSigner = {
  signer: keySigner(ours.privateJwk),
  kid: ours.publicJwk.kid ?? '',
  issuer: 'org-1/software-1',
};
const keys = createLocalJWKSet({ keys: [ours.publicJwk] });
const expected = { keys, issuer: signer.issuer };

const IAT = 'http://openbanking.org.uk/iat';
const ISS = 'http://openbanking.org.uk/iss';
const TAN = 'http://openbanking.org.uk/tan';
const HEADER = {
  alg: 'PS256',
  kid: signer.kid,
  [IAT]: now.epochMilliseconds / 1000,
  [ISS]: signer.issuer,
  [TAN]: 'openbanking.org.uk',
  crit: [IAT, ISS, TAN],
};

/** Signs with arbitrary headers, as a careless or hostile sender might. */
async function signWith(changes: Record<string, unknown>): Promise<string> {
  const header = { ...HEADER, ...changes };
  const crit = Object.fromEntries((header.crit as string[]).map((name) => [name, true]));
  const jws = await new FlattenedSign(Buffer.from('{}'))
    .setProtectedHeader(header)
    .sign(key, { crit });
  return `${jws.protected}..${jws.signature}`;
}

test('what was signed verifies, whatever the bytes of the body', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (body) => {
      await verifyMessage(body, await signMessage(body, signer, now), expected, now);
    }),
    { numRuns: 25 },
  );
});

test('the signature is detached, dated in the past and marks its three claims critical', async () => {
  const [encoded, payload] = (await signMessage('{}', signer, now)).split('.');
  assert.equal(payload, '');
  const header = JSON.parse(Buffer.from(encoded ?? '', 'base64url').toString());
  assert.equal(header.alg, 'PS256');
  assert.ok(header[IAT] < now.epochMilliseconds / 1000);
  assert.deepEqual(header.crit, [IAT, ISS, TAN]);
  assert.equal('b64' in header, false);
});

test('one changed byte of the body is noticed', async () => {
  const signature = await signMessage('{"Amount":"1.00"}', signer, now);
  await assert.rejects(
    verifyMessage('{"Amount":"9.00"}', signature, expected, now),
    SignatureInvalid,
  );
  await assert.rejects(
    verifyMessage('{"Amount":"1.00"} ', signature, expected, now),
    SignatureInvalid,
  );
});

test('a signature of somebody else, or for another purpose, is refused', async () => {
  const wrong: Record<string, unknown>[] = [
    { [ISS]: 'org-2' },
    { [TAN]: 'example.com' },
    { [IAT]: now.epochMilliseconds / 1000 + 3600 },
    { [IAT]: 'yesterday' },
    { crit: [IAT, ISS] },
    { jku: 'https://example.com/keys' },
    { kid: 'unknown' },
    { b64: false },
    { crit: [IAT, ISS, TAN, 'b64'], b64: true },
  ];
  for (const changes of wrong) {
    const signature = await signWith(changes);
    await assert.rejects(verifyMessage('{}', signature, expected, now), SignatureInvalid);
  }
  await verifyMessage('{}', await signWith({}), expected, now);
});

test('what we sign verifies with a library of others, and what it signs verifies here', async () => {
  const body = '{"Amount":"1.00"}';
  const [protectedHeader = '', , signature = ''] = (await signMessage(body, signer, now)).split(
    '.',
  );
  const payload = Buffer.from(body).toString('base64url');
  const crit = { [IAT]: true, [ISS]: true, [TAN]: true };
  const jws = { protected: protectedHeader, payload, signature };
  await flattenedVerify(jws, keys, { crit, algorithms: ['PS256'] });
  await verifyMessage('{}', await signWith({}), expected, now);
});

test('a signature by another algorithm or key than the header and the keys of the signer say is refused', async () => {
  const signed = async (alg: string, by: CryptoKey): Promise<string> => {
    const jws = await new FlattenedSign(Buffer.from('{}'))
      .setProtectedHeader({ ...HEADER, alg })
      .sign(by, { crit: { [IAT]: true, [ISS]: true, [TAN]: true } });
    return `${jws.protected}..${jws.signature}`;
  };
  const sameKey = (await importJWK(ours.privateJwk, 'RS256')) as CryptoKey;
  const stranger = (await generateKeyPair('PS256')).privateKey;
  const short = await crypto.subtle.generateKey(
    {
      name: 'RSA-PSS',
      hash: 'SHA-256',
      modulusLength: 1024,
      publicExponent: new Uint8Array([1, 0, 1]),
    },
    true,
    ['sign', 'verify'],
  );
  const good = await signed('PS256', key);
  const withKeys = (found: CryptoKey) => ({ ...expected, keys: async () => found });
  for (const [text, against] of [
    [await signed('RS256', sameKey), expected],
    [await signed('PS256', stranger), expected],
    [good, withKeys(short.publicKey)],
  ] as const)
    await assert.rejects(verifyMessage('{}', text, against, now), SignatureInvalid);
  await verifyMessage('{}', good, expected, now);
});

test('text that only a lenient decoder takes for a signature is refused', async () => {
  const good = await signWith({});
  for (const text of [`${good}=`, `${good} `, `${good}\n`, ` ${good}`, good.replace('..', '=..')])
    await assert.rejects(verifyMessage('{}', text, expected, now), SignatureInvalid, text);
  for (const header of ['[]', 'null', '7', 'no JSON']) {
    const encoded = Buffer.from(header).toString('base64url');
    await assert.rejects(
      verifyMessage('{}', good.replace(/^[^.]+/, encoded), expected, now),
      SignatureInvalid,
    );
  }
});

test('what is no detached signature at all is refused', async () => {
  const good = await signMessage('{}', signer, now);
  for (const text of ['', 'a', 'a..', '..b', 'a.b.c', `${good}.x`, good.replace('..', '.e30.')]) {
    await assert.rejects(verifyMessage('{}', text, expected, now), SignatureInvalid, text);
  }
});

test('a failure to get the keys is an outage, not a verdict on the message', async () => {
  const signature = await signMessage('{}', signer, now);
  const outage = { issuer: signer.issuer, keys: () => Promise.reject(new BankUnavailable('down')) };
  await assert.rejects(verifyMessage('{}', signature, outage, now), BankUnavailable);
});
