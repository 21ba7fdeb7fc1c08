import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { request } from 'undici';
import { Wire } from '../../chaos/wire.ts';
import { CUSTOMER } from '../../server/test-support/modulr/bench.ts';
import {
  FAKE_KEY,
  FakeModulr,
  WEBHOOK_SECRET,
} from '../../server/test-support/modulr/fake-modulr.ts';
import type { LiveWorld } from './live-world.ts';

const SETTLE_EVERY_MS = 100;

/** The fake Modulr as the issuer of a live world: the bank's payments arrive there, and its notifications at the service. */
export interface LiveModulr {
  fake: FakeModulr;
  /** What the service needs to be told. */
  settings: Record<string, string>;
  close(): Promise<void>;
}

interface FasterPayment {
  amount: { value: number };
  creditor: { account_number: string };
  debtor: { sort_code: string; account_number: string; name: string };
}

/** Starts it, and leads the sandbox bank's payments to it. */
export async function startLiveModulr({
  clock,
  folder,
  partners,
  ports,
}: LiveWorld): Promise<LiveModulr> {
  const now = (): Temporal.Instant => clock.now();
  const fake = new FakeModulr(now, now);
  const url = new URL(await fake.start());
  const { serverCert, serverKey } = folder.certificates;
  const tls = { cert: await readFile(serverCert), key: await readFile(serverKey) };
  const wire = await Wire.open([Number(url.port)], tls);
  fake.onSent = ({ headers, raw }) => {
    const told = request(`http://127.0.0.1:${ports[0]}/notifications/issuer`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: raw,
    });
    // One that is lost is asked for.
    void told.then(({ body }) => body.dump()).catch(() => undefined);
  };
  const fasterPayments = createServer(async (incoming, response) => {
    const { amount, creditor, debtor } = (await json(incoming)) as FasterPayment;
    const accounts = [...fake.books.accounts.values()];
    const account = accounts.find((one) => one.accountNumber === creditor.account_number);
    const payer = {
      name: debtor.name,
      sortCode: debtor.sort_code,
      accountNumber: debtor.account_number,
    };
    if (account !== undefined) fake.books.credit(account, amount.value, { type: 'PI_FAST', payer });
    response.writeHead(account === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ accepted: account !== undefined }));
  });
  await new Promise<void>((done) => fasterPayments.listen(0, '127.0.0.1', done));
  partners.wires.creditor.leadTo((fasterPayments.address() as AddressInfo).port);
  const timer = setInterval(() => fake.books.settle(), SETTLE_EVERY_MS);
  return {
    fake,
    settings: {
      ISSUER: 'modulr',
      ISSUER_URL: `https://localhost:${wire.port}${url.pathname}`,
      ISSUER_KEY_ID: FAKE_KEY.keyId,
      ISSUER_SECRET: FAKE_KEY.secret,
      ISSUER_NOTIFICATION_SECRET: WEBHOOK_SECRET,
      MODULR_CUSTOMER_ID: CUSTOMER,
    },
    async close() {
      clearInterval(timer);
      wire.close();
      fasterPayments.closeAllConnections();
      fasterPayments.close();
      await fake.close();
    },
  };
}
