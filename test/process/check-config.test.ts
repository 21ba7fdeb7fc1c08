import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { certificateFindings } from '../../server/src/app/banks-file/certificates.ts';
import { openSandboxFolder } from '../../server/src/sandbox/folder.ts';
import { emptyDatabase, type TestDatabase } from '../../server/test-support/database.ts';
import { liveSettings, secret, writeBanksFile } from './live-settings.ts';
import { type Env, recollect, recollectAlone } from './recollect.ts';

let folder: string;
let database: TestDatabase;
let good: Env;
let bank: Record<string, unknown>;
let jwk: Record<string, unknown>;
let pem: { ca: string; cert: string; key: string };

before(async () => {
  [folder, database] = await Promise.all([
    mkdtemp(join(tmpdir(), 'recollect-config-')),
    emptyDatabase(),
  ]);
  const live = await liveSettings(folder, database.url);
  [good, bank, jwk, pem] = [live.env, live.bank, live.jwk, live.tls];
});
after(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Writes a file with one bank, with these fields over valid ones; returns its path. */
async function banksFile(fields: object): Promise<string> {
  return writeBanksFile(folder, { ...bank, ...fields });
}

/** Writes a signing key with these members over a valid one; returns the fields of its bank. */
async function signedWith(members: object): Promise<string> {
  const path = join(folder, `key-${randomBytes(4).toString('hex')}.json`);
  await writeFile(path, JSON.stringify({ ...jwk, ...members }));
  return banksFile({ signing_jwk: path });
}

/** Returns what a start prints: a line for each problem, with an exit code and no stack trace. */
async function problems(env: Env): Promise<string[]> {
  const { code, err } = await recollect(env, 'serve');
  assert.equal(code, 1);
  const lines = err.trimEnd().split('\n');
  for (const line of lines) {
    assert.match(line, /^recollect: [A-Z_]+ /);
    assert.doesNotMatch(line, /Error:|at .*[.]ts:/);
  }
  return lines.map((line) => line.slice('recollect: '.length));
}

test('check-config says what is good, setting by setting, and no secret', async () => {
  const { code, out, err } = await recollectAlone(good, 'check-config');
  assert.equal(code, 0, out);
  assert.equal(err, '');
  for (const name of Object.keys(good)) assert.match(out, new RegExp(`^good +${name} `, 'm'));
  assert.match(out, /^good +BANKS_FILE .*fernbank has a tls.cert that is valid until \d{4}-/m);
  assert.match(out, /^good +DATABASE_URL answers, and nobody has started on it yet$/m);
  assert.match(out, /^the configuration is valid$/m);
  assert.doesNotMatch(out, /SANDBOX_/);
  for (const name of ['ISSUER_SECRET', 'BLIND_INDEX_KEY', 'DATABASE_URL'])
    assert.ok(!out.includes(good[name] ?? ''), name);
});

test('check-config tells every problem at once, of settings and files, and ends with 1', async () => {
  const env = {
    ...good,
    ISSUER_URL: 'http://issuer.hillemoney.co.uk',
    ISSUER_SECRET: 'x',
    TRUST_PROXY: '',
    LOG_LEVEL: 'loud',
    DATABASE_URL: '',
    BANKS_FILE: await signedWith({ kid: undefined }),
  };
  const { code, out } = await recollect(env, 'check-config');
  assert.equal(code, 1);
  const wrong = out.split('\n').filter((line) => line.startsWith('PROBLEM'));
  assert.deepEqual(
    wrong.map((line) => line.split(/ +/)[1]),
    ['LOG_LEVEL', 'TRUST_PROXY', 'DATABASE_URL', 'ISSUER_URL', 'ISSUER_SECRET', 'BANKS_FILE'],
  );
  assert.deepEqual(
    (await problems(env)).map((line) => line.split(' ')[0]),
    wrong.map((line) => line.split(/ +/)[1]),
  );
});

test('check-config holds mode and keys against the database', async () => {
  const own = await emptyDatabase();
  try {
    const env = { ...good, DATABASE_URL: own.url };
    assert.equal((await recollect(env, 'migrate')).code, 0);
    assert.match((await recollect(env, 'check-config')).out, /DATABASE_URL answers, and is ours/);
    const other = await recollect({ ...env, BLIND_INDEX_KEY: secret() }, 'check-config');
    assert.equal(other.code, 1);
    assert.match(other.out, /^PROBLEM +BLIND_INDEX_KEY is not the one/m);
  } finally {
    await own.drop();
  }
});

for (const [what, members, says] of [
  ['without a kid', { kid: undefined }, /without a kid/],
  ['that is public', { d: undefined, p: undefined }, /without d, p: write the whole/],
  ['of another kind', { kty: 'EC' }, /no RSA key/],
  ['for another algorithm', { alg: 'RS256' }, /for RS256/],
  ['whose numbers are made up', { p: 'AQAB' }, /make no key/],
] as const)
  test(`a signing key ${what} is refused in one line, also by commands`, async () => {
    const env = { ...good, BANKS_FILE: await signedWith(members) };
    const [line = '', ...others] = await problems(env);
    assert.match(line, says);
    assert.deepEqual(others, []);
  });

test('a transport key that belongs to another certificate is refused, and so is what is no key', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const path = join(folder, 'other.key');
  await writeFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const [foreign = '', ...others] = await problems({
    ...good,
    BANKS_FILE: await banksFile({ tls: { ...pem, key: path } }),
  });
  assert.match(foreign, /^BANKS_FILE .* tls.key that does not belong to its tls.cert/);
  assert.deepEqual(others, []);
  await copyFile(pem.cert, path);
  const tls = { ...pem, key: path };
  const [none = ''] = await problems({ ...good, BANKS_FILE: await banksFile({ tls }) });
  assert.match(none, /tls.key that cannot be read/);
});

