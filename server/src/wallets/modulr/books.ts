import { mapInParallel } from '../../platform/network/concurrency-limits.ts';
import { compareInstants, isBefore } from '../../platform/values/instants.ts';
import type { IssuerBalance, IssuerWallet, Movement, StatementLine } from '../issuer.ts';
import type { ModulrClient } from './client.ts';
import { ModulrUnavailable } from './errors.ts';
import { fromAccountReference, toPence, toQueryTime } from './names.ts';
import { kindOf } from './statuses.ts';
import {
  type Page,
  type ReadPayment,
  readAccountPage,
  readPaymentPage,
  readTransactionPage,
  type TransactionJson,
  toCredit,
} from './wire.ts';

const PER_PAGE = 500;
/** Maximum pages of one listing: stops a list that has no end. */
const MAX_PAGES = 10_000;
/** Accounts whose transactions are read at once. */
const CONCURRENCY = 8;
const TIME_ZONE = 'Europe/London';
const STATUSES = ['ACTIVE', 'BLOCKED', 'CLIENT_BLOCKED', 'CLOSED'];
/** The query that lists payments must name a beginning; this one is before any of ours. */
const EARLIEST_DATE = Temporal.Instant.from('2016-01-01T00:00:00Z');

export type Query = Record<string, string | readonly string[]>;

/** Returns a path with its query; a list is written as several values of one name. */
function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) search.append(name, one);
  return `${path}?${search}`;
}

/** An account in any status: without it, only active ones are found. */
export const accountPath = (id: string): string =>
  withQuery(`/accounts/${encodeURIComponent(id)}`, { statuses: STATUSES });

/** Reads Modulr's books: accounts, payments and transactions. */
export class ModulrBooks {
  readonly #client: ModulrClient;
  readonly #customerId: string;

  constructor(client: ModulrClient, customerId: string) {
    this.#client = client;
    this.#customerId = customerId;
  }

  /** Lists our customer's accounts, oldest first. */
  accounts(query: Query = {}): AsyncIterable<IssuerWallet> {
    const all = { customerId: this.#customerId, statuses: STATUSES, ...query };
    return this.#pages(
      '/accounts',
      { ...all, sortField: 'createdDate', sortOrder: 'asc' },
      readAccountPage,
    );
  }

  /** Lists payments, oldest first. */
  payments(query: Query, since: Temporal.Instant = EARLIEST_DATE): AsyncIterable<ReadPayment> {
    const from = {
      fromCreatedDate: toQueryTime(since),
      sortField: 'createdDate',
      sortOrder: 'asc',
    };
    return this.#pages('/payments', { ...from, ...query }, readPaymentPage);
  }

