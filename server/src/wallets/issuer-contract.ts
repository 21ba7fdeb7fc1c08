import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { PayeeAnswer } from '../merchants/settlement-account/payee-check.ts';
import {
  type AccountDetails,
  type Issuer,
  IssuerSignatureError,
  IssuerUnavailable,
  type IssuerWallet,
  type Movement,
  type TransferOrder,
} from './issuer.ts';
import { accountOf, payoutOrder, refused, transferOrder } from './issuer-contract-orders.ts';

/** A notification as received. */
export interface RawNotification {
  headers: Record<string, string | string[] | undefined>;
  raw: Buffer;
}

/** An issuer under test, and its surroundings. */
export interface IssuerBench {
  issuer: Issuer;
  /** Makes money arrive from outside. */
  payIn(account: AccountDetails, amountPence: number, endToEndId: string): Promise<void>;
  /** Advances the issuer's business time; everything that falls due has happened when it resolves. */
  passTime(seconds: number): Promise<void>;
  /** What the issuer has sent so far, oldest first. */
  notifications: readonly RawNotification[];
  /** Notifications that the issuer did not send, or long ago, made of a genuine one. */
  forge(genuine: RawNotification): RawNotification[];
  /** The London day that it is. */
  today(): Temporal.PlainDate;
  /** Whether pay-ins are told with the end-to-end id that they were sent with. */
  tellsEndToEndIds: boolean;
  /** Accounts that force an outcome of a payout. */
  destinations: {
    settles: AccountDetails;
    invalid: AccountDetails;
    /** Accepts the payout, but does not respond the first time. */
    noAnswer: AccountDetails;
  };
  /** Accounts whose banks say so of the name; only where `limits.checksPayees`. */
  payees: Record<PayeeAnswer['result'], AccountDetails>;
  close(): Promise<void>;
}

type GetBench = () => IssuerBench;

/**
 * What the service expects of every issuer connector, run against the issuer that `makeIssuer` starts:
 * docs/guides/write-an-issuer-connector.md. What issuers do differently, the connector's limits state.
 */
export function issuerContract(name: string, makeIssuer: () => Promise<IssuerBench>): void {
  describe(`${name} as an issuer`, () => {
    let bench: IssuerBench | undefined;
    before(async () => {
      bench = await makeIssuer();
    });
    after(() => bench?.close());
    const getBench = (): IssuerBench => {
      assert.ok(bench);
      return bench;
    };
    walletPromises(getBench);
    transferPromises(getBench);
    payoutPromises(getBench);
    notificationPromises(getBench);
    bookPromises(getBench);
    payeePromises(getBench);
  });
}

