import { bankStates, trustBank } from '../server/src/consents/bank-trust-store.ts';
import { listWaiting } from '../server/src/payments/books/waiting-store.ts';
import { OperatorRefusal } from '../server/src/payments/operator/decide.ts';
import { giveUpPayment } from '../server/src/payments/operator/give-up.ts';
import { confirmDoubtedAccount } from '../server/src/settlements/account-trust.ts';
import { listWaiting as listWaitingSettlements } from '../server/src/settlements/return-store.ts';
import { askAgain } from './missing-notices.ts';
import { endItems } from './unallocated.ts';
import type { World } from './world.ts';

const MINUTES_OF_A_DAY = 24 * 60;
const DAILY_CHECK_HOUR = 11;
const MAX = 1000;
const OPERATOR = 'Ms Hill';

/**
 * Once a day an operator looks at what waits for a person and decides: the bank is asked, by telephone, for payments without an
 * end, and only what it does not have in its books, or has given back to the payer, is given up (docs: "Operations"). What was
 * sent under a consent that has ended and never came to the bank must end on its own: nobody asks for it.
 */
export function operate(world: World, day = 1): void {
  const at = world.settings.start.add({ minutes: day * MINUTES_OF_A_DAY + DAILY_CHECK_HOUR * 60 });
  world.agenda.add(at, 'operator', async () => {
    await askAgain(world);
    for (const id of await waiting(world)) await giveUp(world, id);
    await endItems(world, day);
    await trustBanks(world);
    await confirmAccounts(world);
    operate(world, day + 1);
  });
}

/** A bank at which many consents vanished at once confirms, by telephone, that they are over. */
async function trustBanks({ db, clock, history }: World): Promise<void> {
  for (const { bankId } of await db.read((tx) => bankStates(tx))) {
    const isDone = await db.transaction((tx) => trustBank(tx, clock.at, bankId, 'by telephone'));
    if (isDone) history.count('operator: bank trusted again');
  }
}

/** A merchant to whom a pay-out came back says, by telephone, that its account is right. */
async function confirmAccounts({ db, clock, history }: World): Promise<void> {
  const atSettlements = await db.read(listWaitingSettlements);
  for (const merchantId of new Set(atSettlements.map((row) => row.merchantId))) {
    const reason = 'the merchant confirmed it';
    const isDone = await db.transaction((tx) =>
      confirmDoubtedAccount({ tx, now: clock.at, merchantId }, reason),
    );
    if (isDone) history.count('operator: account confirmed');
  }
}

/**
 * Payments on the operators' list that the bank has nothing of, or whose money the payer has back. Where pay-ins have no name,
 * also one whose money was taken for an equal payment that the payer was not debited for in the end.
 */
async function waiting(world: World): Promise<string[]> {
  const { db, clock, banks } = world;
  const all = await db.read((tx) => listWaiting(tx, clock.at, MAX));
  const ended = await db.read((tx) =>
    tx.rows<{ paymentId: string }>(
      `SELECT p.payment_id FROM payments p JOIN consents c USING (merchant_id, consent_id)
       WHERE p.status = 'processing' AND c.status = 'revoked'`,
    ),
  );
  const isEnded = new Set(ended.map((row) => row.paymentId));
  const isSpent = await spentOnOthers(world);
  return all
    .map((row) => row.payment_id)
    .filter((id) => {
      const atBanks = [...banks.values()];
      if (isSpent.has(id)) return true;
      if (atBanks.some((bank) => bank.liveOf(id).length > 0)) return false;
      return !isEnded.has(id) || atBanks.some((bank) => bank.hasGivenBack(id));
    });
}

/**
 * Payments that are still open although the wallet has an equal payment which succeeded, and whose own debit failed or was
 * refunded: the money was booked to the other one.
 */
export async function spentOnOthers(
  { db, banks, issuer }: World,
  dueSince = Temporal.Instant.fromEpochMilliseconds(0),
): Promise<Set<string>> {
  if (!issuer.ways.namelessPayIns) return new Set();
  const rows = await db.read((tx) =>
    tx.rows<{ paymentId: string; equal: string }>(
      `SELECT p.payment_id, q.payment_id AS equal FROM payments p
       JOIN payments q ON q.merchant_id = p.merchant_id AND q.wallet_id = p.wallet_id
         AND q.amount_pence BETWEEN p.amount_pence - 1 AND p.amount_pence -- a penny short was accepted
         AND q.status = 'success'
       WHERE p.status = 'processing' AND p.due_date >= $1`,
      [dueSince],
    ),
  );
  const atBanks = [...banks.values()];
  const hasNoDebit = (id: string): boolean => atBanks.every((bank) => bank.liveOf(id).length === 0);
  return new Set(rows.filter((row) => hasNoDebit(row.equal)).map((row) => row.paymentId));
}

async function giveUp({ processes, history }: World, paymentId: string): Promise<void> {
  const word = {
    by: OPERATOR,
    reason: 'the bank has no such payment, or gave it back to the payer',
    evidence: 'a letter of the bank',
  };
  try {
    await processes.ask(async ({ authorisation }) => {
      await giveUpPayment(authorisation, paymentId, word);
    });
    history.count('operator: given up');
  } catch (error) {
    if (!(error instanceof OperatorRefusal)) throw error;
    history.note('operator', paymentId, error.message);
    history.count('operator: refused');
  }
}
