import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Bank } from '../../server/src/banks/bank.ts';
import type { BankDriver } from '../../server/src/banks/bank-journey.ts';
import { openModulr } from '../../server/src/banks/modulr/connector.ts';
import { openBankingBank } from '../../server/src/banks/open-banking/connector.ts';
import { beginAuthorisation } from '../../server/src/consents/begin-authorisation.ts';
import { completeAuthorisation } from '../../server/src/consents/complete-authorisation.ts';
import { readLink } from '../../server/src/consents/service.ts';
import { assertLaws, kindsOf, paymentsOf, settlementsOf } from '../../server/test-support/books.ts';
import type { Arrival } from '../../server/test-support/fake-issuer.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { FAKE_KEY, FakeModulr } from '../../server/test-support/modulr/fake-modulr.ts';
import { startSandboxBank } from '../../server/test-support/sandbox-bank.ts';
import { sandboxDriver } from '../../server/test-support/sandbox-customer.ts';
import { openTrueLayerBench } from '../../server/test-support/truelayer/bench.ts';

// The same schedule, collected at a bank itself and through both aggregators: what a merchant sees of it is the same.

const START = '2026-01-05T09:30:00Z';
const BASE_URL = 'https://recollect.example';
const RETURN = `${BASE_URL}/consent/callback`;

/** One way to a bank, and what has arrived from there. */
interface Way {
  bank: Bank;
  agree: BankDriver['agree'];
  arrived(): Arrival[];
  close(): Promise<unknown>;
}
type Open = (now: () => Temporal.Instant) => Promise<Way>;

const openDirect: Open = async () => {
  const registered = { redirect_uris: [RETURN] };
  const sandbox = await startSandboxBank(registered, null, { start_at: START });
  const bank = await openBankingBank(sandbox.config('northbank'));
  const { agree } = sandboxDriver({ ...sandbox, redirectUri: RETURN }, 'northbank');
  interface Credit {
    end_to_end_id: string;
    amount: { value: number };
    creditor: { account_number: string };
  }
  return {
    bank,
    agree,
    arrived: () =>
      (sandbox.credits as Credit[]).map(({ end_to_end_id, amount, creditor }) => ({
        endToEndId: end_to_end_id,
        amountPence: amount.value,
        creditor: creditor.account_number,
      })),
    close: async () => {
      await bank.close();
      await sandbox.close();
    },
  };
};

const openThroughModulr: Open = async (now) => {
  const fake = new FakeModulr(now);
  const { vrp } = fake.books;
  const connection = openModulr(
    {
      ...FAKE_KEY,
      bankId: 'modulr',
      baseUrl: await fake.start(),
      vrpType: 'UK.OBIE.VRPType.CVRP1',
      merchantCategoryCode: '4899',
      confirmsFunds: true,
      requests: 8000,
      sandbox: true,
    },
    now,
  );
  return {
    bank: connection.bank('H210000043', 'Sandbox Bank'),
    agree: async (url, customer) => {
      vrp.decide(url, customer, true);
      return '';
    },
    arrived: () => {
      vrp.settle();
      return [...vrp.payments.values()]
        .filter(({ status }) => status === 'ACCEPTEDCREDITSETTLEMENTCOMPLETED')
        .map(({ pence, consent }) => ({
          endToEndId: '',
          amountPence: pence,
          creditor: (consent.asked.destination as { accountNumber: string }).accountNumber,
        }));
    },
    close: async () => {
      await connection.close();
      await fake.close();
    },
  };
};

const openThroughTrueLayer: Open = async (now) => {
  const { fake, connection, driver, close } = await openTrueLayerBench(now);
  const arrivals: Arrival[] = [];
  fake.vrp.onCredit = (creditor, amountPence) =>
    arrivals.push({ endToEndId: '', amountPence, creditor });
  return {
    bank: connection.bank('ob-rowan', 'Rowan Bank'),
    agree: driver.agree,
    arrived: () => {
      fake.vrp.execute();
      return arrivals;
    },
    close,
  };
};

