import {
  AuthorisationDenied,
  type Bank,
  type BankConsentStatus,
  BankRefused,
  BankUnavailable,
  type PaymentReport,
} from '../src/banks/bank.ts';
import type { Issuer, IssuerWallet, Movement, TransferOrder } from '../src/wallets/issuer.ts';
import { IssuerUnavailable } from '../src/wallets/issuer.ts';

/** A payment in the fake bank's books. */
export interface BankPayment {
  bankPaymentId: string;
  endToEndId: string;
  amountPence: number;
  creditor: string;
  status: 'pending' | 'credited' | 'failed';
}

/** What the fake bank does with the next payments. */
export interface BankMood {
  funds: boolean;
  /** Answers a payment only as pending; the test settles it. */
  slow: boolean;
  /** Takes the money, then loses the answer. */
  losesAnswers: boolean;
  down: boolean;
  refuses: 'consent_gone' | 'final' | null;
}

/** A bank in memory behind the port, with books that a test can hold ours against. */
export class FakeBank implements Bank {
  readonly bankId = 'fakebank';
  readonly name = 'Fake Bank';
  readonly mood: BankMood = { funds: true, slow: false, losesAnswers: false, down: false, refuses: null };
  readonly consents = new Map<string, { status: BankConsentStatus; creditor: string }>();
  readonly payments = new Map<string, BankPayment>();
  readonly #issuer: FakeIssuer;

  constructor(issuer: FakeIssuer) {
    this.#issuer = issuer;
  }

  #answer(): void {
    if (this.mood.down) throw new BankUnavailable('the bank is down');
  }

  async createConsent(r: Parameters<Bank['createConsent']>[0]): ReturnType<Bank['createConsent']> {
    this.#answer();
    const bankConsentId = `bc-${r.idempotencyKey}`;
    this.consents.set(bankConsentId, { status: 'AWAU', creditor: r.creditor.accountNumber });
    return { bankConsentId, status: 'AWAU', reason: null, debtor: null, initiation: r.creditor.accountNumber };
  }

  async authorisationUrl(i: Parameters<Bank['authorisationUrl']>[0]): Promise<string> {
    return `https://fakebank.example/authorise?state=${i.state}&consent=${i.bankConsentId}`;
  }

  async completeAuthorisation(
    i: Parameters<Bank['completeAuthorisation']>[0],
  ): ReturnType<Bank['completeAuthorisation']> {
    this.#answer();
    const consent = this.consents.get(i.bankConsentId);
    const isDenied = i.fragment.includes('access_denied');
    if (consent !== undefined) consent.status = isDenied ? 'RJCT' : 'AUTH';
    if (isDenied) throw new AuthorisationDenied('the customer said no');
    return { accessToken: 'token', refreshToken: null, expiresAt: Temporal.Now.instant().add({ hours: 1000 }) };
  }

  async readConsent(bankConsentId: string): ReturnType<Bank['readConsent']> {
    this.#answer();
    const status = this.consents.get(bankConsentId)?.status ?? 'GONE';
    return { bankConsentId, status, reason: status === 'RJCT' ? 'U036' : null, debtor: null };
  }

  async deleteConsent(bankConsentId: string): Promise<void> {
    this.#answer();
    this.consents.delete(bankConsentId);
  }

  async refresh(grant: Parameters<Bank['refresh']>[0]): ReturnType<Bank['refresh']> {
    return grant;
  }

  async confirmFunds(): ReturnType<Bank['confirmFunds']> {
    this.#answer();
    return this.mood.funds ? 'available' : 'not_available';
  }

  async submitPayment(
    _grant: unknown,
    r: Parameters<Bank['submitPayment']>[1],
  ): Promise<PaymentReport> {
    this.#answer();
    const known = this.payments.get(r.idempotencyKey);
    if (known !== undefined) return this.#report(known);
    const consent = this.consents.get(r.bankConsentId);
    if (this.mood.refuses !== null || consent?.status !== 'AUTH') throw refusal(this.mood.refuses ?? 'consent_gone');
    const payment: BankPayment = {
      bankPaymentId: `bp-${r.endToEndId}`,
      endToEndId: r.endToEndId,
      amountPence: r.amountPence,
      creditor: consent.creditor,
      status: 'pending',
    };
    this.payments.set(r.idempotencyKey, payment);
    if (!this.mood.slow) this.credit(payment);
    if (this.mood.losesAnswers) throw new BankUnavailable('the connection was lost');
    return this.#report(payment);
  }

  /** The money arrives at the issuer. */
  credit(payment: BankPayment): void {
    if (payment.status !== 'pending') return;
    payment.status = 'credited';
    this.#issuer.payIn(payment);
  }

  #report(payment: BankPayment): PaymentReport {
    const { bankPaymentId, status } = payment;
    if (status === 'credited') return { bankPaymentId, bankStatus: 'ACCC', outcome: 'credited' };
    if (status === 'pending') return { bankPaymentId, bankStatus: 'PDNG', outcome: 'pending' };
    const error = { code: 'blocked', message: 'blocked', kind: 'final', bankCode: 'FR01' } as const;
    return { bankPaymentId, bankStatus: 'RJCT', outcome: 'failed', error };
  }

  async readPayment(bankPaymentId: string): Promise<PaymentReport> {
    this.#answer();
    const payment = [...this.payments.values()].find((p) => p.bankPaymentId === bankPaymentId);
    if (payment === undefined) throw new BankUnavailable('unknown payment');
    return this.#report(payment);
  }

  async verifyNotification(): ReturnType<Bank['verifyNotification']> {
    throw new Error('the fake bank notifies nobody');
  }
}

