import type { PayeeAnswer } from '../src/merchants/settlement-account/payee-check.ts';
import { orNotFound } from '../src/platform/values/errors.ts';
import {
  type AccountDetails,
  type Issuer,
  type IssuerBalance,
  IssuerRefused,
  IssuerUnavailable,
  type IssuerWallet,
  type Movement,
  type StatementLine,
  type TransferOrder,
} from '../src/wallets/issuer.ts';
import { PROTOCOL_LIMITS } from '../src/wallets/issuer-http.ts';
import type { IssuerLimits } from '../src/wallets/issuer-limits.ts';
import { movementOf } from './fake-movement.ts';

/** Money that a bank sends to a wallet's account; `creditor` is the number of that account. */
export interface Arrival {
  endToEndId: string;
  amountPence: number;
  creditor: string;
}

/** The account for cover of recalled pay-ins: the only one that is not a wallet. */
const RECALLS = 'recalls';
/** A wallet, which has its account at once. */
export type WalletWithAccount = IssuerWallet & { account: AccountDetails };

interface FakeWallet {
  wallet: WalletWithAccount;
  movements: Movement[];
}

/** An in-memory e-money issuer behind the port. */
export class FakeIssuer implements Issuer {
  readonly wallets = new Map<string, FakeWallet>();
  /** The orders, by idempotency key. */
  readonly orders = new Map<string, Movement>();
  /** Pay-outs fail with this code; null: they settle. */
  payOutError: string | null = null;
  /** Pay-outs stay pending until the test ends them. */
  slowPayOuts = false;
  /** Transfers fail with this code; null: they settle. */
  transferError: string | null = null;
  /** Executes the order, then loses the response. */
  losesAnswers = false;
  down = false;
  limits: IssuerLimits = { ...PROTOCOL_LIMITS, transfersMayBePending: false };
  /** What it says of every name. */
  payeeAnswer: PayeeAnswer = { result: 'match', reason: null, bankName: null, evidence: 'chk-1' };
  /** Pay-ins do not say who has paid. */
  hidesPayers = false;
  /** Notifies of pay-ins, as the real issuer does; null: no notification. */
  onPayIn: ((wallet: IssuerWallet, movement: Movement) => void) | null = null;
  /** Notifies of money that was taken back. */
  onTakenBack:
    | ((wallet: IssuerWallet, kind: 'returned' | 'recalled', back: Movement) => void)
    | null = null;
  readonly now: () => Temporal.Instant;
  #arrivals = 0;

  constructor(now: () => Temporal.Instant) {
    this.now = now;
  }

