import { groupInWork } from '../cluster/shards.ts';
import type { Tx } from '../db/db.ts';
import { isAfter } from '../values/instants.ts';

/** A row that belongs to a merchant. */
export interface OfMerchant {
  merchantId: string;
}

/** A row that was written as claimed until a moment. */
export interface HandedOffRow<R> {
  row: R;
  until: Temporal.Instant;
}

/** How many rows are kept in memory; beyond it the next step claims them from its queue. */
const MAX = 5_000;

/**
 * Claims that are handed on in memory: whoever finishes one step of a row writes the row as claimed for the next step, and
 * hands it over once that is committed. If the process crashes, the lease of the claim falls due.
 */
export class LeaseHandoff<R extends OfMerchant> {
  readonly lease: Temporal.Duration;
  /** Whether an engine of this process runs the next step: nobody else takes what is handed on. */
  hasConsumer = false;
  #rows: HandedOffRow<R>[] = [];

  constructor(lease: Temporal.Duration) {
    this.lease = lease;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /** Counts the rows of each key. */
  countBy(keyOf: (row: R) => string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { row } of this.#rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
    return counts;
  }

  /** Returns when rows that are finished at `now` fall due: after the lease if they can be handed on, otherwise at once. */
  dueAt(now: Temporal.Instant): Temporal.Instant {
    return this.hasConsumer && this.#rows.length < MAX ? now.add(this.lease) : now;
  }

  /** Hands over rows that were written with `dueAt`, when the transaction is committed. */
  handOver(tx: Tx, now: Temporal.Instant, dueAt: Temporal.Instant, rows: readonly R[]): void {
    if (!isAfter(dueAt, now)) return;
    tx.afterCommit(() => this.#rows.push(...rows.map((row) => ({ row, until: dueAt }))));
  }

  /** Takes out every row, with its lease: the engine has stopped, and the claims are to be given back. */
  clear(): HandedOffRow<R>[] {
    return this.#rows.splice(0);
  }

  /** Returns whose rows were handed on. */
  merchantIds(): string[] {
    return [...new Set(this.#rows.map(({ row }) => row.merchantId))];
  }

  /**
   * Takes up to `limit` rows of the merchants in work, the earliest first. Those with less than half of their lease left are
   * left to it.
   */
  take(now: Temporal.Instant, limit: number): R[] {
    return this.takeWithLease(now, limit).map(({ row }) => row);
  }

  /** The same, each with the end of its lease. */
  takeWithLease(now: Temporal.Instant, limit: number): HandedOffRow<R>[] {
    const half = now.add({ milliseconds: this.lease.total('milliseconds') / 2 });
    return this.#takeOut(limit).filter(({ until }) => isAfter(until, half));
  }

  #takeOut(limit: number): HandedOffRow<R>[] {
    const group = groupInWork();
    if (group === undefined) return this.#rows.splice(0, limit);
    const merchants = new Set(group);
    const taken = this.#rows.filter(({ row }) => merchants.has(row.merchantId)).slice(0, limit);
    const isTaken = new Set(taken);
    this.#rows = this.#rows.filter((one) => !isTaken.has(one));
    return taken;
  }
}
