import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { createLocalJWKSet, importSPKI } from 'jose';
import { noTrueLayerFacts, readFact } from '../../../test-support/truelayer/document.ts';
import type { FindKey } from '../bank-keys.ts';
import {
  readRequestKey,
  readSignatureHeader,
  SignatureInvalid,
  signedBytes,
  signMessage,
  verifySignature,
} from './signature.ts';

/** A signature that was made by openssl, for those who do not have the published vectors. */
const VECTOR = {
  message: {
    method: 'POST',
    path: '/notifications/banks/truelayer',
    headers: [['X-Tl-Webhook-Timestamp', '2026-11-29T18:00:00Z']] as const,
    body: '{"type":"payment_executed","event_id":"f0f7"}',
  },
  signature:
    'eyJhbGciOiJFUzUxMiIsImtpZCI6Im93bi12ZWN0b3IiLCJ0bF92ZXJzaW9uIjoiMiIsInRsX2hlYWRlcnMiOiJYLVRsLVdlYmhvb2stVGltZXN0YW1wIiwiamt1IjoiaHR0cHM6Ly9rZXlzLmV4YW1wbGUvandrcyJ9..AKq1smi6mobpeQB7wW-KUhcmK5xNl6bbkX0l1OCcuYcCsBSk-QY0JtXHh9vxv60MAGYttu4x49cXHjn3IjnLbTK8Ach9btgPgvWqvnL3hoWBhYRhOjtP8uIzzN-WIZY8IsGF4nhsyORIJ1QZYiANExpuQClXzCrsWLzgLkTgyfv45KTa',
  publicKey: `-----BEGIN PUBLIC KEY-----
MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQAprq423ci09lk6GX6pGNaj/kwnZYA
P3X+uwmHtf22TnQfx/QoAhx18EiqBqqbAoxFEVPTSXINMcZ6wo2tgcDfDlgB7lwS
mAk1ibaROdHMc8rXNtswmNOxEz/+PQVCYrqi3iP3+DSMJ467dKa7xQHD58RW29Ks
9+zzvEF4BGLOWB+Cf8I=
-----END PUBLIC KEY-----`,
};

/** Asserts that a signature is over exactly this message, and over no other. */
async function assertOver(
  signature: string,
  message: typeof VECTOR.message,
  keys: FindKey,
): Promise<void> {
  await verifySignature(signature, message, keys);
  await verifySignature(signature, { ...message, path: `${message.path}/` }, keys);
  const [[name, value]] = message.headers;
  const others = [
    { ...message, method: 'PUT' },
    { ...message, path: `${message.path}x` },
    { ...message, headers: [[name, `${value} `]] as const },
    { ...message, headers: [[name.toLowerCase(), value]] as const },
    { ...message, body: message.body.replace('{', '{ ') },
  ];
  for (const other of others)
    await assert.rejects(verifySignature(signature, other, keys), SignatureInvalid);
}

const ownKey = await importSPKI(VECTOR.publicKey, 'ES512');

test('a signature is good for its method, path, headers and body alone', async () => {
  await assertOver(VECTOR.signature, VECTOR.message, async () => ownKey);
  assert.deepEqual(readSignatureHeader(VECTOR.signature), {
    names: ['X-Tl-Webhook-Timestamp'],
    keysAt: 'https://keys.example/jwks',
  });
});

test('what is no detached signature by ES512 is refused', async () => {
  const [header = '', , value] = VECTOR.signature.split('.');
  const encode = (one: object): string => Buffer.from(JSON.stringify(one)).toString('base64url');
  const wrong = [
    '',
    'x',
    `${header}.${header}.${value}`,
    `${header}..`,
    `!!..${value}`,
    `${encode({ alg: 'HS256', tl_version: '2' })}..${value}`,
    `${encode({ alg: 'none', tl_version: '2' })}..${value}`,
    `${encode({ alg: 'ES512', tl_version: '1' })}..${value}`,
  ];
  for (const one of wrong) assert.throws(() => readSignatureHeader(one), SignatureInvalid, one);
});

test('what we sign is verified by its public key, and its signature has 132 bytes', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  const signature = signMessage(readRequestKey('ours', pem), VECTOR.message);
  assert.equal(Buffer.from(signature.split('..')[1] ?? '', 'base64url').length, 132);
  const spki = publicKey.export({ format: 'pem', type: 'spki' }) as string;
  const key = await importSPKI(spki, 'ES512');
  await assertOver(signature, VECTOR.message, async () => key);
});

test('a key on another curve, or a public one, does not sign', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  for (const wrong of [pem, VECTOR.publicKey, ''])
    assert.throws(() => readRequestKey('ours', wrong));
});

interface PublishedVector {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  signature: string;
  joseHeader: { tl_headers: string };
  signingInput: string;
}

const skip = noTrueLayerFacts;

test('the published vectors are good, and their bytes are ours', { skip }, async () => {
  const keys: FindKey = createLocalJWKSet(JSON.parse(readFact('signing/jwks.json'))) as FindKey;
  const { vectors } = JSON.parse(readFact('signing/vectors.json')) as {
    vectors: PublishedVector[];
  };
  assert.equal(vectors.length, 2);
  for (const { method, path, headers, body, joseHeader, ...vector } of vectors) {
    const given = new Map(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const signature = readFact(`signing/${vector.signature}`).trim();
    const { names } = readSignatureHeader(signature);
    assert.equal(names.join(','), joseHeader.tl_headers);
    const named = names.map((name) => [name, given.get(name.toLowerCase()) ?? ''] as const);
    const message = { method, path, headers: named, body };
    assert.equal(signedBytes(message).toString(), vector.signingInput);
    const [first, ...rest] = named;
    assert.ok(first);
    await verifySignature(signature, message, keys);
    const changed = { ...message, headers: [[first[0], 'x'] as const, ...rest] };
    await assert.rejects(verifySignature(signature, changed, keys), SignatureInvalid);
    await assert.rejects(
      verifySignature(signature, { ...message, path: `${path}x` }, keys),
      SignatureInvalid,
    );
  }
});