  #answer(): void {
    if (this.down) throw new IssuerUnavailable('the issuer is down');
  }

  #wallet(id: string): FakeWallet {
    return orNotFound(this.wallets.get(id) ?? null, `wallet ${id}`);
  }

  async reserveWallet(r: Parameters<Issuer['reserveWallet']>[0]): Promise<WalletWithAccount> {
    this.#answer();
    const issuerWalletId = `iw-${r.idempotencyKey}`;
    const known = this.wallets.get(issuerWalletId);
    if (known?.wallet.account.name === r.holder.name) return known.wallet;
    if (known !== undefined) throw new IssuerRefused('idempotency_conflict', r.idempotencyKey);
    const accountNumber = String(10_000_000 + this.wallets.size);
    const wallet: WalletWithAccount = {
      issuerWalletId,
      status: 'reserved',
      externalReference: r.externalReference,
      account: { sortCode: '040099', accountNumber, name: r.holder.name },
      balancePence: 0,
    };
    this.wallets.set(issuerWalletId, { wallet, movements: [] });
    return wallet;
  }

  async findWallet(externalReference: string): Promise<IssuerWallet | null> {
    this.#answer();
    const all = [...this.wallets.values()].map(({ wallet }) => wallet);
    return all.find((one) => one.externalReference === externalReference) ?? null;
  }

  async openWallet(id: string): Promise<WalletWithAccount> {
    this.#answer();
    const { wallet } = this.#wallet(id);
    wallet.status = 'open';
    return wallet;
  }

  async closeWallet(id: string): Promise<void> {
    this.#answer();
    this.#wallet(id).wallet.status = 'closed';
  }

  async readWallet(id: string): Promise<WalletWithAccount> {
    this.#answer();
    return this.#wallet(id).wallet;
  }

  /** Returns the account that pays into a wallet's account: each customer has their own. */
  payerOf(creditor: string): AccountDetails | null {
    const accountNumber = String(60_872_489 + Number(creditor));
    return this.hidesPayers ? null : { sortCode: '040004', accountNumber, name: 'Ada Moss' };
  }

  /** Records money from a bank; a repeated end-to-end id is a second payment. */
  payIn(payment: Arrival): Movement {
    const found = [...this.wallets.values()].find(
      (w) => w.wallet.account.accountNumber === payment.creditor,
    );
    if (found?.wallet.status !== 'open') throw new Error('money for nobody');
    this.#arrivals += 1;
    const movement = movementOf(this.now(), 'payin', `in-${this.#arrivals}`, payment.amountPence, {
      idempotencyKey: null,
      toIssuerWalletId: found.wallet.issuerWalletId,
      endToEndId: payment.endToEndId,
      payer: this.payerOf(payment.creditor),
    });
    found.wallet.balancePence += payment.amountPence;
    found.movements.push(movement);
    this.onPayIn?.(found.wallet, movement);
    return movement;
  }

  #lose(): void {
    if (this.losesAnswers) throw new IssuerUnavailable('the connection was lost');
  }

  async transfer(orders: readonly TransferOrder[]): Promise<Map<string, Movement>> {
    this.#answer();
    const made = new Map(orders.map((order) => [order.idempotencyKey, this.#transfer(order)]));
    this.#lose();
    return made;
  }

  #transfer(order: TransferOrder): Movement {
    const known = this.orders.get(order.idempotencyKey);
    if (known !== undefined) return known;
    const from = this.#wallet(order.fromIssuerWalletId);
    const to = this.#wallet(order.toIssuerWalletId);
    const code =
      from.wallet.balancePence >= order.amountPence ? this.transferError : 'insufficient_funds';
    if (code === null) {
      from.wallet.balancePence -= order.amountPence;
      to.wallet.balancePence += order.amountPence;
    }
    const movement = movementOf(this.now(), 'transfer', order.idempotencyKey, order.amountPence, {
      fromIssuerWalletId: order.fromIssuerWalletId,
      toIssuerWalletId: order.toIssuerWalletId,
      reference: order.reference,
      ...(code === null ? {} : { status: 'failed', error: { code, message: '' } }),
    });
    this.orders.set(order.idempotencyKey, movement);
    for (const { movements } of [from, to]) movements.push(movement);
    return movement;
  }

  async payOut(order: Parameters<Issuer['payOut']>[0]): Promise<Movement> {
    this.#answer();
    const known = this.orders.get(order.idempotencyKey);
    if (known !== undefined) return { ...known };
    const movement = movementOf(this.now(), 'payout', order.idempotencyKey, order.amountPence, {
      fromIssuerWalletId: order.fromIssuerWalletId,
      destination: order.destination,
      reference: order.reference,
      status: 'pending',
      completedAt: null,
    });
    const from = this.#wallet(order.fromIssuerWalletId);
    from.wallet.balancePence -= order.amountPence;
    from.movements.push(movement);
    this.orders.set(order.idempotencyKey, movement);
    if (!this.slowPayOuts) this.endPayOut(order.idempotencyKey, this.payOutError);
    this.#lose();
    return { ...movement };
  }

  /** Ends a pay-out: it reaches its account, or fails with the code. */
  endPayOut(idempotencyKey: string, code: string | null): void {
    const movement = this.orders.get(idempotencyKey);
    if (movement?.status !== 'pending')
      throw new Error(`no pay-out ${idempotencyKey} is under way`);
    movement.status = code === null ? 'settled' : 'failed';
    movement.completedAt = this.now();
    if (code === null) return;
    movement.error = { code, message: 'refused' };
    this.#wallet(movement.fromIssuerWalletId ?? '').wallet.balancePence += movement.amountPence;
  }

  /** Returns a settled pay-out, whole or less a charge. */
  comeBack(idempotencyKey: string, amountPence?: number): Movement {
    const paid = this.orders.get(idempotencyKey);
    if (paid?.status !== 'settled') throw new Error(`${idempotencyKey} has not settled`);
    const { wallet, movements } = this.#wallet(paid.fromIssuerWalletId ?? '');
    const back = movementOf(
      this.now(),
      'payout_return',
      `back-${idempotencyKey}`,
      amountPence ?? paid.amountPence,
      {
        idempotencyKey: null,
        toIssuerWalletId: wallet.issuerWalletId,
        originalMovementId: paid.movementId,
      },
    );
    wallet.balancePence += back.amountPence;
    movements.push(back);
    this.onTakenBack?.(wallet, 'returned', back);
    return back;
  }

  /** Pays money out of a wallet by hand, under a key that is not ours; returns the key. */
  payOutByHand(id: string, amountPence: number): string {
    const { wallet, movements } = this.#wallet(id);
    const key = `by-hand-${movements.length}`;
    const paid = movementOf(this.now(), 'payout', key, amountPence, { fromIssuerWalletId: id });
    movements.push(paid);
    this.orders.set(key, paid);
    wallet.balancePence -= amountPence;
    return key;
  }

  /** Recalls a pay-in, or a part of it, for the payer's bank; the issuer pays, and claims cover. */
  recall(payIn: Movement, amountPence = payIn.amountPence): Movement {
    const account = { sortCode: '040099', accountNumber: '00000000', name: 'Recalls' };
    if (!this.wallets.has(RECALLS))
      this.wallets.set(RECALLS, {
        wallet: {
          issuerWalletId: RECALLS,
          status: 'open',
          externalReference: '',
          account,
          balancePence: 0,
        },
        movements: [],
      });
    const { wallet, movements } = this.#wallet(RECALLS);
    const earlier = movements.filter((m) => m.originalMovementId === payIn.movementId).length;
    const key = `re-${payIn.movementId}${earlier === 0 ? '' : `-${earlier}`}`;
    const back = movementOf(this.now(), 'payin_recall', key, amountPence, {
      idempotencyKey: null,
      fromIssuerWalletId: RECALLS,
      originalMovementId: payIn.movementId,
    });
    wallet.balancePence -= amountPence;
    movements.push(back);
    this.onTakenBack?.(this.#wallet(payIn.toIssuerWalletId ?? '').wallet, 'recalled', back);
    return back;
  }

  async checkPayee(): Promise<PayeeAnswer> {
    this.#answer();
    return this.payeeAnswer;
  }

  async findMovement(idempotencyKey: string): Promise<Movement | null> {
    return this.orders.get(idempotencyKey) ?? null;
  }

  async readMovement(movementId: string): Promise<Movement> {
    this.#answer();
    const all = [...this.wallets.values()].flatMap((one) => one.movements);
    const found = all.find((m) => m.movementId === movementId);
    if (found === undefined) throw new IssuerRefused('not_found', 'no such movement');
    return { ...found };
  }

  async *listMovements(id: string, since: Temporal.Instant): AsyncIterable<Movement> {
    this.#answer();
    for (const movement of this.#wallet(id).movements) {
      const at = movement.completedAt ?? this.now();
      if (Temporal.Instant.compare(at, since) >= 0) yield { ...movement };
    }
  }

  async findByReference(id: string, reference: string): Promise<Movement[]> {
    this.#answer();
    return this.#wallet(id).movements.filter((m) => m.reference === reference);
  }

  async *listStatement(date: Temporal.PlainDate): AsyncIterable<StatementLine> {
    this.#answer();
    for (const { wallet, movements } of this.wallets.values())
      for (const m of movements) {
        const bookedOn = m.createdAt.toZonedDateTimeISO('Europe/London').toPlainDate();
        if (m.status === 'failed' || !bookedOn.equals(date)) continue;
        const isCredit = m.toIssuerWalletId === wallet.issuerWalletId;
        yield {
          lineId: `${m.movementId}-${isCredit ? 'in' : 'out'}`,
          issuerWalletId: wallet.issuerWalletId,
          externalReference: wallet.externalReference || null,
          direction: isCredit ? 'credit' : 'debit',
          amountPence: m.amountPence,
          bookedAt: m.createdAt,
          movementId: m.movementId,
          kind: m.kind,
          idempotencyKey: m.idempotencyKey,
          reference: m.reference,
        };
      }
  }

  async *listBalances(): AsyncIterable<IssuerBalance> {
    this.#answer();
    for (const { wallet } of this.wallets.values())
      yield {
        issuerWalletId: wallet.issuerWalletId,
        externalReference: wallet.externalReference === '' ? null : wallet.externalReference,
        currentPence: wallet.balancePence,
      };
  }

  async parseNotification(): Promise<never> {
    throw new Error('the fake issuer notifies in memory');
  }
}