function walletPromises(bench: GetBench): void {
  it('states limits that the service can live with', () => {
    const { limits } = bench().issuer;
    assert.ok(limits.transfersPerCall >= 1 && limits.rate.requests >= 1);
    const { byKey, byReference } = limits.lookUp;
    assert.ok(byKey !== null || byReference !== null, 'an order without an answer is never found');
  });

  it('makes a wallet once for one key, and finds it again by our name', async () => {
    const { issuer } = bench();
    const { reservedFirst, accountAtOnce } = issuer.limits.wallets;
    const reservation = {
      idempotencyKey: randomUUID(),
      externalReference: 'wal_1',
      holder: { kind: 'business', name: 'Fernhill Broadband Ltd' },
    } as const;
    const wallet = await issuer.reserveWallet(reservation);
    assert.equal(wallet.status, reservedFirst ? 'reserved' : 'open');
    assert.equal(wallet.externalReference, 'wal_1');
    assert.equal(wallet.balancePence, 0);
    if (accountAtOnce || wallet.account !== null) {
      assert.equal(wallet.account?.name, 'Fernhill Broadband Ltd');
      assert.match(`${wallet.account?.sortCode}${wallet.account?.accountNumber}`, /^\d{14}$/);
    }
    assert.deepEqual(await issuer.reserveWallet(reservation), wallet);
    const other = { ...reservation, externalReference: 'wal_2' };
    await assert.rejects(issuer.reserveWallet(other), refused('idempotency_conflict'));
    assert.deepEqual(await issuer.findWallet('wal_1'), wallet);
    assert.equal(await issuer.findWallet('wal_3'), null);
  });

  it('gives a wallet back the name it was made with, as long as ours are', async () => {
    const { issuer } = bench();
    const externalReference = `mer_${'0Ab'.repeat(7)}z/wal_${'9yZ'.repeat(7)}z`;
    const holder = { kind: 'person', name: 'Ada Smith' } as const;
    const idempotencyKey = randomUUID();
    const made = await issuer.reserveWallet({ idempotencyKey, externalReference, holder });
    const { issuerWalletId } = made;
    assert.equal((await issuer.readWallet(issuerWalletId)).externalReference, externalReference);
    const found = await issuer.findWallet(externalReference);
    assert.equal(found?.issuerWalletId, issuerWalletId);
  });

  it('opens, reads and closes a wallet, each as often as asked', async () => {
    const { issuer } = bench();
    const { issuerWalletId } = await openWallet(bench());
    assert.equal((await issuer.openWallet(issuerWalletId, randomUUID())).status, 'open');
    await issuer.closeWallet(issuerWalletId, 'close-1');
    await issuer.closeWallet(issuerWalletId, 'close-1');
    await issuer.closeWallet(issuerWalletId, 'close-2');
    assert.equal((await issuer.readWallet(issuerWalletId)).status, 'closed');
    await assert.rejects(issuer.openWallet(issuerWalletId, 'open-2'), refused('wallet_closed'));
    await assert.rejects(issuer.readWallet('nothing'), refused('unknown_wallet'));
  });

  it('does not close a wallet that holds money', async () => {
    const wallet = await openWallet(bench(), 1);
    const closing = bench().issuer.closeWallet(wallet.issuerWalletId, randomUUID());
    await assert.rejects(closing, refused('wallet_not_empty'));
  });
}

function transferPromises(bench: GetBench): void {
  it('gives each transfer of a batch its own outcome, once for one key', async () => {
    const { issuer } = bench();
    const [from, to] = [await openWallet(bench(), 500), await openWallet(bench())];
    const small = transferOrder(from, to, 400);
    const large = transferOrder(from, to, 101);
    const first = await outcomesOf(bench(), [small, large]);
    assert.equal(first.get(small.idempotencyKey)?.status, 'settled');
    const failed = first.get(large.idempotencyKey);
    assert.deepEqual([failed?.status, failed?.error === null], ['failed', false]);
    assert.deepEqual(await issuer.transfer([small, large]), first);
    assert.equal((await issuer.readWallet(to.issuerWalletId)).balancePence, 400);
    const conflict = await issuer.transfer([
      { ...small, amountPence: 1 },
      transferOrder(to, from, 1),
    ]);
    assert.equal(conflict.has(small.idempotencyKey), false);
    assert.equal(conflict.size, 1);
    assert.equal((await issuer.transfer([])).size, 0);
  });

  it('finds every movement again: by key, by id, by reference and in the order they were made', async () => {
    const { issuer, passTime } = bench();
    const [from, to] = [await openWallet(bench(), 1_200), await openWallet(bench())];
    await passTime(1);
    const length = Math.min(1_100, 2 * issuer.limits.transfersPerCall + 50);
    const orders = Array.from({ length }, () => transferOrder(from, to, 1));
    const made = await outcomesOf(bench(), orders);
    assert.equal(made.size, length);
    const { idempotencyKey } = orders[0] as TransferOrder;
    const movement = await issuer.findMovement(idempotencyKey);
    assert.deepEqual(movement, made.get(idempotencyKey));
    assert.deepEqual(await issuer.readMovement(movement?.movementId ?? ''), movement);
    assert.equal(await issuer.findMovement('never used'), null);
    await assert.rejects(issuer.readMovement('nothing'), refused('unknown_movement'));
    const since = Temporal.Instant.from('2020-01-01T00:00:00Z');
    const keysOf = (some: readonly { idempotencyKey: string | null }[]) =>
      some.map((one) => one.idempotencyKey).sort();
    const listed = await Array.fromAsync(issuer.listMovements(from.issuerWalletId, since));
    assert.equal(listed[0]?.kind, 'payin');
    assert.deepEqual(keysOf(listed.slice(1)), keysOf(orders));
    const named = await issuer.findByReference(from.issuerWalletId, 'pay_1', since);
    assert.deepEqual(keysOf(named), keysOf(orders));
    assert.deepEqual(await issuer.findByReference(from.issuerWalletId, 'pay_2', since), []);
    const later = movement?.createdAt.add({ hours: 1 }) ?? since;
    for await (const one of issuer.listMovements(from.issuerWalletId, later)) assert.fail(one.kind);
  });
}

