import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { signedText, statementOf, verifiedSums } from './provenance.ts';
import { PROVENANCE, SUMS, sumsText, verifyRelease } from './verify.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const statement = (sums: ReadonlyMap<string, string>): object =>
  statementOf({
    version: '0.2.0',
    commit: 'c'.repeat(40),
    repository: null,
    withSandbox: false,
    builder: 'urn:test',
    sums,
    packages: [],
    node: '26.10.0',
    image: `node:26@sha256:${'d'.repeat(64)}`,
  });

/** Writes a released folder with two artefacts. */
function released(t: TestContext, key: KeyObject = privateKey): string {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-verify-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const sums = new Map<string, string>();
  for (const name of ['one.tgz', 'two.tgz']) {
    writeFileSync(join(folder, name), name);
    sums.set(name, sumOf(name));
  }
  const provenance = signedText(statement(sums), key);
  writeFileSync(join(folder, PROVENANCE), provenance);
  writeFileSync(join(folder, SUMS), sumsText(sums.set(PROVENANCE, sumOf(provenance))));
  return folder;
}

test('what was released and signed is good', (t) => {
  assert.deepEqual(verifyRelease(released(t), publicKey), []);
});

test('a changed, missing or added file is named, also where its sum was changed with it', (t) => {
  const changed = released(t);
  appendFileSync(join(changed, 'one.tgz'), '!');
  assert.deepEqual(verifyRelease(changed, publicKey), [
    `one.tgz has another sum than in ${SUMS}`,
    'one.tgz has another sum than in the signed provenance',
  ]);
  writeFileSync(
    join(changed, SUMS),
    `${sumOf('one.tgz!')}  one.tgz\n${sumOf('two.tgz')}  two.tgz\n`,
  );
  assert.ok(
    verifyRelease(changed, publicKey).includes(
      'one.tgz has another sum than in the signed provenance',
    ),
  );
  const folder = released(t);
  rmSync(join(folder, 'two.tgz'));
  writeFileSync(join(folder, 'three.tgz'), '');
  assert.deepEqual(verifyRelease(folder, publicKey), [
    `three.tgz has another sum than in ${SUMS}`,
    'three.tgz has another sum than in the signed provenance',
    'two.tgz is missing',
  ]);
});

test('another key, and a folder without a provenance, are refused', (t) => {
  const { privateKey: other } = generateKeyPairSync('ed25519');
  assert.match(
    verifyRelease(released(t, other), publicKey)[0] ?? '',
    /^the provenance is not signed/,
  );
  const folder = released(t);
  rmSync(join(folder, PROVENANCE));
  assert.deepEqual(verifyRelease(folder, publicKey), [`${PROVENANCE} is missing`]);
});

test('a signature is over the type too, holds for one payload, and is the same each time', () => {
  const sums = new Map([['one.tgz', sumOf('one')]]);
  const text = signedText(statement(sums), privateKey);
  assert.equal(text, signedText(statement(sums), privateKey));
  assert.deepEqual(verifiedSums(text, publicKey), sums);
  const envelope = JSON.parse(text);
  for (const forged of [
    { ...envelope, payloadType: 'text/plain' },
    { ...envelope, payload: Buffer.from(JSON.stringify(statement(new Map()))).toString('base64') },
    { ...envelope, signatures: [] },
  ])
    assert.throws(
      () => verifiedSums(JSON.stringify(forged), publicKey),
      /is not signed by the key/,
    );
});

test('a key of another kind is refused', () => {
  const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  assert.throws(() => signedText(statement(new Map()), rsa), /of type rsa, and not ed25519/);
});
