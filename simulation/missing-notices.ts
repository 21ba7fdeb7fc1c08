import type { Movement } from '../server/src/wallets/issuer.ts';
import type { World } from './world.ts';

/** How long the service may take to find what no notice announced. */
const MISSED_AFTER = Temporal.Duration.from({ hours: 24 });

const NOTIFIED_KINDS: ReadonlySet<Movement['kind']> = new Set([
  'payin',
  'payout_return',
  'payin_recall',
]);

/** The operator holds the issuer's statement against our books, and has told again what is missing in them. */
export async function askAgain(world: World): Promise<void> {
  const { clock, history, issuer } = world;
  for (const movement of await findUnbooked(world)) {
    const dueAt = movement.createdAt.add(MISSED_AFTER);
    if (Temporal.Instant.compare(dueAt, clock.at) > 0) continue;
    history.note('operator', 'asks again for', movement.movementId);
    history.count('operator: notice asked for again');
    issuer.tellAgain(movement);
  }
}

/** Money that came to the issuer, came back or was recalled, and is not in our books. */
export async function findUnbooked(world: World): Promise<Movement[]> {
  const told = world.issuer.all().filter((movement) => NOTIFIED_KINDS.has(movement.kind));
  const booked = await bookedOf(
    world,
    told.map((movement) => movement.movementId),
  );
  return told.filter((movement) => !booked.has(movement.movementId));
}

/** Which movements of money that nobody here ordered are in our books. */
async function bookedOf({ db }: World, movementIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.read((tx) =>
    tx.rows<{ sourceId: string }>(
      `SELECT source_id FROM transfers WHERE kind IN ('pay_in', 'extra_pay_in', 'pay_out_return', 'recall')
         AND source_id = ANY ($1)`,
      [movementIds],
    ),
  );
  return new Set(rows.map((row) => row.sourceId));
}
