import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  deleteBank,
  type RegisterOptions,
  registerBank,
  updateBank,
} from '../server/src/app/banks-file/registration.ts';
import { publishedSchemas, SPECS } from '../server/test-support/published-schemas.ts';
import { recordExchanges } from '../server/test-support/recorder.ts';
import { startSandboxBank } from '../server/test-support/sandbox-bank.ts';

/**
 * Validates our registration requests, and the sandbox bank's answers, against the published OpenAPI description of Dynamic
 * Client Registration. We may not distribute the description: the test is skipped if it is not beside the project.
 */
const SPEC = `${SPECS}/registration/client-registration-openapi-v3.1.json`;
const skip = existsSync(SPEC)
  ? false
  : 'put registration/client-registration-openapi-v3.1.json into the folder named by OPEN_BANKING_SPECS to run this';

test('what we and a bank say of a registration conforms to the published description', {
  skip,
}, async (t) => {
  const sandbox = await startSandboxBank();
  const folder = await mkdtemp(join(tmpdir(), 'recollect-dcr-'));
  t.after(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true });
  });
  const statement = join(folder, 'statement.jws');
  await writeFile(statement, await sandbox.statement());
  const { ca, cert, key, signing } = sandbox.files;
  const options: RegisterOptions = {
    file: join(folder, 'banks.json'),
    discovery: `${sandbox.backChannelUrl}/northbank`,
    statement,
    redirectUris: [sandbox.redirectUri],
    resourceBase: `${sandbox.backChannelUrl}/northbank/open-banking/v4.0/pisp`,
    bankOrgId: sandbox.orgId,
    // The description is older than the prose: it wants a certificate's subject of every client.
    tokenAuth: 'tls_client_auth',
    ca,
    cert,
    key,
    signingKey: signing,
    sandbox: true,
  };
  const recorder = recordExchanges('/register');
  await registerBank('northbank', options);
  await updateBank('northbank', options);
  const wrong = { ...options, redirectUris: ['https://elsewhere.example/back'] };
  await assert.rejects(registerBank('other', wrong));
  await deleteBank('northbank', options, async () => 0);
  const exchanges = recorder.stop();
  assert.deepEqual(
    exchanges.map(({ method, status }) => `${method} ${status}`),
    ['POST 201', 'PUT 200', 'POST 400', 'DELETE 204'],
  );
  const validator = publishedSchemas(SPEC);
  const request = validator('OBClientRegistration1');
  const registered = validator('OBRegistrationProperties1');
  const refused = validator('RegistrationError');
  for (const { method, status, sent, answered } of exchanges) {
    if (sent !== '')
      assert.ok(request(payloadOf(sent)), `${method} ${JSON.stringify(request.errors)}`);
    if (answered === '') continue;
    const validate = status < 400 ? registered : refused;
    assert.ok(validate(JSON.parse(answered)), `${method} ${JSON.stringify(validate.errors)}`);
    if (status < 400) assert.match(JSON.parse(answered).client_id, /^.{1,36}$/);
  }
});

/** Returns the claims of a JWS in compact form. */
function payloadOf(jws: string): unknown {
  return JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString());
}
