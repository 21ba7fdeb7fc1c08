import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, before, beforeEach, test } from 'node:test';
import { openStore, type Store } from '../store.ts';
import { openBooks } from './books.ts';
import { completeMovements } from './completions.ts';
import { DESTINATIONS } from './destinations.ts';
import { nextOutgoingAt, sendOutgoing } from './outgoing.ts';
import { receivePayment } from './payins.ts';
import { acceptPayout } from './payouts.ts';
import { ISSUER_SCHEMA } from './schema.ts';
import { openWallet, reserveWallet, type WalletRow } from './wallets.ts';

const AT = '2026-11-21T10:00:00.000Z';
const LATER = Temporal.Instant.from('2026-11-21T10:00:10Z');
const ALEX = '10000011';
const SECRET = 'between institutions';

let status = 200;
const received: { amount: { value: number }; creditor: object; debtor: { name: string } }[] = [];
const bank = createServer(async (request, response) => {
  assert.equal(request.headers.authorization, `Bearer ${SECRET}`);
  received.push((await json(request)) as (typeof received)[number]);
  response.writeHead(status).end('{}');
});
let url: string;
let store: Store;
let wallet: WalletRow;

before(async () => {
  await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`;
});
after(() => {
  bank.closeAllConnections();
  bank.close();
});
beforeEach(() => {
  status = 200;
  received.length = 0;
  store = openStore(':memory:', ISSUER_SCHEMA);
  openBooks(store);
  const holder = { kind: 'business', name: 'Fern Gardens' } as const;
  const reserved = reserveWallet(store, 'reserve', { externalReference: 'mer', holder }, AT);
  wallet = openWallet(store, 'open', reserved.wallet_id, AT);
  const { sort_code, account_number } = wallet;
  receivePayment(
    store,
    {
      payment_id: 'pay',
      end_to_end_id: 'pay',
      reference: 'REF',
      amount: { value: 5000, currency: 'GBP' },
      creditor: { sort_code, account_number, name: 'Fern Gardens' },
      debtor: { sort_code: '991001', account_number: ALEX, name: 'Alex Morgan' },
    },
    AT,
  );
});

/** Pays an amount out to an account, and lets it settle. */
function payOut(accountNumber: string): void {
  const destination = { sort_code: '991001', account_number: accountNumber, name: 'Alex Morgan' };
  const amount = { value: 1500, currency: 'GBP' };
  const order = { from: wallet.wallet_id, destination, amount, reference: 'REFUND' };
  acceptPayout(store, 'key', order, Temporal.Instant.from(AT));
  completeMovements(store, LATER.toString({ fractionalSecondDigits: 3 }));
}

const send = (at: Temporal.Instant): Promise<void> =>
  sendOutgoing(store, { url, secret: SECRET }, at);

test('a pay-out that settled reaches the account at its bank, once', async () => {
  payOut(ALEX);
  await send(LATER);
  await send(LATER);
  assert.deepEqual(
    received.map(({ amount, debtor }) => [amount.value, debtor.name]),
    [[1500, 'Fern Gardens']],
  );
  assert.equal(nextOutgoingAt(store), null);
});

test('a bank that does not take it is tried again with backoff, and one without the account is not', async () => {
  payOut(ALEX);
  status = 503;
  await send(LATER);
  assert.equal(nextOutgoingAt(store), '2026-11-21T10:00:40.000Z');
  await send(LATER);
  assert.equal(received.length, 1, 'not before it is due');
  status = 404;
  await send(LATER.add({ seconds: 30 }));
  assert.deepEqual([received.length, nextOutgoingAt(store)], [2, null]);
});

for (const account of [DESTINATIONS.invalidAccount, DESTINATIONS.comesBackAtFirst])
  test(`a pay-out to ${account}, which fails or comes back, pays nothing there`, () => {
    payOut(account);
    assert.equal(nextOutgoingAt(store), null);
  });
