import { endStop, findStopped, insertStop } from '../../banks/stop-store.ts';
import { bankStates, trustBank } from '../../consents/bank-trust-store.ts';
import type { HoldDecision } from '../../merchants/holds/hold-service.ts';
import { lockHolds } from '../../merchants/holds/hold-store.ts';
import { resumeOrders } from '../../payments/books/held-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { recordServiceChange } from '../../platform/state/audit-trail.ts';
import { notFound } from '../../platform/values/errors.ts';

/** A decision about a bank: its transaction, and the moment of the change. */
export interface AboutBank {
  tx: Tx;
  now: Temporal.Instant;
  bankId: string;
}

/**
 * Stops all orders to a bank: docs/rules/holds.md#a-stopped-bank. Returns false if it is stopped already. Throws 404 `not_found`
 * for a bank that is neither in `known` nor has consents.
 */
export async function stopBank(
  about: AboutBank,
  { by, reason }: HoldDecision,
  known: readonly string[],
): Promise<boolean> {
  const { tx, now, bankId } = about;
  await lockHolds(tx);
  await requireBank(tx, bankId, known);
  if ((await findStopped(tx, [bankId])).size > 0) return false;
  await insertStop(tx, { bankId, since: now, by, reason });
  await note(about, 'bank_stopped', reason);
  return true;
}

/** Sends orders to a bank again; those that waited are due at once. Returns false if it is not stopped. */
export async function resumeBank(about: AboutBank, { by, reason }: HoldDecision): Promise<boolean> {
  const { tx, now, bankId } = about;
  if (!(await endStop(tx, bankId, { at: now, by, reason }))) return false;
  await note(about, 'bank_resumed', reason);
  await resumeOrders(tx, now, { bankId });
  return true;
}

/** Acts on a bank's answers about consents again. Returns false if they are believed already. */
export async function trustBankAgain(
  about: AboutBank,
  { by, reason }: HoldDecision,
): Promise<boolean> {
  const { tx, now, bankId } = about;
  if (!(await trustBank(tx, now, bankId, `${by}: ${reason}`))) return false;
  await note(about, 'bank_trusted', reason);
  return true;
}

async function requireBank(tx: Tx, bankId: string, known: readonly string[]): Promise<void> {
  if (known.includes(bankId)) return;
  const states = await bankStates(tx);
  if (!states.some(({ bankId: bank_id }) => bank_id === bankId)) throw notFound('bank');
}

function note({ tx, now, bankId }: AboutBank, to: string, reason: string): Promise<void> {
  return recordServiceChange(tx, now, { objectId: bankId, to, reason });
}