function payoutPromises(bench: GetBench): void {
  it('takes a payout at once and settles it later', async () => {
    const { issuer, destinations, passTime } = bench();
    const wallet = await openWallet(bench(), 300);
    const order = payoutOrder(wallet, destinations.settles, 300);
    const taken = await issuer.payOut(order);
    assert.equal(taken.status, 'pending');
    assert.equal(taken.completedAt, null);
    assert.deepEqual(taken.destination, destinations.settles);
    assert.equal((await issuer.readWallet(wallet.issuerWalletId)).balancePence, 0);
    await passTime(60);
    const settled = await issuer.payOut(order);
    assert.deepEqual([settled.movementId, settled.status], [taken.movementId, 'settled']);
    const other = { ...order, amountPence: 1 };
    await assert.rejects(issuer.payOut(other), refused('idempotency_conflict'));
  });

  it('returns the money of a payout that fails', async () => {
    const { issuer, destinations, passTime } = bench();
    const wallet = await openWallet(bench(), 300);
    const taken = await issuer.payOut(payoutOrder(wallet, destinations.invalid, 200));
    await passTime(60);
    const failed = await issuer.readMovement(taken.movementId);
    assert.deepEqual([failed.status, failed.error === null], ['failed', false]);
    assert.equal((await issuer.readWallet(wallet.issuerWalletId)).balancePence, 300);
    const tooMuch = await issuer.payOut(payoutOrder(wallet, destinations.settles, 301));
    assert.deepEqual([tooMuch.status, tooMuch.error === null], ['failed', false]);
  });

  it('says that an outcome is unknown, and tells it when asked again', async () => {
    const { issuer, destinations } = bench();
    const wallet = await openWallet(bench(), 300);
    const order = payoutOrder(wallet, destinations.noAnswer, 300);
    await assert.rejects(issuer.payOut(order), IssuerUnavailable);
    const found = await issuer.findMovement(order.idempotencyKey);
    assert.equal(found?.status, 'pending');
    assert.deepEqual(await issuer.payOut(order), found);
  });
}

function notificationPromises(bench: GetBench): void {
  it('tells of pay-ins and of payouts that have their outcome', async () => {
    const { issuer, destinations, passTime } = bench();
    const wallet = await openWallet(bench());
    const endToEndId = randomUUID().slice(0, 30);
    await bench().payIn(accountOf(wallet), 300, endToEndId);
    const taken = await issuer.payOut(payoutOrder(wallet, destinations.settles, 100));
    await passTime(60);
    const parsed = await Promise.all(
      bench().notifications.map(({ headers, raw }) => issuer.parseNotification(headers, raw)),
    );
    const told = parsed
      .filter((one) => one !== null)
      .filter((one) => one.issuerWalletId === wallet.issuerWalletId);
    const payIn = told.find((one) => one.kind === 'payin.received');
    assert.equal(payIn?.externalReference, wallet.externalReference);
    assert.equal(payIn?.payIn.amountPence, 300);
    assert.equal(payIn?.payIn.endToEndId, bench().tellsEndToEndIds ? endToEndId : null);
    const changed = told.find((one) => one.kind === 'movement.changed');
    assert.deepEqual(changed?.movement, await issuer.readMovement(taken.movementId));
    assert.equal(new Set(told.map((one) => one.eventId)).size, told.length);
  });

  it('believes only what the issuer signed, and lately', async () => {
    const { issuer, passTime } = bench();
    await openWallet(bench(), 1);
    await passTime(1);
    const genuine = bench().notifications[0];
    assert.ok(genuine);
    assert.ok((await issuer.parseNotification(genuine.headers, genuine.raw))?.eventId);
    const forged = bench().forge(genuine);
    assert.ok(forged.length > 0);
    for (const { headers, raw } of forged)
      await assert.rejects(issuer.parseNotification(headers, raw), IssuerSignatureError);
  });
}