function refusal(kind: 'consent_gone' | 'final'): BankRefused {
  const code = kind === 'final' ? 'account_closed' : 'consent_revoked';
  return new BankRefused({ code, message: 'no', kind, bankCode: 'TEST' });
}

interface FakeWallet {
  wallet: IssuerWallet;
  movements: Movement[];
}

/** An e-money issuer in memory behind the port. */
export class FakeIssuer implements Issuer {
  readonly wallets = new Map<string, FakeWallet>();
  readonly orders = new Map<string, Movement>();
  /** Pay-outs fail with this code; null: they settle at once. */
  payOutError: string | null = null;
  down = false;
  /** Tells of pay-ins, as the real one's notifications do. */
  onPayIn: ((wallet: IssuerWallet, movement: Movement) => void) | null = null;
  readonly now: () => Temporal.Instant;

  constructor(now: () => Temporal.Instant) {
    this.now = now;
  }

  #answer(): void {
    if (this.down) throw new IssuerUnavailable('the issuer is down');
  }

  #wallet(id: string): FakeWallet {
    const found = this.wallets.get(id);
    if (found === undefined) throw new Error(`no wallet ${id}`);
    return found;
  }

  async reserveWallet(r: Parameters<Issuer['reserveWallet']>[0]): Promise<IssuerWallet> {
    this.#answer();
    const issuerWalletId = `iw-${r.idempotencyKey}`;
    const known = this.wallets.get(issuerWalletId);
    if (known !== undefined) return known.wallet;
    const accountNumber = String(10_000_000 + this.wallets.size);
    const wallet: IssuerWallet = {
      issuerWalletId,
      status: 'reserved',
      externalReference: r.externalReference,
      account: { sortCode: '040099', accountNumber, name: r.holder.name },
      balancePence: 0,
    };
    this.wallets.set(issuerWalletId, { wallet, movements: [] });
    return wallet;
  }

  async openWallet(id: string): Promise<IssuerWallet> {
    this.#answer();
    const { wallet } = this.#wallet(id);
    wallet.status = 'open';
    return wallet;
  }

  async closeWallet(id: string): Promise<void> {
    this.#answer();
    this.#wallet(id).wallet.status = 'closed';
  }

  async readWallet(id: string): Promise<IssuerWallet> {
    this.#answer();
    return this.#wallet(id).wallet;
  }

  /** Money from a bank. */
  payIn(payment: BankPayment): void {
    const found = [...this.wallets.values()].find((w) => w.wallet.account.accountNumber === payment.creditor);
    if (found === undefined) throw new Error('money for nobody');
    const movement = this.#movement('payin', `in-${payment.endToEndId}`, payment.amountPence, {
      toIssuerWalletId: found.wallet.issuerWalletId,
      endToEndId: payment.endToEndId,
    });
    found.wallet.balancePence += payment.amountPence;
    found.movements.push(movement);
    this.onPayIn?.(found.wallet, movement);
  }

  #movement(kind: Movement['kind'], key: string, amountPence: number, more: Partial<Movement>): Movement {
    return {
      movementId: `mv-${key}`,
      kind,
      idempotencyKey: key,
      fromIssuerWalletId: null,
      toIssuerWalletId: null,
      amountPence,
      reference: '',
      status: 'settled',
      error: null,
      destination: null,
      payer: null,
      endToEndId: null,
      createdAt: this.now(),
      completedAt: this.now(),
      ...more,
    };
  }

  async transfer(orders: readonly TransferOrder[]): Promise<Map<string, Movement>> {
    this.#answer();
    return new Map(orders.map((order) => [order.idempotencyKey, this.#transfer(order)]));
  }

  #transfer(order: TransferOrder): Movement {
    const known = this.orders.get(order.idempotencyKey);
    if (known !== undefined) return known;
    const from = this.#wallet(order.fromIssuerWalletId);
    const to = this.#wallet(order.toIssuerWalletId);
    const hasFunds = from.wallet.balancePence >= order.amountPence;
    const movement = this.#movement('transfer', order.idempotencyKey, order.amountPence, {
      fromIssuerWalletId: order.fromIssuerWalletId,
      toIssuerWalletId: order.toIssuerWalletId,
      ...(hasFunds ? {} : { status: 'failed', error: { code: 'insufficient_funds', message: '' } }),
    });
    if (hasFunds) {
      from.wallet.balancePence -= order.amountPence;
      to.wallet.balancePence += order.amountPence;
    }
    this.orders.set(order.idempotencyKey, movement);
    return movement;
  }

  async payOut(order: Parameters<Issuer['payOut']>[0]): Promise<Movement> {
    this.#answer();
    const known = this.orders.get(order.idempotencyKey);
    if (known !== undefined) return known;
    const error = this.payOutError === null ? null : { code: this.payOutError, message: 'refused' };
    const movement = this.#movement('payout', order.idempotencyKey, order.amountPence, {
      fromIssuerWalletId: order.fromIssuerWalletId,
      destination: order.destination,
      status: error === null ? 'settled' : 'failed',
      error,
    });
    if (error === null) this.#wallet(order.fromIssuerWalletId).wallet.balancePence -= order.amountPence;
    this.orders.set(order.idempotencyKey, movement);
    return movement;
  }

  async findMovement(idempotencyKey: string): Promise<Movement | null> {
    return this.orders.get(idempotencyKey) ?? null;
  }

  async readMovement(movementId: string): Promise<Movement> {
    this.#answer();
    const found = [...this.orders.values()].find((m) => m.movementId === movementId);
    if (found === undefined) throw new Error('no such movement');
    return found;
  }

  async *listMovements(id: string): AsyncIterable<Movement> {
    yield* this.#wallet(id).movements;
  }

  parseNotification(): never {
    throw new Error('the fake issuer notifies in memory');
  }
}
