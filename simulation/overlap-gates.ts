import type { Db, SqlValue, Tx } from '../server/src/platform/db/db.ts';
import type { Gate } from '../server/test-support/gate.ts';

/** Where a process may stand still: at a call to its bank, or before a statement of a transaction that contains this text. */
export const GATE_POINTS = [
  'the bank: submitPayment',
  'the bank: confirmFunds',
  'INSERT INTO payment_orders',
  'UPDATE attempts a SET sent_at',
  'UPDATE payment_orders o SET taken_back_at',
  'UPDATE payment_work',
  'UPDATE payments',
  'UPDATE attempts',
  'UPDATE consents',
  'INSERT INTO state_changes',
  'INSERT INTO transfers',
  'INSERT INTO to_settle',
  'FROM payment_work',
  'FROM consents',
] as const satisfies readonly [string, ...string[]];

export type GatePoint = (typeof GATE_POINTS)[number];

/** Lets a process stand still once, at the n-th time that it comes to a place. */
export class Standstill {
  readonly #gate: Gate;
  readonly #place: GatePoint;
  #left: number;

  constructor(gate: Gate, place: GatePoint, nth: number) {
    this.#gate = gate;
    this.#place = place;
    this.#left = nth;
  }

  /** Waits here if this is the place. */
  async at(what: string): Promise<void> {
    if (this.#left === 0 || !what.includes(this.#place)) return;
    this.#left -= 1;
    if (this.#left === 0) await this.#gate.pass();
  }

  /** Returns the database of a process that stands still before a statement; the transaction stays open meanwhile. */
  wrap(db: Db): Db {
    const watched = (tx: Tx): Tx => ({
      ...tx,
      rows: async <R extends object>(sql: string, values?: readonly SqlValue[]) => {
        await this.at(sql);
        return tx.rows<R>(sql, values);
      },
      row: async <R extends object>(sql: string, values?: readonly SqlValue[]) => {
        await this.at(sql);
        return tx.row<R>(sql, values);
      },
      run: async (sql, values) => {
        await this.at(sql);
        return tx.run(sql, values);
      },
      insert: async (sql, values) => {
        await this.at(sql);
        return tx.insert(sql, values);
      },
    });
    return {
      ...db,
      transaction: (work, options) => db.transaction((tx) => work(watched(tx)), options),
    };
  }
}
