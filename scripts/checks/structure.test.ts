import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Cruise, structureProblems } from './structure.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cruiser = join(root, 'node_modules/.bin/depcruise');
const config = join(root, '.dependency-cruiser.mjs');
const FOLDERS = ['server', 'sandbox', 'sdk', 'dashboard', 'simulation', 'test'];

/** A code base in which every rule is broken once, with allowed neighbours of each violation. */
const HOUSE: Record<string, string> = {
  'node_modules/pg/package.json': '{ "name": "pg", "main": "index.js" }',
  'node_modules/pg/index.js': '',
  'node_modules/undici/package.json': '{ "name": "undici", "main": "index.js" }',
  'node_modules/undici/index.js': '',
  'node_modules/openid-client/package.json': '{ "name": "openid-client", "main": "index.js" }',
  'node_modules/openid-client/index.js': '',
  'node_modules/better-auth/package.json': '{ "name": "better-auth", "main": "index.js" }',
  'node_modules/better-auth/index.js': '',
  'node_modules/@simplewebauthn/browser/package.json':
    '{ "name": "@simplewebauthn/browser", "main": "index.js" }',
  'node_modules/@simplewebauthn/browser/index.js': '',
  'server/src/main.ts': "import './app/wiring/run.ts';",
  'server/src/app/wiring/run.ts': "import { open } from '../../payments/stages/open.ts'; open();",
  'server/src/payments/stages/open.ts':
    "import type { Customer } from '../../customers/customer.ts'; export const open = (c?: Customer) => c;",
  'server/src/customers/customer.ts': 'export interface Customer { id: string }',
  'server/src/platform/db/db.ts': "import 'pg'; export interface Tx { id: string }",
  // Imports of a later slice, in each form.
  'server/src/platform/time/a-type.ts':
    "import type { Customer } from '../../customers/customer.ts';",
  'server/src/merchants/an-export.ts': "export * from '../payments/stages/open.ts';",
  'server/src/customers/a-type-export.ts': "export type { Customer } from '../app/wiring/run.ts';",
  'server/src/wallets/a-call.ts':
    "export const run = async () => await import('../app/wiring/run.ts');",
  'server/src/banks/a-start.ts': "import '../main.ts';",
  'server/src/ledger/unwritten.ts': "import '../platform/db/db.ts';",
  // Imports of a later folder of a slice, and of what lies beside the folders; those downwards are allowed.
  'server/src/platform/platform.ts': "import './db/db.ts';",
  'server/src/platform/vault/vault.ts': "import '../platform.ts';",
  'server/src/platform/values/early.ts': "import type { Vault } from '../vault/vault.ts';",
  'server/src/platform/http/server.ts': "import '../platform.ts'; import './schemas/schemas.ts';",
  'server/src/platform/http/schemas/schemas.ts': "import '../../values/early.ts';",
  'server/src/platform/http/calls/call.ts': "import '../server.ts';",
  'server/src/platform/unwritten/place.ts': "import '../values/early.ts';",
  // A file behind the front of its folder; from within, and the front itself, are allowed.
  'server/src/schedules/limits/headroom.ts': '',
  'server/src/schedules/limits/room.ts': "import './headroom.ts';",
  'server/src/portal/asking.ts':
    "import '../schedules/limits/headroom.ts'; import '../schedules/limits/room.ts';",
  // Cycles, one of them of types only.
  'server/src/consents/one.ts': "import type { Two } from './two.ts'; export type One = Two;",
  'server/src/consents/two.ts': "import type { One } from './one.ts'; export type Two = One[];",
  // Pure files that reach I/O: directly, through another file, and by a type.
  'server/src/schedules/terms/occurrences.ts': "import 'node:fs/promises';",
  'server/src/schedules/terms/describe.ts': "import './reader.ts';",
  'server/src/schedules/terms/reader.ts': "import 'node:http';",
  'server/src/payments/payment/payment.ts': "import type { Tx } from '../../platform/db/db.ts';",
  // Code in the wrong place.
  'server/src/payments/stages/tested.ts': "import './open.test.ts';",
  'server/src/payments/stages/open.test.ts':
    "import '../../app/wiring/run.ts'; import 'undici'; import 'pg';",
  // The sandbox is loaded where it is needed; its types may be named.
  'server/src/sandbox/levers.ts': 'export interface Levers { id: string }',
  'server/src/app/docs/at-once.ts': "import '../../sandbox/levers.ts';",
  'server/src/app/docs/on-demand.ts':
    "import type { Levers } from '../../sandbox/levers.ts'; export let levers: Levers;" +
    "export const load = async () => await import('../../sandbox/levers.ts');",
  'server/src/wallets/copied.ts': "import '../../../sandbox/src/main.ts';",
  'sandbox/src/main.ts': '',
  'sandbox/src/copied.ts': "import '../../server/src/platform/db/db.ts';",
  'sdk/src/index.ts': "import '../../server/src/platform/db/db.ts';",
  'server/src/settlements/direct.ts': "import 'pg';",
  'server/src/wallets/direct.ts': "import 'openid-client';",
  'server/src/webhooks/stages.ts': "import { request } from 'undici'; request();",
  'server/src/webhooks/sender.ts': "import { request } from 'undici'; request();",
  'server/src/portal/lost.ts': "import './nowhere.ts';",
  'server/src/merchants/sign-in/library/library.ts': "import 'better-auth';",
  'server/src/dashboard/a-door.ts': "import type { User } from 'better-auth';",
  'dashboard/src/api/people/passkeys.ts': "import '@simplewebauthn/browser';",
  'dashboard/src/pages/a-door.tsx':
    "import '@simplewebauthn/browser'; export const Door = () => <p>Come in</p>;",
  'dashboard/src/api/stores.ts':
    "import type { Row } from '../../../server/src/platform/db/db.ts';",
  'server/src/settlements/page.ts': "import '../../../dashboard/src/api/people/passkeys.ts';",
  'simulation/book/days.ts': '',
  'simulation/book/plan.ts':
    "import './days.ts'; import '../../server/src/payments/stages/open.ts';",
  'test/end-to-end.test.ts': "import '../server/src/main.ts'; import '../sandbox/src/main.ts';",
};

