import { randomUUID } from 'node:crypto';
import { FakeVrp } from './vrp.ts';

/** An account at the fake Modulr. Amounts are pence. */
export interface Account {
  id: string;
  customerId: string;
  externalReference: string;
  status: 'ACTIVE' | 'CLOSED';
  sortCode: string;
  accountNumber: string;
  balance: number;
  created: Temporal.Instant;
}

/** A payment: an order, or money that came. */
export interface Payment {
  id: string;
  type: 'PAYOUT' | 'PAYIN';
  status: string;
  externalReference: string;
  pence: number;
  details: Record<string, unknown>;
  /** The account that pays, or is paid. */
  account: Account;
  target: Account | null;
  created: Temporal.Instant;
  settlesAt: Temporal.Instant;
  schemeId: string;
}

export interface Transaction {
  id: string;
  account: Account;
  pence: number;
  credit: boolean;
  type: string;
  sourceId: string;
  sourceExternalReference: string;
  posted: Temporal.Instant;
  description: string;
}

/** A notification before it is written. */
export interface Notice {
  event: 'PAYIN' | 'PAYOUT';
  payment: Payment;
  type: string;
  payer: { name: string; sortCode: string; accountNumber: string } | null;
  originalSchemeId: string;
}

/** Accounts that force the outcome of a pay-out. */
export const DESTINATIONS = { invalid: '99999999', noAnswer: '88888888', returned: '77777777' };

const RETURNED_AFTER = { hours: 24 };

/** What Modulr knows: made from its document alone. */
export class FakeBooks {
  readonly accounts = new Map<string, Account>();
  readonly payments: Payment[] = [];
  readonly transactions: Transaction[] = [];
  readonly now: () => Temporal.Instant;
  readonly vrp: FakeVrp;
  /** How long a payment takes. */
  settlesAfter: Temporal.DurationLike = { seconds: 2 };
  onNotice: (notice: Notice) => void = () => undefined;
  #count = 0;

  constructor(now: () => Temporal.Instant) {
    this.now = now;
    this.vrp = new FakeVrp(now, (accountNumber, pence) => this.#payIn(accountNumber, pence));
  }

  /** Money from a bank; to an account that is not here, it goes elsewhere. */
  #payIn(accountNumber: string, pence: number): void {
    const account = [...this.accounts.values()].find((one) => one.accountNumber === accountNumber);
    const payer = { name: 'Ada Moss', sortCode: '040004', accountNumber: '70872490' };
    if (account !== undefined) this.credit(account, pence, { type: 'PI_FAST', payer });
  }

  #next(prefix: string): string {
    this.#count += 1;
    return `${prefix}${String(this.#count).padStart(7, '0')}`;
  }

  openAccount(customerId: string, externalReference: string): Account {
    const id = this.#next('A1');
    const accountNumber = String(20_000_000 + this.#count);
    const account: Account = {
      id,
      customerId,
      externalReference,
      status: 'ACTIVE',
      sortCode: '040392',
      accountNumber,
      balance: 0,
      created: this.now(),
    };
    this.accounts.set(id, account);
    return account;
  }

  /** What of an account is not spoken for by payments under way. */
  available(account: Account): number {
    const isUnderWay = (p: Payment): boolean =>
      p.type === 'PAYOUT' && p.account === account && p.status === 'SUBMITTED';
    return this.payments
      .filter(isUnderWay)
      .reduce((rest, { pence }) => rest - pence, account.balance);
  }

  order(account: Account, target: Account | null, body: Record<string, unknown>): Payment {
    const payment: Payment = {
      id: this.#next('P1'),
      type: 'PAYOUT',
      status: 'SUBMITTED',
      externalReference: String(body.externalReference ?? ''),
      pence: Math.round(Number(body.amount) * 100),
      details: body,
      account,
      target,
      created: this.now(),
      settlesAt: this.now().add(this.settlesAfter),
      schemeId: randomUUID(),
    };
    this.payments.push(payment);
    return payment;
  }

  /** Money comes from outside, or back. */
  credit(
    account: Account,
    pence: number,
    from: { type: string; payer: Notice['payer']; externalReference?: string; original?: string },
  ): Payment {
    const { type, payer, externalReference = '', original = '' } = from;
    const identifier = {
      type: 'SCAN',
      sortCode: payer?.sortCode,
      accountNumber: payer?.accountNumber,
    };
    const details = {
      type,
      amount: pence / 100,
      currency: 'GBP',
      accountNumber: account.id,
      description: 'PAYMENT',
      ...(payer === null ? {} : { payer: { name: payer.name, identifier } }),
      ...(original === '' ? {} : { originalSchemeId: original }),
    };
    const payment: Payment = {
      id: this.#next('P1'),
      type: 'PAYIN',
      status: 'PROCESSED',
      externalReference,
      pence,
      details,
      account,
      target: null,
      created: this.now(),
      settlesAt: this.now(),
      schemeId: randomUUID(),
    };
    this.payments.push(payment);
    this.#book(payment, account, true, type);
    this.onNotice({ event: 'PAYIN', payment, type, payer, originalSchemeId: original });
    return payment;
  }

  /** Ends what has been under way for long enough. */
  settle(): void {
    this.vrp.settle();
    const now = this.now();
    const isDue = (at: Temporal.Instant): boolean => Temporal.Instant.compare(at, now) <= 0;
    for (const payment of [...this.payments]) {
      if (payment.type !== 'PAYOUT' || !isDue(payment.settlesAt)) continue;
      if (payment.status === 'SUBMITTED') this.#end(payment);
      else if (goesTo(payment, DESTINATIONS.returned) && payment.status === 'PROCESSED')
        if (isDue(payment.settlesAt.add(RETURNED_AFTER))) this.#comeBack(payment);
    }
  }

  #end(payment: Payment): void {
    const { account, target, pence, externalReference } = payment;
    const fails = goesTo(payment, DESTINATIONS.invalid);
    payment.status = fails ? 'ER_INVALID' : 'PROCESSED';
    const type = target === null ? 'PO_FAST' : 'INT_INTRAC';
    if (!fails) this.#book(payment, account, false, type);
    this.onNotice({ event: 'PAYOUT', payment, type, payer: null, originalSchemeId: '' });
    if (!fails && target !== null)
      this.credit(target, pence, { type, payer: null, externalReference });
  }

  #comeBack(payment: Payment): void {
    payment.status = 'RETURNED';
    const original = payment.schemeId;
    this.credit(payment.account, payment.pence, { type: 'PO_REV', payer: null, original });
  }

  #book(payment: Payment, account: Account, credit: boolean, type: string): void {
    const { pence, id: sourceId, externalReference: sourceExternalReference } = payment;
    account.balance += credit ? pence : -pence;
    this.transactions.push({
      id: this.#next('T1'),
      account,
      pence,
      credit,
      type,
      sourceId,
      sourceExternalReference,
      posted: this.now(),
      description: `Payment: ${sourceId}`,
    });
  }
}

function goesTo({ details }: Payment, accountNumber: string): boolean {
  const destination = details.destination as { accountNumber?: string } | undefined;
  return destination?.accountNumber === accountNumber;
}
