import type { BankConditionNow } from '../../banks/condition.ts';
import { readConditions } from '../../banks/condition-store.ts';
import { type BankStop, listStops } from '../../banks/stop-store.ts';
import { type BankState, bankStates } from '../../consents/bank-trust-store.ts';
import { findUnsent, NONE_UNSENT, type Unsent } from '../../payments/books/unsent-store.ts';
import type { Tx } from '../../platform/db/db.ts';

/** A bank, configured or with consents, as the books know it. */
export interface KnownBank {
  bankId: string;
  state: BankState | undefined;
  stop: BankStop | undefined;
  standing: BankConditionNow;
  unsent: Unsent;
}

/** Returns every bank, configured, stopped or with consents, by id. */
export async function readBanks(
  tx: Tx,
  now: Temporal.Instant,
  configured: readonly string[],
): Promise<KnownBank[]> {
  const [states, stops, standing] = await Promise.all([
    bankStates(tx),
    listStops(tx),
    readConditions(tx, now),
  ]);
  const ids = new Set([
    ...configured,
    ...states.map((state) => state.bankId),
    ...stops.map((stop) => stop.bankId),
  ]);
  const unsent = await findUnsent(tx, now, ids);
  return [...ids].sort().map((bankId) => ({
    bankId,
    state: states.find((state) => state.bankId === bankId),
    stop: stops.find((stop) => stop.bankId === bankId),
    standing: standing(bankId),
    unsent: unsent.get(bankId) ?? NONE_UNSENT,
  }));
}