test('addresses of a bank without TLS, placeholders and missing files are told at once', async () => {
  const path = await banksFile({
    issuer: 'http://auth.fernbank.example',
    bank_jwks_uri: 'keystore.example',
    client_id: 'change-me',
    tls: { ...pem, ca: 'nowhere.pem' },
  });
  const lines = await problems({ ...good, BANKS_FILE: path });
  assert.equal(lines.length, 4, lines.join('\n'));
  for (const word of ['issuer', 'bank_jwks_uri', 'client_id', 'nowhere[.]pem'])
    assert.ok(
      lines.some((line) => new RegExp(word).test(line)),
      word,
    );
});

test('certificates are held against the day: over, not yet valid, soon over', async () => {
  const { certificates } = await openSandboxFolder(folder);
  const read = (path: string) => readFile(path, 'utf8');
  const tls = {
    ca: await read(certificates.ca),
    cert: await read(certificates.clientCert),
    key: await read(certificates.clientKey),
  };
  const found = (days: number): string[] => {
    const at = Temporal.Now.instant().add({ hours: 24 * days });
    return certificateFindings('banks.json', { bankId: 'fernbank', tls }, at).map(
      ({ level, says }) => `${level}: ${says}`,
    );
  };
  assert.ok(found(0).every((line) => line.startsWith('good: ')));
  assert.match(found(400).join('\n'), /problem: .* has a tls.cert that ended on /);
  assert.match(found(-30).join('\n'), /problem: .* has a tls.cert that is not valid before /);
  assert.match(found(350).join('\n'), /warning: .* has a tls.cert that ends on .*: renew it/);
});

test('a start with a certificate that is over is refused', async () => {
  const old = join(folder, 'old');
  await mkdir(old);
  const { issueCertificates } = await import('../../server/src/sandbox/certificate-authority.ts');
  const past = Temporal.Now.instant().subtract({ hours: 24 * 500 });
  const { authority, client } = await issueCertificates(past);
  const tls = { ca: join(old, 'ca'), cert: join(old, 'cert'), key: join(old, 'key') };
  await writeFile(tls.ca, authority);
  await writeFile(tls.cert, client.certificate);
  await writeFile(tls.key, client.key);
  const lines = await problems({ ...good, BANKS_FILE: await banksFile({ tls }) });
  assert.ok(lines.some((line) => /tls.cert that ended on/.test(line)));
});
