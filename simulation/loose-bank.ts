import type { Bank, PaymentRead, PaymentReport } from '../server/src/banks/bank.ts';
import { type BankPayment, FakeBank } from '../server/test-support/fake-bank.ts';
import type { FakeIssuer } from '../server/test-support/fake-issuer.ts';

/** What a bank is like, the whole time. */
export interface BankHabits {
  /** It never reports more than that the payer's side is settled. */
  neverReportsCredit: boolean;
  /** After a day it has forgotten a key, and pays the same order again. */
  forgetsKeys: boolean;
}

const KEYS_LIVE_FOR = Temporal.Duration.from({ hours: 24 });

/** The payment of ours that an attempt with this name is for. */
const paymentIdOf = (endToEndId: string): string => endToEndId.replace(/-a\d+$/, '');

/** A bank that is as loose as the standard allows, and that keeps account of every order which reached it. */
export class LooseBank extends FakeBank {
  readonly #ways: BankHabits;
  readonly #now: () => Temporal.Instant;
  /** How many orders of each attempt have arrived, by its instruction id. */
  readonly #arrived = new Map<string, number>();
  /** By the payment of ours that they are for. */
  readonly #ofOurs = new Map<string, BankPayment[]>();
  /** What it has made before the database loses what comes now; null: nothing is being lost. */
  #known: ReadonlySet<BankPayment> | null = null;
  /** Their orders were noted in a database that was lost, and not since. */
  readonly #forgotten = new Set<BankPayment>();
  /** The payer has the money back. */
  readonly #returned = new Set<BankPayment>();

  constructor(bankId: string, issuer: FakeIssuer, ways: BankHabits) {
    super(issuer, bankId);
    this.#ways = ways;
    this.#now = issuer.now;
  }

  /** An order has reached the bank, whatever becomes of it. Returns whether it is a new one to it. */
  protected receive(instructionId: string, key: string): boolean {
    this.#arrived.set(instructionId, this.arrivedOf(instructionId) + 1);
    const known = this.payments.get(key);
    const isOld =
      known !== undefined &&
      Temporal.Instant.compare(known.at.add(KEYS_LIVE_FOR), this.#now()) <= 0;
    if (known !== undefined && isOld && this.#ways.forgetsKeys) {
      this.payments.delete(key);
      this.payments.set(`${key} before ${this.#now()}`, known);
    }
    return !this.payments.has(key);
  }

  override async submitPayment(
    ...[grant, order]: Parameters<Bank['submitPayment']>
  ): Promise<PaymentReport> {
    const isNew = !this.payments.has(order.idempotencyKey);
    const answer = await super.submitPayment(grant, order);
    const made = this.payments.get(order.idempotencyKey);
    if (isNew && made !== undefined) {
      const paymentId = paymentIdOf(made.endToEndId);
      this.#ofOurs.set(paymentId, [...(this.#ofOurs.get(paymentId) ?? []), made]);
    }
    return this.#told(answer);
  }

  override async readPayment(id: string): Promise<PaymentRead> {
    const read = await super.readPayment(id);
    const { bankConsentId, instructionId } = read;
    return { ...this.#told(read), bankConsentId, instructionId };
  }

  #told(report: PaymentReport): PaymentReport {
    if (report.outcome !== 'credited' || !this.#ways.neverReportsCredit) return report;
    return { bankPaymentId: report.bankPaymentId, bankStatus: 'ACSC', outcome: 'pending' };
  }

  /** Whether it says of a payment, when it is read, that the money is on the creditor's account. */
  hasReportedCredit(bankPaymentId: string): boolean {
    if (this.#ways.neverReportsCredit) return false;
    for (const payment of this.payments.values())
      if (payment.bankPaymentId === bankPaymentId) return payment.status === 'credited';
    return false;
  }

  /** How many orders of an attempt have arrived. */
  arrivedOf(instructionId: string): number {
    return this.#arrived.get(instructionId) ?? 0;
  }

  /** Remembers which orders have arrived; what it returns goes back to that, for a database that forgets who sent them. */
  remember(): () => void {
    const before = new Map(this.#arrived);
    const known = new Set(this.payments.values());
    this.#known = known;
    return () => {
      this.#arrived.clear();
      for (const [id, count] of before) this.#arrived.set(id, count);
      for (const made of this.payments.values()) if (!known.has(made)) this.#forgotten.add(made);
      this.#known = null;
    };
  }

  /** Whether the database is lost, or is about to be, that had noted the order of a payment: its money tells of it. */
  isForgotten(payment: BankPayment): boolean {
    return this.#forgotten.has(payment) || this.#known?.has(payment) === false;
  }

  /** Whether an order that a lost database had noted uses a consent's limits: our books cannot count what they do not know. */
  countsForgotten(bankConsentId: string): boolean {
    return [...this.#forgotten].some(
      (payment) => payment.bankConsentId === bankConsentId && payment.status !== 'failed',
    );
  }

  /** The bank's payments for one of ours that took the payer's money and kept it: one at the most, ever. */
  liveOf(paymentId: string): BankPayment[] {
    return (this.#ofOurs.get(paymentId) ?? []).filter((payment) => this.isLive(payment));
  }

  /** All of them, by the payment of ours that they are for. */
  *debits(): Iterable<[string, BankPayment]> {
    for (const [paymentId, payments] of this.#ofOurs)
      for (const payment of payments) if (this.isLive(payment)) yield [paymentId, payment];
  }

  /** Every payment that it has made or tried for one of ours. */
  *all(): Iterable<[string, BankPayment]> {
    for (const [paymentId, payments] of this.#ofOurs)
      for (const payment of payments) yield [paymentId, payment];
  }

  /** Whether the payer does not have the money back, and the bank did not refuse it. */
  isLive(payment: BankPayment): boolean {
    return payment.status !== 'failed' && !this.#returned.has(payment);
  }

  /** Whether the payer was refunded one of its debits for a payment of ours. */
  hasGivenBack(paymentId: string): boolean {
    return (this.#ofOurs.get(paymentId) ?? []).some((payment) => this.#returned.has(payment));
  }

  /** The payer gets the money back, whatever the bank goes on to say of the payment. */
  giveBack(payment: BankPayment): void {
    this.#returned.add(payment);
  }
}
