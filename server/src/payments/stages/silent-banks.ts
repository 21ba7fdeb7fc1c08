import { isTroubled } from '../../banks/condition-store.ts';
import type { Tx } from '../../platform/db/db.ts';

/**
 * The banks that did not answer the last call for a payment of this process, or that are in trouble with what a payment waits
 * for: they are asked before they get an order, until their answers have ended the trouble
 * (docs/rules/payments.md#checks-before-the-first-order).
 */
export class SilentBanks {
  readonly #ids = new Set<string>();

  /** Reads the condition of a bank, which other processes know as well. */
  async read(tx: Tx, bankId: string): Promise<void> {
    if (await isTroubled(tx, bankId)) this.#ids.add(bankId);
  }

  has(bankId: string): boolean {
    return this.#ids.has(bankId);
  }

  /** Notes whether a bank has answered a call. */
  note(bankId: string, hasAnswered: boolean): void {
    if (hasAnswered) this.#ids.delete(bankId);
    else this.#ids.add(bankId);
  }
}
