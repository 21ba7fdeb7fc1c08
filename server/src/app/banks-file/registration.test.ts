import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type SandboxBank, startSandboxBank } from '../../../test-support/sandbox-bank.ts';
import { sandboxDriver } from '../../../test-support/sandbox-customer.ts';
import { agreed } from '../../banks/bank-journey.ts';
import { openBankingBank } from '../../banks/open-banking/connector.ts';
import { readBanksFile } from './banks-file.ts';
import { checkBank } from './check.ts';
import { deleteBank, type RegisterOptions, registerBank, updateBank } from './registration.ts';

let sandbox: SandboxBank;
let folder: string;
let options: RegisterOptions;

before(async () => {
  sandbox = await startSandboxBank();
  folder = await mkdtemp(join(tmpdir(), 'recollect-register-'));
  const statement = join(folder, 'statement.jws');
  await writeFile(statement, `${await sandbox.statement()}\n`);
  const { ca, cert, key, signing } = sandbox.files;
  options = {
    file: join(folder, 'banks.json'),
    discovery: `${sandbox.backChannelUrl}/northbank/.well-known/openid-configuration`,
    statement,
    redirectUris: [sandbox.redirectUri],
    title: 'North Bank',
    resourceBase: `${sandbox.backChannelUrl}/northbank/open-banking/v4.0/pisp`,
    bankOrgId: sandbox.orgId,
    ca,
    cert,
    key,
    signingKey: signing,
    sandbox: true,
  };
});
after(async () => {
  await sandbox?.close();
  await rm(folder, { recursive: true });
});

const content = async () =>
  JSON.parse(await readFile(options.file, 'utf8')) as { banks: Record<string, unknown>[] };

test('A bank that we register with collects from consent to payment, and checks well', async () => {
  const { clientId, warnings } = await registerBank('northbank', options);
  assert.deepEqual(warnings, []);
  const [config] = readBanksFile({ paymentScheme: 'commercial' }, options.file).direct;
  assert.ok(config);
  assert.equal(config.clientId, clientId);
  assert.equal(config.orgId, 'recollectorg');
  assert.equal(config.issuer, `${sandbox.backChannelUrl}/northbank`);
  const bank = await openBankingBank({ ...config, sandbox: true });
  try {
    const { bankConsentId, initiation, grant } = await agreed(
      bank,
      sandboxDriver(sandbox, 'northbank'),
      'ordinary',
    );
    const id = 'registered-1';
    const report = await bank.submitPayment(grant, {
      idempotencyKey: id,
      instructionId: id,
      endToEndId: id,
      bankConsentId,
      initiation,
      amountPence: 100,
      currency: 'GBP',
    });
    assert.ok(report.bankPaymentId);
  } finally {
    await bank.close();
  }
  const url = `${sandbox.backChannelUrl}/directory/v2.1/organisation/mlastatus`;
  const lines = await checkBank(options.file, { ...config, sandbox: true }, { url });
  const bad = lines.filter(({ level }) => level === 'problem');
  // The sandbox's bank has no entry of its own among the participants.
  assert.deepEqual(
    bad.map(({ check }) => check),
    ['participants'],
    JSON.stringify(lines, null, 1),
  );
  const checks = new Set(lines.map(({ check }) => check));
  assert.deepEqual(
    [...checks],
    [
      'certificates',
      'signer',
      'discovery',
      'keys',
      'token',
      'signed answer',
      'our signature',
      'participants',
    ],
  );
});

test('Registering again does nothing; changing and deleting a registration change the file too', async () => {
  await registerBank('changes', options);
  const before = (await content()).banks.find((one) => one.bank_id === 'changes');
  const again = await registerBank('changes', options);
  assert.equal(again.isChanged, false);
  assert.equal(again.clientId, before?.client_id);

  const updated = await updateBank('changes', {
    file: options.file,
    statement: options.statement ?? '',
    redirectUris: options.redirectUris,
    tokenAuth: 'tls_client_auth',
    sandbox: true,
  });
  assert.equal(updated.clientId, before?.client_id);
  const changed = (await content()).banks.find((one) => one.bank_id === 'changes');
  assert.deepEqual(changed, { ...before, token_auth: 'tls_client_auth' });

  await assert.rejects(
    deleteBank('changes', options, async () => 3),
    /3 granted consents/,
  );
  await deleteBank('changes', options, async () => 0);
  assert.equal(
    (await content()).banks.some((one) => one.bank_id === 'changes'),
    false,
  );
});

test('What is missing, wrong or refused is said, and nothing is written', async () => {
  const nothing = { file: join(folder, 'none.json'), redirectUris: [], sandbox: true };
  await assert.rejects(registerBank('nobody', nothing), /give --discovery[\s\S]*--signing-key/);
  const refused = { ...options, redirectUris: ['https://elsewhere.example/back'] };
  await assert.rejects(registerBank('refused', refused), /invalid_redirect_uri/);
  const other = { ...options, bankOrgId: 'another' };
  await assert.rejects(registerBank('refused', other), /invalid_client_metadata: aud/);
  const pair = { ...options, cert: options.ca ?? '' };
  await assert.rejects(registerBank('refused', pair), /does not belong to its tls.cert/);
  const nowhere = { ...options, discovery: `${sandbox.backChannelUrl}/nobank` };
  await assert.rejects(registerBank('refused', nowhere), /no discovery document/);
  await assert.rejects(
    deleteBank('nobody', options, async () => 0),
    /has no bank nobody/,
  );
  await writeFile(`${options.file}.lock`, '');
  await assert.rejects(registerBank('refused', options), /another command is changing/);
  await rm(`${options.file}.lock`);
  const { banks } = await content();
  assert.equal(
    banks.some((one) => one.bank_id === 'refused'),
    false,
  );
});

test('A check names what is wrong with a connection, and tries the rest', async () => {
  const good = sandbox.config('northbank');
  const levels = async (config: typeof good) =>
    Object.fromEntries(
      (await checkBank('banks.json', config, null)).map(({ check, level }) => [check, level]),
    );
  const stranger = await levels({ ...good, clientId: 'nobody' });
  assert.deepEqual([stranger.discovery, stranger.token], ['good', 'problem']);
  const kid = await levels({ ...good, signingJwk: { ...good.signingJwk, kid: 'unknown' } });
  assert.equal(kid.token, 'problem');
  const org = await levels({ ...good, softwareId: 'another' });
  assert.deepEqual([org.token, org['our signature']], ['good', 'problem']);
  const notTheirs = await levels({ ...good, bankOrgId: 'another' });
  assert.equal(notTheirs['signed answer'], 'problem');
  const keys = await levels({ ...good, bankJwksUri: `${good.issuer}/nothing` });
  assert.equal(keys.keys, 'problem');
});

/** A folder in which nobody makes a file, whoever they are. */
const READ_ONLY = '/sys';

if (process.platform === 'linux')
  test('where the banks’ file cannot be written, register says so before it calls the bank, and where to write', async () => {
    const file = join(READ_ONLY, 'banks.json');
    await assert.rejects(registerBank('northbank', { ...options, file }), {
      name: 'ConfigError',
      message:
        /^\/sys\/banks\.json cannot be written here \(E\w+\), and nothing was sent to the bank: give --file /,
    });
  });
