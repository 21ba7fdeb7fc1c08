import type { Movement } from '../server/src/wallets/issuer.ts';
import type { World } from './world.ts';

/** So long the service may take to find what it was not told of. */
const MISSED_AFTER = Temporal.Duration.from({ hours: 24 });

const TOLD: ReadonlySet<Movement['kind']> = new Set(['payin', 'payout_return', 'payin_recall']);

/** The operator holds the issuer's statement against our books, and has told again what is missing in them. */
export async function askAgain(world: World): Promise<void> {
  const { clock, history, issuer } = world;
  const isOld = ({ createdAt }: Movement): boolean =>
    Temporal.Instant.compare(createdAt.add(MISSED_AFTER), clock.at) <= 0;
  const told = issuer.all().filter((movement) => TOLD.has(movement.kind) && isOld(movement));
  const booked = await bookedOf(
    world,
    told.map((movement) => movement.movementId),
  );
  for (const movement of told) {
    if (booked.has(movement.movementId)) continue;
    history.note('operator', 'asks again for', movement.movementId);
    history.count('operator: notice asked for again');
    issuer.tellAgain(movement);
  }
}

/** Which movements of money that nobody here ordered are in our books. */
async function bookedOf({ db }: World, movementIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.read((tx) =>
    tx.rows<{ source_id: string }>(
      `SELECT source_id FROM transfers WHERE kind IN ('pay_in', 'extra_pay_in', 'pay_out_return', 'recall')
         AND source_id = ANY ($1)`,
      [movementIds],
    ),
  );
  return new Set(rows.map((row) => row.source_id));
}