function bookPromises(bench: GetBench): void {
  it('lists every booking of a day on its wallet, with the key of its order, and what wallets hold', async () => {
    const { issuer, destinations, passTime, today } = bench();
    const [from, to] = [await openWallet(bench(), 500), await openWallet(bench())];
    const transfer = transferOrder(from, to, 200);
    await outcomesOf(bench(), [transfer]);
    const payOut = payoutOrder(from, destinations.settles, 100);
    await issuer.payOut(payOut);
    await passTime(60);
    const ids = [from.issuerWalletId, to.issuerWalletId];
    const lines = (await Array.fromAsync(issuer.listStatement(today()))).filter((line) =>
      ids.includes(line.issuerWalletId),
    );
    const named = lines.map(({ externalReference, kind, direction, amountPence, ...line }) => {
      const wallet = externalReference === from.externalReference ? 'from' : 'to';
      return [wallet, kind, direction, amountPence, line.idempotencyKey].join(' ');
    });
    assert.deepEqual(named.sort(), [
      'from payin credit 500 ',
      `from payout debit 100 ${payOut.idempotencyKey}`,
      `from transfer debit 200 ${transfer.idempotencyKey}`,
      `to transfer credit 200 ${transfer.idempotencyKey}`,
    ]);
    const balances = (await Array.fromAsync(issuer.listBalances(today())))
      .filter((one) => ids.includes(one.issuerWalletId))
      .map(({ externalReference, currentPence }) => [externalReference, currentPence]);
    assert.deepEqual(
      new Map(balances as [string, number][]),
      new Map([
        [from.externalReference, 200],
        [to.externalReference, 200],
      ]),
    );
  });
}

function payeePromises(bench: GetBench): void {
  it('says of a name whether it is the account holder’s, and whose it is on a close match alone', async (t) => {
    const { issuer, payees } = bench();
    if (!issuer.limits.checksPayees) return t.skip('it checks no names');
    const { issuerWalletId } = await openWallet(bench());
    for (const [expected, account] of Object.entries(payees)) {
      const { result, bankName } = await issuer.checkPayee(account, issuerWalletId);
      assert.deepEqual([result, bankName !== null], [expected, expected === 'close_match']);
      assert.notEqual(bankName, account.name);
    }
  });
}

/** Makes transfers in calls as large as the issuer takes, and returns them as they ended. */
async function outcomesOf(
  { issuer, passTime }: IssuerBench,
  orders: readonly TransferOrder[],
): Promise<Map<string, Movement>> {
  const ask = async (): Promise<Map<string, Movement>> => {
    const made = new Map<string, Movement>();
    const { transfersPerCall } = issuer.limits;
    for (let start = 0; start < orders.length; start += transfersPerCall)
      for (const one of await issuer.transfer(orders.slice(start, start + transfersPerCall)))
        made.set(...one);
    return made;
  };
  const first = await ask();
  if (![...first.values()].some(({ status }) => status === 'pending')) return first;
  assert.ok(issuer.limits.transfersMayBePending);
  await passTime(60);
  return ask();
}

async function openWallet(bench: IssuerBench, balancePence = 0): Promise<IssuerWallet> {
  const reserved = await bench.issuer.reserveWallet({
    idempotencyKey: randomUUID(),
    externalReference: `wal_${randomUUID()}`,
    holder: { kind: 'person', name: 'Ada Smith' },
  });
  const wallet = await bench.issuer.openWallet(reserved.issuerWalletId, randomUUID());
  if (balancePence > 0) await bench.payIn(accountOf(wallet), balancePence, 'e2e-opening');
  return wallet;
}
