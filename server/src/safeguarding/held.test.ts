import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startSandboxIssuer } from '../../test-support/sandbox-issuer.ts';
import { type OwnPlatform, ownPlatform } from '../../test-support/slices/platform.ts';
import type { Issuer, IssuerWallet, StatementLine } from '../wallets/issuer.ts';
import type { IssuerBench } from '../wallets/issuer-contract.ts';
import { readHeldAt } from './held.ts';

// The sandbox's issuer over HTTP, whose statement has two pages. Of each test the point is half a minute after the last movement.

let bench: IssuerBench;
let platform: OwnPlatform;
let wallets: IssuerWallet[];
let point: Temporal.Instant;
/** What clients have at the point, by what was paid in. */
let pence = 0;
let orders = 0;

before(async () => {
  [bench, platform] = await Promise.all([startSandboxIssuer(), ownPlatform()]);
  platform.clock.at = Temporal.Instant.from('2026-11-21T10:00:00Z');
  wallets = await Promise.all(['a', 'b', 'c'].map(open));
  await payIn(0, 500_000);
  await Promise.all(Array.from({ length: 26 }, () => move(0, 1, 1, 20)));
});
after(async () => {
  await bench?.close();
  await platform?.drop();
});
beforeEach(async () => {
  point = platform.clock.at.add({ seconds: 30 });
  pence = await held();
  await bench.passTime(60);
  platform.clock.at = platform.clock.at.add({ seconds: 60 });
});

async function open(name: string): Promise<IssuerWallet> {
  const { issuerWalletId } = await bench.issuer.reserveWallet({
    idempotencyKey: `reserve-${name}`,
    externalReference: `mer_1/${name}`,
    holder: { kind: 'person', name },
  });
  return bench.issuer.openWallet(issuerWalletId, `open-${name}`);
}

async function held(): Promise<number> {
  let sum = 0;
  for await (const { currentPence } of bench.issuer.listBalances(bench.today()))
    sum += currentPence;
  return sum;
}

const walletAt = (n: number): IssuerWallet => {
  const wallet = wallets[n];
  assert.ok(wallet);
  return wallet;
};

async function payIn(to: number, amountPence: number): Promise<void> {
  const { account } = walletAt(to);
  assert.ok(account);
  orders += 1;
  await bench.payIn({ ...account, name: 'A' }, amountPence, `in-${orders}`);
}

/** Transfers so many times as much between two wallets. */
async function move(from: number, to: number, amountPence: number, times = 1): Promise<void> {
  const all = Array.from({ length: times }, () => {
    orders += 1;
    return {
      idempotencyKey: `move-${orders}`,
      fromIssuerWalletId: walletAt(from).issuerWalletId,
      toIssuerWalletId: walletAt(to).issuerWalletId,
      amountPence,
      reference: 'T',
    };
  });
  await bench.issuer.transfer(all);
}

/** The issuer, with something that happens before each page of its lists and between them. */
function withTraffic(happens: (list: 'statement' | 'balances') => Promise<void>): Issuer {
  async function* during<T>(name: 'statement' | 'balances', items: AsyncIterable<T>) {
    let n = 0;
    await happens(name);
    for await (const item of items) {
      if (n % 1000 === 999) await happens(name);
      n += 1;
      yield item;
    }
    await happens(name);
  }
  return Object.assign(Object.create(bench.issuer) as Issuer, {
    listStatement: (date: Temporal.PlainDate) =>
      during('statement', bench.issuer.listStatement(date)),
    listBalances: (date: Temporal.PlainDate) => during('balances', bench.issuer.listBalances(date)),
  });
}

test('what is held at the point is read to the penny while money moves between all pages and readings', async () => {
  let moves = 0;
  const busy = withTraffic(async () => {
    moves += 1;
    await payIn(moves % 3, 7 * moves);
    await move(0, 2, 3 + moves * moves);
  });
  assert.deepEqual(await readHeldAt(platform, busy, point), { pence, timingPence: 0 });
  assert.ok(moves > 10);
});

test('a line of before the point that the statement has later counts', async () => {
  let readings = 0;
  const late: Issuer = Object.assign(Object.create(bench.issuer) as Issuer, {
    listBalances: (date: Temporal.PlainDate) => bench.issuer.listBalances(date),
    async *listStatement(date: Temporal.PlainDate): AsyncGenerator<StatementLine> {
      if (date.equals(bench.today())) readings += 1;
      const lines = await Array.fromAsync(bench.issuer.listStatement(date));
      yield* readings === 1 ? lines.slice(0, -1) : lines;
    },
  });
  assert.deepEqual(await readHeldAt(platform, late, point), { pence, timingPence: 0 });
  assert.ok(readings > 2, 'it was read again');
});

test('where nobody can say whether a balance has a movement, what is held is not known', async () => {
  const same = withTraffic(async (list) => {
    if (list === 'balances') await payIn(1, 5);
  });
  assert.deepEqual(await readHeldAt(platform, same, point), {
    unknown: 'money moved at the issuer each time that it was read',
  });
});
