import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { unzipSync, zipSync } from 'fflate';
import { verifyCaseFile } from '../../../../clients/verify-case-file/verify-case-file.mjs';
import { signMessage } from '../../banks/open-banking/message-signature.ts';
import { keySigner } from '../../banks/open-banking/signer.ts';
import { makeVault } from '../../platform/vault/vault.ts';
import { publicKeys } from './keys.ts';
import { canonical, digest, PACKED_AT, pack } from './pack.ts';

const SEAL = new Map([['k1', Buffer.alloc(32, 1)]]);
const vaultOf = (...signing: [string, Buffer | null][]) =>
  makeVault(SEAL, Buffer.alloc(32, 2), new Map(signing));
const vault = vaultOf(['derived', null]);
const ABOUT = {
  dispute_id: 'dsp_1',
  made_at: '2026-01-07T09:00:00.000Z',
  keys_at: 'https://pay.example/.well-known/case-file-keys.json',
};
const JSON_FILE = Buffer.from(
  canonical({ b: Array.from({ length: 60 }, (_, n) => `line ${n}`), a: 'zoë' }),
);
const PDF_FILE = Buffer.from(Array.from({ length: 700 }, (_, n) => (n * 7) % 256));
const FILES = [
  { name: 'case.json', bytes: JSON_FILE },
  { name: 'case.pdf', bytes: PDF_FILE },
];
const zip = pack(vault, ABOUT, FILES);

/** Where each file of the archive begins and ends. */
const places: { name: string; start: number; end: number }[] = [];
for (const name of ['index.json', 'index.sig', 'case.json', 'case.pdf']) {
  const header = places.at(-1)?.end ?? 0;
  const start = header + 30 + name.length;
  places.push({ name, start, end: start + zip.readUInt32LE(header + 18) });
}

function flipped(at: number): Buffer {
  const changed = Buffer.from(zip);
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
  return changed;
}

test('a case file is verified by the published keys, and by another service’s keys it is not', () => {
  assert.deepEqual(verifyCaseFile(zip, publicKeys(vault)), {
    status: 0,
    lines: [
      `Verified: the case file of dsp_1, made at ${ABOUT.made_at}, signed by the key ${publicKeys(vault)[0]?.kid}.`,
    ],
  });
  assert.equal(verifyCaseFile(zip).status, 2, 'whose key it is was not checked');
  const others = publicKeys(vaultOf(['other', Buffer.alloc(32, 9)]));
  assert.match(verifyCaseFile(zip, others).lines.join(), /is none of the service's/);
});

test('one byte changed is named by its file, and to within 256 bytes', () => {
  for (let at = 0; at < zip.length; at += 1) {
    const place = places.find(({ start, end }) => at >= start && at < end);
    const { status, lines } = verifyCaseFile(flipped(at), publicKeys(vault));
    assert.equal(status, 1, `byte ${at}`);
    assert.equal(lines.length, 1, `byte ${at}: ${lines.join()}`);
    const [line = ''] = lines;
    assert.ok(line.startsWith(`${place?.name ?? 'the archive'}:`), `byte ${at}: ${line}`);
    if (place?.name.startsWith('case.') !== true) continue;
    const [, from, to] = /between bytes (\d+) and (\d+)/.exec(line) ?? [];
    const offset = at - place.start;
    assert.ok(Number(from) <= offset && offset <= Number(to), `byte ${offset}: ${line}`);
    assert.ok(Number(to) - Number(from) < 256);
  }
});

/** Makes the archive again with other files, so that its frame fits them. */
function packedWith(changes: Readonly<Record<string, Buffer>>): Buffer {
  const files = Object.entries({ ...unzipSync(zip), ...changes });
  return Buffer.from(zipSync(Object.fromEntries(files), { level: 0, mtime: PACKED_AT }));
}

test('a file that grew is named, though the archive around it fits', () => {
  assert.ok(packedWith({}).equals(zip), 'the same frame');
  for (const name of ['case.json', 'case.pdf']) {
    const grown = Buffer.concat([name === 'case.pdf' ? PDF_FILE : JSON_FILE, Buffer.from('more')]);
    const { status, lines } = verifyCaseFile(packedWith({ [name]: grown }), publicKeys(vault));
    assert.deepEqual([status, lines.length], [1, 1]);
    assert.match(lines.join(), new RegExp(`^${name}: it has \\d+ bytes instead of`));
  }
});

test('a signature by a key of another kind is none, though it names the published point', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 512 });
  const index = JSON.parse(Buffer.from(unzipSync(zip)['index.json'] ?? []).toString());
  const { n, e } = publicKey.export({ format: 'jwk' });
  const key = { ...index.key, kty: 'RSA', n, e };
  const forged = Buffer.from(canonical({ ...index, key }));
  const signature = sign('sha256', forged, privateKey).toString('base64');
  const sig = `sha256 ${digest(forged)}\nEd25519 ${signature}\n`;
  const file = packedWith({ 'index.json': forged, 'index.sig': Buffer.from(sig) });
  assert.equal(verifyCaseFile(file, publicKeys(vault)).status, 1);
});

test('a bank’s answer that its key did not sign is named', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signer = keySigner(privateKey.export({ format: 'jwk' }));
  const issuer = { kid: 'bank-1', signer, issuer: 'bank' };
  const signature = await signMessage('{"Data":1}', issuer, Temporal.Now.instant());
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'bank-1' };
  const said = (body: string) => {
    const message = { body, signature, key, keys_at: 'https://bank.example/keys' };
    const answer = { kind: 'payment', about: 'pay_1-a1', bank: { name: 'Fern Bank' }, message };
    const bytes = Buffer.from(canonical({ bank_answers: [answer, { ...answer, message: null }] }));
    const file = pack(vault, ABOUT, [{ name: 'case.json', bytes }, ...FILES.slice(1)]);
    return verifyCaseFile(file, publicKeys(vault));
  };
  const { status, lines } = said('{"Data":1}');
  assert.deepEqual([status, lines.length], [0, 2]);
  assert.match(lines.join(), /Fern Bank signed its answer about payment pay_1-a1: key bank-1, of/);
  assert.deepEqual(said('{"Data":2}'), {
    status: 1,
    lines: ['case.json: the key of Fern Bank did not sign its answer about pay_1-a1'],
  });
});

test('bytes that are cut off or added are noticed', () => {
  for (const changed of [
    zip.subarray(0, -1),
    zip.subarray(0, 1000),
    Buffer.alloc(0),
    Buffer.concat([zip, Buffer.from('x')]),
  ])
    assert.equal(verifyCaseFile(changed, publicKeys(vault)).status, 1);
});

test('an old case file is verified after the signing key was changed, for as long as the old key is kept', () => {
  const ring = vaultOf(['new', Buffer.alloc(32, 9)], ['derived', null]);
  assert.equal(verifyCaseFile(zip, publicKeys(ring)).status, 0);
  assert.equal(verifyCaseFile(pack(ring, ABOUT, FILES), publicKeys(ring)).status, 0);
  assert.notEqual(publicKeys(ring)[0]?.kid, publicKeys(vault)[0]?.kid);
});

test('the same contents are the same bytes, whatever order their names were written in', () => {
  assert.ok(pack(vault, ABOUT, FILES).equals(zip));
  assert.equal(
    canonical({ b: [{ d: 1, c: null }], a: 2 }),
    canonical({ a: 2, b: [{ c: null, d: 1 }] }),
  );
});
