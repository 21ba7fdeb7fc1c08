import { BankUnavailable } from '../server/src/banks/bank.ts';
import { bankStates, trustBank } from '../server/src/consents/bank-trust.ts';
import { giveUpPayment } from '../server/src/payments/give-up.ts';
import { Refusal } from '../server/src/payments/refusal.ts';
import { IssuerUnavailable } from '../server/src/wallets/issuer.ts';
import type { World } from './world.ts';

const MINUTES_OF_A_DAY = 24 * 60;
const HOUR_OF_THE_LOOK = 11;

/**
 * Once a day an operator asks the bank, by telephone, for what has had no outcome for 30 hours. Only what the bank does not
 * have in its books is given up (docs: "Operations"). What was sent under a consent that has ended must end by itself: nobody
 * asks for it.
 */
export function operate(world: World, day = 1): void {
  const at = world.settings.start.add({ minutes: day * MINUTES_OF_A_DAY + HOUR_OF_THE_LOOK * 60 });
  world.agenda.add(at, 'operator', async () => {
    for (const id of await silent(world)) await giveUp(world, id);
    await trustBanks(world);
    operate(world, day + 1);
  });
}

/** A bank at which many consents vanished at once confirms, by telephone, that they are over. */
async function trustBanks({ db, clock, history }: World): Promise<void> {
  for (const { bank_id: bankId } of await db.read((tx) => bankStates(tx))) {
    const isDone = await db.transaction((tx) => trustBank(tx, clock.at, bankId, 'by telephone'));
    if (isDone) history.count('operator: bank trusted again');
  }
}

async function silent({ db, clock }: World): Promise<string[]> {
  const rows = await db.read((tx) =>
    tx.rows<{ payment_id: string }>(
      `SELECT payment_id FROM payments p JOIN attempts a USING (merchant_id, payment_id)
       JOIN consents c USING (merchant_id, consent_id)
       WHERE p.status = 'processing' AND a.status IN ('started', 'processing') AND a.sent_at < $1 AND c.status <> 'revoked'
       ORDER BY payment_id`,
      [clock.at.subtract({ hours: 30 })],
    ),
  );
  return rows.map((row) => row.payment_id);
}

async function giveUp(world: World, paymentId: string): Promise<void> {
  const { banks, processes, history } = world;
  const isKnown = [...banks.values()].some((bank) => bank.liveOf(paymentId).length > 0);
  if (isKnown) return;
  try {
    await processes.ask(async ({ authorisation }) => {
      await giveUpPayment(authorisation, paymentId, {
        by: 'Ms Hill',
        reason: 'the bank has no such payment',
      });
    });
    history.count('operator: given up');
  } catch (error) {
    if (error instanceof BankUnavailable || error instanceof IssuerUnavailable) return;
    if (!(error instanceof Refusal)) throw error;
    history.note('operator', paymentId, error.message);
    history.count('operator: refused');
  }
}