const EXPECTED = [
  'dashboard/src/api/stores.ts  dashboard-is-a-client',
  'dashboard/src/pages/a-door.tsx  sign-in-libraries-at-the-door',
  'sandbox/src/copied.ts  sandbox-not-server',
  'sdk/src/index.ts  sdk-stands-alone',
  'server/src/app/docs/at-once.ts  sandbox-on-demand',
  'server/src/banks/a-start.ts  main-is-last',
  'server/src/consents/one.ts  no-cycle',
  'server/src/customers/a-type-export.ts  slice-order-customers',
  'server/src/dashboard/a-door.ts  sign-in-libraries-at-the-door',
  'server/src/ledger/unwritten.ts  slice-unknown',
  'server/src/merchants/an-export.ts  slice-order-merchants',
  'server/src/payments/payment/payment.ts  pure-files', // db.ts
  'server/src/payments/payment/payment.ts  pure-files', // and, through it, pg
  'server/src/payments/stages/tested.ts  test-code-stays-out',
  'server/src/platform/http/calls/call.ts  folder-order-http-calls',
  'server/src/platform/time/a-type.ts  slice-order-platform',
  'server/src/platform/unwritten/place.ts  folder-unknown-platform',
  'server/src/platform/values/early.ts  folder-order-platform-values',
  'server/src/platform/vault/vault.ts  folder-order-platform-vault',
  'server/src/portal/asking.ts  folder-front-limits',
  'server/src/portal/lost.ts  unresolvable',
  'server/src/schedules/terms/describe.ts  pure-files',
  'server/src/schedules/terms/occurrences.ts  pure-files',
  'server/src/settlements/direct.ts  pg-behind-the-platform',
  'server/src/settlements/page.ts  nobody-imports-the-dashboard',
  'server/src/wallets/a-call.ts  slice-order-wallets',
  'server/src/wallets/copied.ts  server-not-sandbox',
  'server/src/wallets/direct.ts  openid-client-at-the-edge',
  'server/src/webhooks/stages.ts  undici-at-the-edge',
  'simulation/book/plan.ts  expected-book-stands-alone',
];

let house: string;

before(async () => {
  house = await mkdtemp(join(tmpdir(), 'recollect-structure-'));
  for (const [path, text] of Object.entries(HOUSE)) {
    await mkdir(dirname(join(house, path)), { recursive: true });
    await writeFile(join(house, path), text);
  }
});

after(() => rm(house, { recursive: true, force: true }));

/** Returns dependency-cruiser's violations of our rules; its exit code counts them. */
async function cruise(): Promise<Cruise> {
  const args = [cruiser, '--config', config, '--output-type', 'json', ...FOLDERS];
  const answer = await promisify(execFile)(process.execPath, args, { cwd: house }).catch(
    (error: { stdout: string }) => error,
  );
  return JSON.parse(answer.stdout) as Cruise;
}

test('every rule of the structure finds its violation, and nothing else', async () => {
  const paths = Object.keys(HOUSE).filter((path) => /[.]tsx?$/.test(path));
  const problems = structureProblems(await cruise(), paths);
  assert.deepEqual(
    problems.map((problem) => problem.slice(0, problem.indexOf(':'))),
    EXPECTED,
  );
});
