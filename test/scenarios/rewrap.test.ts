import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { withPlatform } from '../../server/src/app/cli/session/offline.ts';
import { createUser } from '../../server/src/merchants/team/users.ts';
import { listItems } from '../../server/src/payments/books/unallocated-store.ts';
import { viewItemInFull } from '../../server/src/payments/books/unallocated-view.ts';
import { sealedUnder } from '../../server/src/platform/vault/deployment-store.ts';
import { SEALED_COLUMNS } from '../../server/src/platform/vault/sealed-columns.ts';
import { checkPayee } from '../../server/src/wallets/payee-check.ts';
import { sealPayer } from '../../server/src/wallets/payer.ts';
import { ISSUER_SOURCE } from '../../server/src/wallets/routes.ts';
import { DashboardVisitor } from '../../server/test-support/dashboard-visitor.ts';
import { type Operator, operatorOf } from '../../server/test-support/operator.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { setAccount } from '../../server/test-support/settlement-account.ts';
import { grantedSchedule, newSchedule, paymentOf } from './acts.ts';

// An encryption key retires while the service runs: everything that it has sealed is sealed again under the next one.

const K1 = `k1:${randomBytes(32).toString('base64')}`;
const K2 = `k2:${randomBytes(32).toString('base64')}`;
const BLIND_INDEX_KEY = randomBytes(32).toString('base64');
const PASSWORD = 'correct horse battery';

let service: TestService;
let operator: Operator;
let customerId: string;

/** The operator with another ring. */
const withRing = (...keys: string[]): Operator =>
  operator.with({ ENCRYPTION_KEYS: keys.join(','), BLIND_INDEX_KEY });

before(async () => {
  service = await startTestService({
    env: {
      ENCRYPTION_KEYS: `${K1},${K2}`,
      BLIND_INDEX_KEY,
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'notices@fernhill.example',
      TRUST_PROXY: '127.0.0.1',
    },
  });
  operator = await operatorOf(service);
  await sealOfEverything();
});
after(() => service.close());

/** Lets the service seal something in every column that it can. */
async function sealOfEverything(): Promise<void> {
  const { platform } = service.running;
  const now = platform.clock.now();
  const { merchantId } = service;
  const schedule = await grantedSchedule(service, 'alex', {
    frequency: { type: 'monthly', day: 7 },
  });
  customerId = schedule.customer.id;
  await newSchedule(service, {
    customer: {
      type: 'bank_account',
      sort_code: '200415',
      account_number: '38290008',
    },
  });
  await setAccount(platform, merchantId, {
    sortCode: '200000',
    accountNumber: '55779911',
    name: 'Fernhill Gym Ltd',
  });
  const { url } = await platform.db.transaction((tx) =>
    createUser(
      platform,
      { tx, now, merchantId, actorId: 'operator:test' },
      { email: 'robin@fernhill.example', name: 'Robin', role: 'owner' },
    ),
  );
  const visitor = new DashboardVisitor(service.baseUrl);
  assert.equal((await visitor.setPassword(url, PASSWORD)).status, 200);
  const view = { list: 'payments', name: 'Failed', query: 'status=failed' };
  assert.equal((await visitor.call('POST', '/api/views', view)).status, 200);
  await service.advance('2026-01-07T12:00:00Z');
  await checkPayee(
    { platform, issuer: service.running.service.issuer },
    { merchantId, by: 'service', transact: platform.db.transaction, refuse: async () => undefined },
    { sortCode: '200000', accountNumber: '44444444', name: 'Fernhill Broadband' },
  );
  const payment = await paymentOf(service, schedule.id);
  const refund = await service.api('POST', `/api/v1/payments/${payment.id}/refunds`, {
    amount: { value: 100, currency: 'GBP' },
  });
  assert.equal(refund.status, 200, JSON.stringify(refund.body));
  const dispute = await service.api<{ id: string }>(
    'POST',
    `/api/v1/payments/${payment.id}/disputes`,
    { reason: 'other', note: 'not as agreed' },
  );
  const answer = { answer: 'as agreed' };
  await service.api('POST', `/api/v1/disputes/${dispute.body.id}/reject`, answer);
  await service.advance('2026-01-09T12:00:00Z');
  await moneyOfNobody();
  const profile = { name: 'Alex Moss', email: 'alex@moss.example', notes: 'pays late' };
  const put = await service.api('PUT', `/api/v1/customers/${customerId}`, profile, {
    'idempotency-key': 'profile-1',
  });
  assert.equal(put.status, 200, JSON.stringify(put.body));
  const endpoint = `/api/v1/webhook_endpoints/${service.endpointId}`;
  assert.equal((await service.api('POST', `${endpoint}/rotate`)).status, 200);
}

