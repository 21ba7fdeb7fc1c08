import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type SandboxBank, startSandboxBank } from '../../../test-support/sandbox-bank.ts';
import { sandboxDriver } from '../../../test-support/sandbox-customer.ts';
import { type Agreed, agreed, paymentOf } from '../../banks/bank-journey.ts';
import { type BankDirectory, bankDirectory } from '../../banks/directory.ts';
import { issueCertificates } from '../../sandbox/certificate-authority.ts';
import { makeSigningKey } from '../../sandbox/signing-key.ts';
import { examineBanksFile } from './banks-file.ts';
import { type BankRenewal, watchBanksFile } from './renewal.ts';

const NEXT_KEY = await makeSigningKey();
const NEXT = await issueCertificates(Temporal.Now.instant());

let sandbox: SandboxBank;
let folder: string;
let directory: BankDirectory;
let renewal: BankRenewal;
let consent: Agreed;
const reported: { bank: string; problems: string[] }[] = [];
const told: string[] = [];

const pathOf = (name: string): string => join(folder, name);
const read = () => {
  const { banks, problems } = examineBanksFile(
    { paymentScheme: 'commercial' },
    pathOf('banks.json'),
  );
  return { banks: banks.map((bank) => ({ ...bank, sandbox: true })), problems };
};
const northbank = () => {
  const bank = directory.banks.get('northbank');
  assert.ok(bank);
  return bank;
};

before(async () => {
  sandbox = await startSandboxBank(
    {},
    { authority: NEXT.authority, publicJwk: NEXT_KEY.publicJwk },
  );
  folder = await mkdtemp(join(tmpdir(), 'recollect-renewal-'));
  const { tls, signingJwk, ...bank } = sandbox.config('northbank');
  const files = { ca: 'ca.pem', cert: 'client.pem', key: 'client.key' } as const;
  for (const name of ['ca', 'cert', 'key'] as const)
    await writeFile(pathOf(files[name]), tls[name]);
  await writeFile(pathOf('signing.json'), JSON.stringify(signingJwk));
  const entry = {
    ...{ bank_id: bank.bankId, name: bank.name, issuer: bank.issuer },
    ...{ resource_base: bank.resourceBase, client_id: bank.clientId, org_id: bank.orgId },
    ...{
      software_id: bank.softwareId,
      bank_org_id: bank.bankOrgId,
      bank_jwks_uri: bank.bankJwksUri,
    },
    ...{ tls: files, signing_jwk: 'signing.json' },
  };
  await writeFile(pathOf('banks.json'), JSON.stringify({ banks: [entry] }));
  directory = await bankDirectory({ direct: read().banks, modulr: [], truelayer: [] });
  const log = {
    report: (_code: string, fields: object = {}) =>
      void reported.push(fields as (typeof reported)[0]),
    info: (_fields: unknown, says?: string) => void told.push(says ?? ''),
  };
  renewal = watchBanksFile({ path: pathOf('banks.json'), read, directory, log });
  consent = await agreed(northbank(), sandboxDriver(sandbox, 'northbank'), 'ordinary');
});
after(async () => {
  await renewal?.close();
  await directory?.close();
  await sandbox?.close();
  await rm(folder, { recursive: true });
});

const problems = (): string =>
  reported
    .splice(0)
    .flatMap((one) => one.problems)
    .join('\n');
const used = () => directory.direct()[0];

test('nothing is done while the files stay as they are', async () => {
  const bank = northbank();
  await renewal.look();
  assert.equal(northbank(), bank);
  assert.deepEqual([reported, told], [[], []]);
});

test('a half-written pair is not used, and said once', async () => {
  await writeFile(pathOf('client.pem'), NEXT.client.certificate);
  await renewal.look();
  assert.match(problems(), /tls\.key that does not belong to its tls\.cert/);
  await renewal.look();
  assert.deepEqual(reported, []);
  assert.equal((await northbank().readConsent(consent.bankConsentId)).status, 'AUTH');
});

test('a new certificate is used without a restart, and consents of before go on', async () => {
  const bank = northbank();
  await writeFile(pathOf('client.key'), NEXT.client.key);
  await renewal.look();
  assert.equal(problems(), '');
  assert.deepEqual(told.splice(0), ['The bank is called with its changed configuration']);
  assert.equal(used()?.tls.cert, NEXT.client.certificate);
  // The bank binds its tokens to the certificate that asked for them.
  const stale = paymentOf(consent, 100);
  await assert.rejects(northbank().submitPayment(consent.grant, stale));
  const grant = await northbank().refresh(consent.grant);
  assert.notEqual(grant.accessToken, consent.grant.accessToken);
  assert.equal(await northbank().refresh(grant), grant);
  const { bankPaymentId } = await northbank().submitPayment(grant, paymentOf(consent, 100));
  assert.ok(bankPaymentId);
  assert.equal((await bank.readPayment(bankPaymentId)).bankPaymentId, bankPaymentId);
});

test('a signing key waits until the bank takes it', async () => {
  const unpublished = await makeSigningKey();
  await writeFile(pathOf('signing.json'), JSON.stringify(unpublished.privateJwk));
  await renewal.look();
  assert.notEqual(problems(), '');
  assert.notEqual(used()?.signingJwk.kid, unpublished.privateJwk.kid);
  assert.equal((await northbank().readConsent(consent.bankConsentId)).status, 'AUTH');

  await writeFile(pathOf('signing.json'), JSON.stringify(NEXT_KEY.privateJwk));
  await renewal.look();
  assert.equal(problems(), '');
  assert.equal(used()?.signingJwk.kid, NEXT_KEY.privateJwk.kid);
  const again = await agreed(northbank(), sandboxDriver(sandbox, 'northbank'), 'ordinary');
  assert.ok((await northbank().submitPayment(again.grant, paymentOf(again, 100))).bankPaymentId);
});

test('a file that cannot be read, a new bank and one that is gone change nothing, and are named', async () => {
  const text = await readFile(pathOf('banks.json'), 'utf8');
  await writeFile(pathOf('banks.json'), text.slice(0, 40));
  await renewal.look();
  assert.match(problems(), /cannot be read/);
  await writeFile(pathOf('banks.json'), text.replace('"northbank"', '"southbank"'));
  await renewal.look();
  assert.match(problems(), /is new in the file.*\n.*is not in the file any more/);
  assert.deepEqual([...directory.banks.keys()], ['northbank']);
});
