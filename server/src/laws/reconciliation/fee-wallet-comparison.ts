import type { Platform } from '../../platform/platform.ts';
import { earlier, isBefore } from '../../platform/values/instants.ts';
import type { Issuer, Movement } from '../../wallets/issuer.ts';
import type { Examined } from '../findings/finding.ts';
import { countOwners, readCounted, readTransferredFees } from './fee-wallet-books.ts';

/** How often the wallet is examined if it changes meanwhile. */
const TRIES = 3;
/** Movements of the owner are counted for good once they are older than this: until then one may still fail. */
const FINAL_AFTER = Temporal.Duration.from({ hours: 7 * 24 });
const EPOCH = Temporal.Instant.fromEpochMilliseconds(0);

/** What the movements of the fee wallet come to. */
interface Sums {
  /** What its owner paid in, less what the owner took out, in pence. */
  ownersPence: number;
  /** Fees that have arrived and are not booked yet. */
  underWayPence: number;
}

/**
 * Compares the operator's fee wallet with our books until both sides are stable: it has what we transferred, less what its owner
 * took out at the issuer. Only the issuer knows the latter; it is counted once, when it is final.
 */
export async function examineFeeWallet(
  platform: Platform,
  issuer: Issuer,
  walletId: string,
): Promise<Examined> {
  const { db, clock } = platform;
  for (let tries = 0; tries < TRIES; tries++) {
    const counted = await db.read(readCounted);
    const { balancePence } = await issuer.readWallet(walletId);
    const since = counted.to ?? EPOCH;
    const listed = await Array.fromAsync(issuer.listMovements(walletId, since));
    const movements = listed.filter(({ createdAt }) => !isBefore(createdAt, since));
    const { takenPence, booked } = await db.snapshot((tx) =>
      readTransferredFees(tx, movements.flatMap(settlementOf)),
    );
    if ((await issuer.readWallet(walletId)).balancePence !== balancePence) continue;
    const { ownersPence, underWayPence } = sumsOf(movements, walletId, booked);
    const pence = takenPence + counted.ownersPence + ownersPence;
    if (pence + underWayPence !== balancePence) {
      const under = underWayPence === 0 ? '' : `, under way ${underWayPence}`;
      const difference = `fee wallet: ledger ${pence}${under}, issuer ${balancePence}`;
      return { difference, reason: null };
    }
    const until = finalUntil(clock.now(), movements, booked);
    const final = movements.filter((one) => isBefore(one.createdAt, until));
    const finalPence = sumsOf(final, walletId, booked).ownersPence;
    await db.transaction((tx) => countOwners(tx, counted, { to: until, pence: finalPence }));
    return { difference: null, reason: null };
  }
  return { difference: null, reason: 'fee wallet: it changes while it is compared' };
}

/** Returns the settlement whose fees a movement transfers; none: its owner's movement. */
function settlementOf({ kind, idempotencyKey }: Movement): string[] {
  const [, settlementId] = /^(.+)-f\d+$/.exec(idempotencyKey ?? '') ?? [];
  return kind === 'transfer' && settlementId !== undefined ? [settlementId] : [];
}

function sumsOf(
  movements: readonly Movement[],
  walletId: string,
  booked: ReadonlySet<string>,
): Sums {
  const sums = { ownersPence: 0, underWayPence: 0 };
  for (const movement of movements) {
    const [settlementId] = settlementOf(movement);
    const pence = effectOf(movement, walletId);
    if (settlementId === undefined) sums.ownersPence += pence;
    else if (!booked.has(settlementId)) sums.underWayPence += pence;
  }
  return sums;
}

/** Returns by how many pence a movement has changed the wallet: what is pending has left where it comes from. */
function effectOf(
  { kind, status, fromIssuerWalletId, amountPence }: Movement,
  walletId: string,
): number {
  if (status === 'failed' || kind === 'payin_recall') return 0;
  if (fromIssuerWalletId === walletId && kind !== 'payout_return') return -amountPence;
  return status === 'settled' ? amountPence : 0;
}

/** Returns until when every movement is old and final, and every fee is booked. */
function finalUntil(
  now: Temporal.Instant,
  movements: readonly Movement[],
  booked: ReadonlySet<string>,
): Temporal.Instant {
  const isOpen = (movement: Movement): boolean =>
    movement.status === 'pending' || settlementOf(movement).some((id) => !booked.has(id));
  const open = movements.filter(isOpen).map(({ createdAt }) => createdAt);
  return [now.subtract(FINAL_AFTER), ...open].reduce((a, b) => earlier(a, b));
}
