import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { refusal, startService } from '../test-support/service.ts';
import { SECRET } from '../test-support/signing.ts';

const run = promisify(execFile);
const require = createRequire(new URL('../../test/clients/package.json', import.meta.url));
const buildScript = fileURLToPath(new URL('../scripts/build.ts', import.meta.url));

/** Calls, is refused, meets a redirect, signs and verifies; throws where something is not as it should be. */
const USE = `
import { Recollect, signWebhook, verifyWebhook } from './index.js';
export async function use(baseUrl, secret) {
  const client = new Recollect({ apiKey: 'k', baseUrl, maxRetries: 0 });
  const is = (one, other) => {
    if (one !== other) throw new Error(one + ' is not ' + other);
  };
  is((await client.merchant.get()).id, 'mer_1');
  const refused = await client.schedules.get('sch_1').catch((error) => error);
  is(refused.name + ' ' + refused.code, 'RecollectNotFoundError not_found');
  const moved = await client.payments.get('pay_1').catch((error) => error);
  is(moved.name, 'RecollectConnectionError');
  is(/redirect|HTTP status 307/.test(moved.message), true);
  const data = { endpoint_id: 'end_1', url: '', message: '☕' };
  const signed = await signWebhook({ event: 'endpoint.test', data, secret });
  is((await verifyWebhook({ ...signed, headers: new Headers(signed.headers), secret })).data.message, '☕');
}
`;

const folder = mkdtempSync(join(tmpdir(), 'recollect-runtimes-'));
after(() => rmSync(folder, { recursive: true, force: true }));
before(() => {
  execFileSync(process.execPath, [buildScript, folder]);
  writeFileSync(join(folder, 'use.js'), USE);
});

/**
 * Returns the program of a runtime that npm has installed for this machine. Bun's own installation takes it out of the package of
 * the machine, and puts it under another name into its own.
 */
function programOf(runtime: string, inPackage: string): string {
  const manifest = require.resolve(`${runtime}/package.json`);
  const { optionalDependencies } = require(manifest);
  const places = Object.keys(optionalDependencies).map((name) =>
    join(dirname(manifest), '..', name, inPackage),
  );
  const found = [...places, join(dirname(manifest), `${inPackage}.exe`)].find(existsSync);
  if (found === undefined) throw new Error(`npm ci has installed no ${runtime} for this machine`);
  return found;
}

/** Starts a service with a merchant, no schedule, and a payment that has moved elsewhere; returns its address. */
async function startPlaces(t: Parameters<typeof startService>[0]): Promise<string> {
  const { url } = await startService(t, ({ path }) => {
    if (path.endsWith('/merchant')) return { body: { id: 'mer_1' } };
    if (path.includes('/payments/'))
      return { status: 307, headers: { location: 'http://other.example' } };
    return refusal(404, 'not_found');
  });
  return url;
}

/** Runs the same in a runtime that takes a file as its argument. */
async function runFile(t: Parameters<typeof startService>[0], ...command: [string, ...string[]]) {
  const file = join(folder, 'main.js');
  const args = JSON.stringify([await startPlaces(t), SECRET]);
  writeFileSync(
    file,
    `import { use } from './use.js';\nawait use(...${args});\nconsole.log('fine');`,
  );
  const [program, ...options] = command;
  const { stdout } = await run(program, [...options, file], { cwd: folder });
  assert.equal(stdout.trim(), 'fine');
}

test('the client runs in Node', (t) => runFile(t, process.execPath));

test('the client runs in Deno', (t) =>
  runFile(t, programOf('deno', 'deno'), 'run', '--quiet', '--allow-net=127.0.0.1', '--no-config'));

test('the client runs in Bun', (t) => runFile(t, programOf('bun', 'bin/bun'), 'run'));

test('the client runs in Cloudflare Workers', async (t) => {
  const args = JSON.stringify([await startPlaces(t), SECRET]);
  const worker = `import { use } from './use.js';\nexport default { test: () => use(...${args}) };`;
  writeFileSync(join(folder, 'worker.js'), worker);
  const built = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = [
    'worker.js',
    ...built.filter((name) => /^(?!worker|main|cjs\/).*\.js$/.test(name)),
  ];
  const modules = files.map(
    (name) => `(name = ${JSON.stringify(name)}, esModule = embed ${JSON.stringify(name)})`,
  );
  const config = join(folder, 'worker.capnp');
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = (modules = [${modules.join(', ')}], compatibilityDate = "2026-01-01")),
  (name = "internet", network = (allow = ["private"])),
]);`,
  );
  await run(programOf('workerd', 'bin/workerd'), ['test', config], { cwd: folder });
});
