import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { BankConfig } from '../config.ts';
import type { Account } from './books.ts';
import { sendFasterPayment } from './faster-payments.ts';
import type { Payment } from './payments.ts';

const PAYMENT = {
  payment_id: 'pmt-1',
  amount_pence: 4999,
  request: {
    Data: {
      Initiation: {},
      Instruction: {
        EndToEndIdentification: 'e2e-1',
        CreditorAccount: { Identification: '04000412345678', Name: 'Wallet' },
      },
    },
  },
} as Payment;
const ACCOUNT = { sort_code: '100000', account_number: '10000011', holder: 'Alex' } as Account;

/** Starts an institution that closes the first connections without an answer; returns how often it was asked. */
async function institutionThatCloses(t: TestContext, closes: number) {
  let asked = 0;
  const server = createServer((incoming, response) => {
    if (++asked <= closes) incoming.socket.destroy();
    else response.end(JSON.stringify({ accepted: true }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const config = { faster_payments: { url: `http://127.0.0.1:${port}/`, secret: 's' } };
  return { config: config as BankConfig, asked: () => asked };
}

test('a payment whose connection is closed is sent once more at once', async (t) => {
  const { config, asked } = await institutionThatCloses(t, 1);
  assert.deepEqual(await sendFasterPayment(config, PAYMENT, ACCOUNT), { kind: 'credited' });
  assert.equal(asked(), 2);
});

test('a payment whose connection is closed again is not known to have arrived', async (t) => {
  const { config, asked } = await institutionThatCloses(t, 9);
  const { kind } = await sendFasterPayment(config, PAYMENT, ACCOUNT);
  assert.deepEqual([kind, asked()], ['unknown', 2]);
});
