import type { ExpectedBook, Refund } from './book.ts';
import { instant } from './collections.ts';
import { payOutAfter, payOutOf } from './days.ts';
import { EVERYWHERE } from './incidents.ts';

/** Money that has moved at the issuer, from the issuer's own books. */
export interface Moved {
  movementId: string;
  /** The order's key, as it was given; null: nobody here ordered it. */
  key: string | null;
  kind: 'transfer' | 'payout' | 'payin' | 'payout_return' | 'payin_recall';
  status: 'pending' | 'settled' | 'failed';
  from: string | null;
  to: string | null;
  pence: number;
  createdAt: number;
  completedAt: number;
  /** The number of the account that it went to or came from. */
  account: string | null;
  originalId: string | null;
  /** The payment of ours whose money a pay-in is. */
  paymentId: string | null;
}

/** A wallet at the issuer. */
export interface Wallet {
  id: string;
  /** Whose it is, as it was named when it was made. */
  reference: string;
  pence: number;
}

/** Of which schedule a payment is. */
export type ScheduleOf = (paymentId: string) => string | null;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** So far ahead of the others a process's clock may be. */
const MAX_CLOCK_LEAD_MS = 61_000;
/** So long after six o'clock everything is paid out. */
const PAID_OUT_WITHIN = 6 * HOUR;
/** So long money may take to be counted after it has come, and where something was in the way. */
const COUNTED = 15 * MINUTE;
const COUNTED_AT_LAST = 24 * HOUR;
/** So many pay-out days later what went wrong for a merchant's pay-outs is over. */
const OVER_AFTER = 3;

const PAYMENT = /^(pay_\w+)-m/;

/** What was paid out and refunded, to whom, how much and when, held against what should have been. */
export class PayOuts {
  readonly #book: ExpectedBook;
  readonly #scheduleOf: ScheduleOf;
  readonly #moved: readonly Moved[];
  readonly #wallets: ReadonlyMap<string, Wallet>;
  readonly #now: number;
  /** How many merchants were compared without any allowance. */
  sharp = 0;

  constructor(
    book: ExpectedBook,
    books: { moved: readonly Moved[]; wallets: readonly Wallet[]; scheduleOf: ScheduleOf },
    now: number,
  ) {
    this.#book = book;
    this.#scheduleOf = books.scheduleOf;
    this.#moved = books.moved;
    this.#wallets = new Map(books.wallets.map((wallet) => [wallet.id, wallet]));
    this.#now = now;
  }