/** Lets money arrive that belongs to no payment. */
async function moneyOfNobody(): Promise<void> {
  const { platform, service: parts } = service.running;
  const wallet = await service.db.read((tx) =>
    tx.row<{ walletId: string }>('SELECT wallet_id FROM wallets WHERE customer_id = $1', [
      customerId,
    ]),
  );
  const payer = sealPayer(platform.vault, 'mov_1', {
    name: 'Alex Moss',
    sortCode: '200415',
    accountNumber: '38290008',
  });
  const body = {
    kind: 'payin',
    externalReference: `${service.merchantId}/${wallet?.walletId}`,
    movementId: 'mov_1',
    endToEndId: null,
    amountPence: 123,
    at: platform.clock.now().toString(),
    payer,
  };
  await parts.receive({
    source: ISSUER_SOURCE,
    notificationId: 'notice_1',
    body: JSON.stringify(body),
  });
}

const columnsUnder = async (key: string): Promise<string[]> =>
  (await service.db.read((tx) => sealedUnder(tx, key))).map(({ column }) => column).toSorted();

test('what a service seals stands in columns of the table, and in nearly all of them', async () => {
  const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  const found = await columnsUnder('k1');
  assert.deepEqual(
    found.filter((column) => !known.includes(column)),
    [],
  );
  const missing = known.filter((column) => !found.includes(column));
  // This team has no identity provider, nonces last for one journey to the bank, and no agent or operator asked for anything.
  assert.deepEqual(missing, [
    'prepared_acts.inputs',
    'identity_providers.client_secret',
    'consents.nonce',
    'consents.confirm_nonce',
    'operator_requests.wish',
  ]);
});

test('a dry run counts, and changes nothing', async () => {
  const before = await columnsUnder('k1');
  const out = await withRing(K2, K1).does('vault', 'rewrap', '--dry-run');
  assert.match(out, /^merchants.settlement_account: 1 to be encrypted again$/m);
  assert.match(out, /^\d+ values are not encrypted with the first keys$/m);
  assert.deepEqual(await columnsUnder('k1'), before);
});

test('the service works on while everything is sealed again, and loses no change', async () => {
  const url = `/api/v1/customers/${customerId}`;
  const changes = (async () => {
    for (let n = 1; n <= 15; n++) {
      const { status } = await service.api('PUT', url, { name: `Alex ${n}`, notes: `note ${n}` });
      assert.equal(status, 200);
    }
  })();
  const { code, out, err } = await withRing(K2, K1).run('vault', 'rewrap');
  // This service still seals with k1, so what it writes after its column has been read may be left.
  assert.ok(code === 0 || /(still encrypted|keep coming)/.test(err), `${out}${err}`);
  await changes;
  const { body } = await service.api<{ name: string; notes: string }>('GET', url);
  assert.deepEqual([body.name, body.notes], ['Alex 15', 'note 15']);
});

test('when nothing is sealed under a key any more, it retires, and everything opens without it', async () => {
  const out = await withRing(K2, K1).does('vault', 'rewrap');
  assert.match(out, /everything is encrypted with k2; no row is encrypted with another key/);
  assert.deepEqual(await columnsUnder('k1'), []);
  await assert.rejects(withRing(K2).does('audit'), /ENCRYPTION_KEYS has no key k1/);
  assert.match(await withRing(K2, K1).does('keys', 'retire', 'k1'), /k1 is retired/);
  const [id = '', key = ''] = K2.split(/:(.*)/);
  const encryptionKeys = new Map([[id, Buffer.from(key, 'base64')]]);
  const config = { ...service.running.config, encryptionKeys };
  await withPlatform(config, async ({ db, vault, clock }) => {
    const page = { limit: 1, offset: 0 };
    const { data } = await db.read((tx) => listItems(tx, { onlyOpen: false }, page));
    const [item] = data;
    assert.ok(item);
    assert.equal(viewItemInFull(vault, item, clock.now()).payer?.account_number, '38290008');
  });
  assert.match(await withRing(K2).does('vault', 'rewrap'), /^everything is encrypted with k2$/m);
  const { status } = await service.api('GET', `/api/v1/customers/${customerId}`);
  assert.equal(status, 200);
});

test('a login that may not change what is written once is told to be the owner', async () => {
  const login = `rewrap_${randomBytes(4).toString('hex')}`;
  await asOwner(service.db, async (tx) => {
    await tx.run(`CREATE ROLE ${login} LOGIN PASSWORD 'x'`);
    await tx.run(`GRANT recollect_api, recollect_engine TO ${login}`);
  });
  const url = new URL(service.running.config.databaseUrl ?? '');
  url.username = login;
  url.password = 'x';
  const K3 = `k3:${randomBytes(32).toString('base64')}`;
  const servant = withRing(K3, K2).with({ DATABASE_URL: url.href });
  try {
    assert.match(
      await servant.does('vault', 'rewrap', '--dry-run'),
      /are not encrypted with the first keys/,
    );
    const { code, err } = await servant.run('vault', 'rewrap');
    assert.deepEqual(
      [code, err.split(' for vault rewrap')[0]],
      [1, 'recollect: DATABASE_URL must log in as the owner of the tables'],
    );
  } finally {
    await asOwner(service.db, (tx) => tx.run(`DROP ROLE ${login}`));
  }
});
