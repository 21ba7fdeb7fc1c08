import { decodeUtf8 } from '../../platform/http/calls/bodies.ts';
import { type IssuerNotification, IssuerSignatureError } from '../issuer.ts';
import { accountPath, type ModulrBooks, referenceOf } from './books.ts';
import type { ModulrClient } from './client.ts';
import { ModulrUnavailable } from './errors.ts';
import type { ModulrOrders } from './orders.ts';
import { kindOf } from './statuses.ts';
import { type NoticeJson, payerIn, readAccount, readNotice, toCredit } from './wire.ts';

/** Accounts whose reference is kept in memory. */
const MAX_KEPT = 100_000;

/** A notice that names a payment and the account that it is on. */
type PaymentNotice = NoticeJson & { PaymentId: string; AccountId: string };

/**
 * Reads Modulr's notifications. What they say is not believed: the money is read at Modulr, from the transaction or the payment
 * that they name. The payer alone is taken from them.
 */
export class ModulrNotices {
  readonly #client: ModulrClient;
  readonly #books: ModulrBooks;
  readonly #orders: ModulrOrders;
  /** Our names of accounts, which never change. */
  readonly #references = new Map<string, string>();

  constructor(client: ModulrClient, books: ModulrBooks, orders: ModulrOrders) {
    this.#client = client;
    this.#books = books;
    this.#orders = orders;
  }

  /**
   * Returns what a notification tells; null: it is of no interest to us. Throws IssuerSignatureError if it cannot be read, and
   * ModulrUnavailable if Modulr does not show the money yet: it is sent again.
   */
  async read(raw: Buffer): Promise<IssuerNotification | null> {
    const notice = parse(raw);
    const { PaymentId, AccountId, EventName } = notice;
    if (PaymentId === undefined || AccountId === undefined) return null;
    const told = { ...notice, PaymentId, AccountId };
    if (EventName === 'PAYIN') return this.#payIn(told);
    if (EventName === 'PAYOUT') return this.#payOut(told);
    return null;
  }

  async #payIn(told: PaymentNotice): Promise<IssuerNotification | null> {
    const { Type = '', SourceExternalReference, PaymentId, AccountId } = told;
    // The receiving side of a transfer: its order tells.
    if (kindOf(Type, true, Boolean(SourceExternalReference)) === 'transfer') return null;
    const query = { credit: 'true', sourceId: PaymentId };
    const [line] = await Array.fromAsync(this.#books.transactions(AccountId, query));
    if (line === undefined)
      throw new ModulrUnavailable(`the pay-in ${PaymentId} is not on its account yet`);
    const externalReference = referenceOf(line) ?? (await this.#referenceOf(AccountId));
    if (externalReference === '') return null;
    const credit = toCredit(line, AccountId);
    const { kind, createdAt: at, movementId, amountPence, endToEndId, reference } = credit;
    const about = { eventId: told.EventId, at, issuerWalletId: AccountId, externalReference };
    if (kind === 'payout_return') {
      const movement = await this.#books.withOriginal(credit, told.OriginalSchemeId || null);
      return { ...about, kind: 'payout.returned', movement, reason: reasonOf(told) };
    }
    if (kind !== 'payin') return null;
    const payIn = { movementId, amountPence, endToEndId, reference, payer: payerIn(told) };
    return { ...about, kind: 'payin.received', payIn };
  }

  async #payOut(told: PaymentNotice): Promise<IssuerNotification | null> {
    const found = await this.#books.payment(told.PaymentId);
    if (found === null)
      throw new ModulrUnavailable(`the payment ${told.PaymentId} is not to be found yet`);
    const { movement } = found;
    this.#orders.note(movement);
    const issuerWalletId = movement.fromIssuerWalletId ?? told.AccountId;
    const externalReference = await this.#referenceOf(issuerWalletId);
    if (externalReference === '') return null;
    const { EventId: eventId } = told;
    const at = movement.createdAt;
    return { kind: 'movement.changed', eventId, at, issuerWalletId, externalReference, movement };
  }

  /** Returns our name of an account; empty: it is no wallet of ours. */
  async #referenceOf(accountId: string): Promise<string> {
    const known = this.#references.get(accountId);
    if (known !== undefined) return known;
    const call = { method: 'GET', path: accountPath(accountId) } as const;
    const { externalReference } = await this.#client.call(call, readAccount);
    if (this.#references.size >= MAX_KEPT) this.#references.clear();
    this.#references.set(accountId, externalReference);
    return externalReference;
  }
}

function parse(raw: Buffer): NoticeJson {
  try {
    return readNotice(JSON.parse(decodeUtf8(raw)));
  } catch (cause) {
    throw new IssuerSignatureError('the notification cannot be read', { cause });
  }
}

function reasonOf({ ReturnReason }: NoticeJson): { code: string; message: string } {
  const message = typeof ReturnReason === 'string' ? ReturnReason : JSON.stringify(ReturnReason);
  return { code: 'returned', message: message || 'The receiving bank returned it.' };
}