  /** What is wrong, a line each; `isOver`: nothing was in the way for a week. */
  findings(isOver: boolean): string[] {
    const wrong = [...this.#payIns(), ...this.#destinations(), ...this.#refunds(isOver)];
    for (const [merchantId, wallets] of this.#walletsOfMerchants())
      wrong.push(
        ...this.#transfers(merchantId, wallets),
        ...this.#days(merchantId, wallets, isOver),
      );
    return wrong;
  }

  /** Money comes from the customer's own account to a wallet of its merchant that no other customer has. */
  #payIns(): string[] {
    const wrong: string[] = [];
    const customers = new Map<string, string>();
    for (const { kind, paymentId, to, account, movementId } of this.#moved) {
      if (kind !== 'payin' || paymentId === null || to === null) continue;
      const plan = this.#book.plans.get(this.#scheduleOf(paymentId) ?? '');
      if (plan === undefined) continue;
      const { phone, merchant } = plan;
      if (!this.#isOf(to, merchant.merchantId))
        wrong.push(`${movementId} of ${paymentId} came to a wallet of another merchant`);
      if ((customers.get(to) ?? phone) !== phone)
        wrong.push(`${movementId} of ${paymentId} came to the wallet of another customer`);
      customers.set(to, phone);
      if (account !== null && account !== this.#book.people.get(phone)?.account)
        wrong.push(`${movementId} of ${paymentId} came from ${account}, of another customer`);
    }
    return wrong;
  }

  #isOf(walletId: string, merchantId: string): boolean {
    return this.#wallets.get(walletId)?.reference.split('/', 1)[0] === merchantId;
  }

  /** The wallets to which what a merchant has collected went on. */
  #walletsOfMerchants(): Map<string, Set<string>> {
    const wallets = new Map<string, Set<string>>();
    for (const { key, kind, to } of this.#moved) {
      if (kind !== 'transfer' || to === null) continue;
      const plan = this.#book.plans.get(this.#scheduleOf(PAYMENT.exec(key ?? '')?.[1] ?? '') ?? '');
      if (plan === undefined) continue;
      const { merchantId } = plan.merchant;
      wallets.set(merchantId, (wallets.get(merchantId) ?? new Set()).add(to));
    }
    return wallets;
  }

  /** What a merchant has collected went to one wallet, which is its own. */
  #transfers(merchantId: string, wallets: ReadonlySet<string>): string[] {
    const foreign = [...wallets].filter((id) => !this.#isOf(id, merchantId));
    if (foreign.length > 0) return [`what ${merchantId} collected went to ${foreign}`];
    return wallets.size > 1 ? [`what ${merchantId} collected went to ${[...wallets]}`] : [];
  }

  /** Whatever leaves goes to the merchant's own account, or is a refund that it asked for and goes to the payer. */
  #destinations(): string[] {
    const refunds = new Map(this.#book.refunds.map((refund) => [refund.refundId, refund]));
    return this.#moved.flatMap(({ kind, key, from, account, pence, createdAt }) => {
      if (kind !== 'payout' || key === null || account === null) return [];
      const [name = ''] = key.split(' before ');
      const refund = refunds.get(name);
      const merchantId = this.#wallets.get(from ?? '')?.reference.split('/', 1)[0] ?? '';
      if (refund !== undefined) return this.#refundTo(refund, { account, pence, merchantId });
      const merchant = this.#book.merchants.get(merchantId);
      return merchant?.account === account
        ? []
        : [`${pence} of ${merchantId} were paid to ${account} at ${instant(createdAt)}: ${key}`];
    });
  }

  #refundTo(
    { refundId, paymentId, merchantId, shownPence, pence: asked }: Refund,
    paid: { account: string; pence: number; merchantId: string },
  ): string[] {
    const plan = this.#book.plans.get(this.#scheduleOf(paymentId) ?? '');
    const payer = this.#book.people.get(plan?.phone ?? '');
    const wrong: string[] = [];
    if (payer !== undefined && payer.account !== paid.account)
      wrong.push(
        `${refundId} of ${paymentId} went to ${paid.account}, paid was by ${payer.account}`,
      );
    if (paid.pence !== (asked ?? shownPence))
      wrong.push(`${refundId} paid ${paid.pence}, asked for were ${asked ?? shownPence}`);
    if (paid.merchantId !== merchantId) wrong.push(`${refundId} was paid by ${paid.merchantId}`);
    return wrong;
  }

  /** Each refund is paid, once: unless the issuer could not, or the money was taken back, or its merchant has too little. */
  #refunds(isOver: boolean): string[] {
    const back = new Set(this.#moved.map(({ originalId }) => originalId));
    const paid = Map.groupBy(
      this.#moved.filter(
        (one) => one.kind === 'payout' && one.status !== 'failed' && !back.has(one.movementId),
      ),
      ({ key }) => key?.split(' before ')[0] ?? '',
    );
    return this.#book.refunds.flatMap(({ refundId, paymentId, at, mayWait }) => {
      const times = paid.get(refundId)?.length ?? 0;
      if (times > 1) return [`${refundId} was paid ${times} times`];
      const isDisturbed = this.#book.unrest.touches([refundId, paymentId], at, this.#now);
      if (times === 1 || mayWait || isDisturbed || !isOver) return [];
      return [`${refundId} of ${paymentId} was never paid`];
    });
  }

  /** Nothing that should have been paid out is left in a merchant's wallet, and nothing has left it too early. */
  #days(merchantId: string, wallets: ReadonlySet<string>, isOver: boolean): string[] {
    const [wallet = ''] = wallets;
    const refunds = new Set(this.#book.refunds.map(({ refundId }) => refundId));
    const come = this.#moved.filter(
      ({ kind, to, status }) => kind === 'transfer' && to === wallet && status === 'settled',
    );
    const went = this.#moved.filter(({ from, status }) => from === wallet && status !== 'failed');
    const settled = went.filter(
      ({ kind, key }) => kind === 'payout' && key !== null && !refunds.has(nameOf(key)),
    );
    return [
      ...this.#early(merchantId, come, settled),
      ...this.#left(merchantId, wallet, come, went, isOver),
    ];
  }

  /** At no moment more had been paid out to a merchant than what had come for it by the pay-out before. */
  #early(merchantId: string, come: readonly Moved[], settled: readonly Moved[]): string[] {
    const back = new Set(this.#moved.map(({ originalId }) => originalId));
    const kept = settled.filter(({ movementId }) => !back.has(movementId));
    let paid = 0;
    for (const one of kept.toSorted((a, b) => a.createdAt - b.createdAt)) {
      paid += one.pence;
      const ready = come.filter(
        ({ completedAt }) => payOutOf(completedAt) <= one.createdAt + MAX_CLOCK_LEAD_MS,
      );
      const most = ready.reduce((sum, { pence }) => sum + pence, 0);
      if (paid > most)
        return [`${merchantId} was paid ${paid} by ${instant(one.createdAt)}, ${most} were due`];
    }
    return [];
  }

  #left(
    merchantId: string,
    walletId: string,
    come: readonly Moved[],
    went: readonly Moved[],
    isOver: boolean,
  ): string[] {
    const paidOutBy = this.#now - PAID_OUT_WITHIN;
    const isReady = (one: Moved): boolean => payOutOf(this.#countedBy(one)) <= paidOutBy;
    const names = [merchantId, walletId, 'issuer', EVERYWHERE];
    const last = this.#book.unrest.lastIn(names, 0, this.#now);
    const isDisturbed =
      last !== null && (last >= this.#now || payOutAfter(last, OVER_AFTER) > paidOutBy);
    if (isDisturbed && !isOver) return [];
    this.sharp += 1;
    const sum = (rows: readonly { pence: number }[]): number =>
      rows.reduce((total, { pence }) => total + pence, 0);
    const fresh = sum(come.filter((one) => !isReady(one)));
    const held = this.#wallets.get(walletId)?.pence ?? 0;
    const kept =
      this.#feesLeft(merchantId, come.filter(isReady), went) + this.#owed(merchantId, went);
    return held - fresh > Math.max(0, kept)
      ? [`${held - fresh} of ${merchantId} should have been paid out by ${instant(paidOutBy)}`]
      : [];
  }

  /** When money that came is counted at the latest. */
  #countedBy({ completedAt, key }: Moved): number {
    const paymentId = PAYMENT.exec(key ?? '')?.[1] ?? '';
    const names = [paymentId, key ?? '', 'issuer', EVERYWHERE];
    const until = completedAt + COUNTED;
    const isDisturbed = this.#book.unrest.touches(names, completedAt - COUNTED, until);
    return isDisturbed ? completedAt + COUNTED_AT_LAST : until;
  }

  /** The operator's part of what should have been paid out, less what it has taken. */
  #feesLeft(merchantId: string, ready: readonly Moved[], went: readonly Moved[]): number {
    const fees = ready.reduce(
      (sum, { pence, completedAt }) => sum + this.#book.feeOf(merchantId, pence, completedAt),
      0,
    );
    const taken = went.filter(({ to }) => this.#isFeeWallet(to));
    return fees - taken.reduce((sum, { pence }) => sum + pence, 0);
  }

  #isFeeWallet(walletId: string | null): boolean {
    return this.#wallets.get(walletId ?? '')?.reference.split('/', 1)[0] === 'operator';
  }

  /** What was recalled of a merchant's collections, less what it has given to the issuer for that. */
  #owed(merchantId: string, went: readonly Moved[]): number {
    const payIns = new Map(this.#moved.map((one) => [one.movementId, one]));
    let owed = 0;
    for (const { kind, originalId, pence } of this.#moved)
      if (kind === 'payin_recall' && this.#isOf(payIns.get(originalId ?? '')?.to ?? '', merchantId))
        owed += pence;
    const covered = went.filter(({ kind, to }) => kind === 'transfer' && !this.#isFeeWallet(to));
    return owed - covered.reduce((sum, { pence }) => sum + pence, 0);
  }
}

const nameOf = (key: string): string => key.split(' before ')[0] ?? key;