/** What a merchant sees of a schedule. */
type Seen = Awaited<ReturnType<typeof live>>;

/** Lives through a schedule: the customer agrees, its first amount is collected, and paid out. */
async function live(open: Open) {
  let h: Harness | null = null;
  const now = (): Temporal.Instant => h?.clock.at ?? Temporal.Instant.from(START);
  const way = await open(now);
  const opened = await openHarness(START, { baseUrl: BASE_URL }, { bank: () => way.bank });
  h = opened;
  after(async () => {
    await way.close();
    await opened.close();
  });
  const customer = { type: 'phone', value: '+447700900123', name: 'Ada Moss' };
  const created = await opened.create({ start_date: '2026-01-05T10:30:00Z', customer });
  assert.equal(await agree(opened, way, created.consent_url), 'granted');
  await passUntilPaid(opened, way, created.id);
  await opened.runUntil('2026-01-08T12:00:00Z');
  await assertLaws(opened);
  const payments = await paymentsOf(opened, created.id);
  return {
    status: (await opened.show(created.id)).status,
    payments: payments.map(({ status, amount, attempts }) => ({
      status,
      amount,
      attempts: attempts.map((one) => one.status),
    })),
    settled: (await settlementsOf(opened)).map(({ status, amount }) => ({ status, amount })),
    events: await kindsOf(opened, created.id),
    arrived: way.arrived().map(({ amountPence }) => amountPence),
  };
}

/** The customer opens the link, goes to the bank, agrees there and comes back. */
async function agree(h: Harness, { bank, agree }: Way, link = ''): Promise<string> {
  const consent = await readLink(h.platform, link.split('/').at(-1) ?? '');
  assert.ok(consent);
  const { authorisation } = h.service;
  const visitor = { ip: '192.0.2.1', userAgent: 'test' };
  const shown = { ...consent, limitsOf: bank.bankId };
  const begun = await beginAuthorisation(authorisation, shown, bank, visitor);
  assert.ok('url' in begun);
  const fragment = await agree(begun.url, 'ordinary');
  return (await completeAuthorisation(authorisation, begun.state, fragment)).outcome;
}

/** Moves the clock on while the banks, one of which keeps real time, pay what was ordered. */
async function passUntilPaid(h: Harness, { arrived }: Way, scheduleId: string): Promise<void> {
  await h.runUntil('2026-01-05T10:30:00Z');
  let booked = 0;
  for (let minute = 0; minute < 100; minute += 1) {
    for (const arrival of arrived().slice(booked)) {
      h.issuer.payIn(arrival);
      booked += 1;
    }
    await h.runUntil(h.clock.at.add({ minutes: 1 }));
    const [payment] = await paymentsOf(h, scheduleId);
    if (payment?.status === 'success') return;
    await wait(100);
  }
  throw new Error('the payment did not succeed');
}

const WAYS: readonly [name: string, open: Open][] = [
  ['at the bank itself', openDirect],
  ['through Modulr', openThroughModulr],
  ['through TrueLayer', openThroughTrueLayer],
];

const EXPECTED: Partial<Seen> = {
  status: 'active',
  payments: [
    { status: 'success', amount: { value: 4999, currency: 'GBP' }, attempts: ['success'] },
  ],
  arrived: [4999],
};

const seen: Seen[] = [];
for (const [name, open] of WAYS)
  test(`a schedule is agreed to, collected and paid out ${name}`, async () => {
    const lived = await live(open);
    seen.push(lived);
    assert.deepEqual({ ...lived, ...EXPECTED }, lived);
  });

test('what the merchant sees is the same each way', () => {
  const [direct, ...others] = seen;
  assert.equal(others.length, 2);
  for (const other of others) assert.deepEqual(other, direct);
});