  /** Reads one payment by its id; null: there is none. */
  async payment(id: string): Promise<ReadPayment | null> {
    const [found] = await Array.fromAsync(this.#pages('/payments', { ids: id }, readPaymentPage));
    return found ?? null;
  }

  /** Lists the transactions of an account. */
  transactions(accountId: string, query: Query): AsyncIterable<TransactionJson> {
    const path = `/accounts/${encodeURIComponent(accountId)}/transactions`;
    return this.#pages(path, query, readTransactionPage);
  }

  /** Lists what went out of an account and came into it since a moment, oldest first. */
  async movements(accountId: string, since: Temporal.Instant): Promise<Movement[]> {
    const [ordered, credits] = await Promise.all([
      Array.fromAsync(this.payments({ sourceAccountId: accountId, type: 'PAYOUT' }, since)),
      Array.fromAsync(
        this.transactions(accountId, { credit: 'true', fromPostedDate: toQueryTime(since) }),
      ),
    ]);
    const arrived = await Promise.all(
      credits.map((one) => this.withOriginal(toCredit(one, accountId), null)),
    );
    return [...ordered.map(({ movement }) => movement), ...arrived]
      .filter(({ createdAt }) => !isBefore(createdAt, since))
      .sort((a, b) => compareInstants(a.createdAt, b.createdAt));
  }

  /**
   * Names the pay-out that a return belongs to: by its id in the scheme where that is told, else the latest returned pay-out of
   * the same account and amount. Other movements stay as they are.
   */
  async withOriginal(movement: Movement, schemeId: string | null): Promise<Movement> {
    const { kind, toIssuerWalletId, amountPence, originalMovementId } = movement;
    if (kind !== 'payout_return' || originalMovementId !== null) return movement;
    const query: Query =
      schemeId === null
        ? { sourceAccountId: toIssuerWalletId ?? '', status: 'RETURNED' }
        : { schemeId };
    const found = await Array.fromAsync(this.payments({ ...query, type: 'PAYOUT' }));
    const original = found.findLast((one) => one.movement.amountPence === amountPence);
    return { ...movement, originalMovementId: original?.movement.movementId ?? null };
  }

  /** Lists every booking of a London day on our wallets, account by account. */
  async *statement(date: Temporal.PlainDate): AsyncIterable<StatementLine> {
    const wallets = await Array.fromAsync(this.accounts());
    const ours = wallets.filter(({ externalReference }) => externalReference !== '');
    for (let start = 0; start < ours.length; start += CONCURRENCY) {
      const read = ours.slice(start, start + CONCURRENCY);
      const lines = new Map<IssuerWallet, StatementLine[]>();
      await mapInParallel(read, CONCURRENCY, async (wallet) => {
        lines.set(wallet, await this.#linesOf(wallet, date));
      });
      for (const wallet of read) yield* lines.get(wallet) ?? [];
    }
  }

  async #linesOf(wallet: IssuerWallet, date: Temporal.PlainDate): Promise<StatementLine[]> {
    const from = date.toZonedDateTime(TIME_ZONE).toInstant();
    const to = date.add({ days: 1 }).toZonedDateTime(TIME_ZONE).toInstant();
    const query = { fromPostedDate: toQueryTime(from), toPostedDate: toQueryTime(to) };
    const all = await Array.fromAsync(this.transactions(wallet.issuerWalletId, query));
    return all
      .map((json) => toLine(json, wallet))
      .filter(({ bookedAt }) => !isBefore(bookedAt, from) && isBefore(bookedAt, to));
  }

  /** Lists what our wallets hold now. */
  async *balances(): AsyncIterable<IssuerBalance> {
    for await (const { issuerWalletId, externalReference, balancePence } of this.accounts({
      showAvailableBalance: 'true',
    }))
      if (externalReference !== '')
        yield { issuerWalletId, externalReference, currentPence: balancePence };
  }

  async *#pages<T>(path: string, query: Query, read: (json: unknown) => Page<T>): AsyncIterable<T> {
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const paged = { ...query, page: String(page), size: String(PER_PAGE) };
      const call = { method: 'GET', path: withQuery(path, paged) } as const;
      const { items, totalPages } = await this.#client.call(call, read);
      yield* items;
      const isLast = totalPages === null ? items.length < PER_PAGE : page + 1 >= totalPages;
      if (isLast || items.length === 0) return;
    }
    throw new ModulrUnavailable(`Modulr's list ${path} has no end`);
  }
}

function toLine(json: TransactionJson, wallet: IssuerWallet): StatementLine {
  const kind = kindOf(json.type, json.credit, Boolean(json.sourceExternalReference));
  const isOrdered = kind === 'transfer' || kind === 'payout';
  return {
    lineId: json.id,
    issuerWalletId: wallet.issuerWalletId,
    externalReference: wallet.externalReference,
    direction: json.credit ? 'credit' : 'debit',
    amountPence: toPence(json.amount),
    bookedAt: Temporal.Instant.from(json.postedDate),
    movementId: json.sourceId,
    kind,
    idempotencyKey: isOrdered ? json.sourceExternalReference || null : null,
    reference: json.description ?? '',
  };
}

/** Returns our name of the wallet that a transaction is on, where it is told. */
export const referenceOf = ({ account }: TransactionJson): string | null =>
  fromAccountReference(account?.externalReference);
