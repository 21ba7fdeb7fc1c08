import type { World } from './world.ts';

/** So long money may be without a place: the service finds it on its own, or the operator asks for its notice again. */
const FOUND_WITHIN = Temporal.Duration.from({ hours: 72 });

interface PayInBooking {
  movementId: string;
  paid: number;
  listed: number;
  booked: number;
  /** Of the payments that it has paid for. */
  pence: number;
}

/**
 * The issuer's pay-ins held against our books: each has at most one place, and exactly one when there was time to find it: it
 * pays for one attempt that worked, or stands on the list of what is nobody's. Booked is what arrived, pence for pence.
 */
export async function comparePayIns(world: World, isOver: boolean): Promise<string[]> {
  const { clock, issuer } = world;
  const places = await bookingsOf(world);
  const wrong: string[] = [];
  for (const { kind, movementId, amountPence, createdAt } of issuer.all()) {
    if (kind !== 'payin') continue;
    const place = places.get(movementId);
    places.delete(movementId);
    const isOld = Temporal.Instant.compare(createdAt.add(FOUND_WITHIN), clock.at) <= 0;
    if (place === undefined) {
      if (isOver || isOld) wrong.push(`${movementId} of ${amountPence} has no place in our books`);
      continue;
    }
    const { paid, listed, booked } = place;
    if (paid + listed !== 1)
      wrong.push(`${movementId} pays for ${paid} attempts, and is on the list ${listed} times`);
    if (booked !== amountPence)
      wrong.push(`${movementId} is of ${amountPence}, booked are ${booked}`);
  }
  for (const [movementId, { booked }] of places)
    wrong.push(`${movementId} of ${booked} is in our books, the issuer has no such pay-in`);
  return wrong;
}

async function bookingsOf({ db }: World): Promise<Map<string, PayInBooking>> {
  const rows = await db.read((tx) =>
    tx.rows<PayInBooking>(
      `SELECT movement_id, sum(paid)::int AS paid, sum(listed)::int AS listed, sum(booked)::bigint AS booked,
         sum(pence)::bigint AS pence FROM (
         SELECT a.pay_in_id AS movement_id, 1 AS paid, 0 AS listed, 0 AS booked, p.amount_pence AS pence
           FROM attempts a JOIN payments p USING (merchant_id, payment_id)
           WHERE a.status = 'success' AND a.pay_in_id IS NOT NULL
         UNION ALL SELECT movement_id, 0, 1, 0, 0 FROM unallocated_items
           WHERE part_of IS NULL AND status NOT IN ('allocated', 'accepted_in_part') AND reason <> 'came_back'
         UNION ALL SELECT source_id, 0, 0, amount_pence, 0 FROM transfers WHERE kind IN ('pay_in', 'extra_pay_in')
       ) all_places GROUP BY 1`,
    ),
  );
  return new Map(rows.map((row) => [row.movementId, row]));
}
