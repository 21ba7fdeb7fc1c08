import { openEventBody } from '../server/src/platform/state/events.ts';
import type { DisputeEvent, ShownDispute } from './book/disputes.ts';
import { movedOf } from './expectations.ts';
import type { World } from './world.ts';

/** Our disputes and their events, held against what people did and what the issuer paid. */
export async function compareDisputes(world: World, isOver: boolean): Promise<string[]> {
  const { book, disputes, history, issuer } = world;
  const wrong = disputes.findings(
    {
      shown: await shownOf(world),
      events: await eventsOf(world),
      refunds: book.refunds,
      moved: movedOf(world).moved,
      isNameless: issuer.ways.namelessPayIns,
    },
    isOver,
  );
  if (isOver) history.count(`expected: ${disputes.sharp} disputes in one state and no other`);
  return wrong;
}

async function shownOf({ db }: World): Promise<ShownDispute[]> {
  const rows = await db.read((tx) =>
    tx.rows<Omit<ShownDispute, 'deadline'> & { deadlineAt: Temporal.Instant }>(
      `SELECT dispute_id, payment_id, status, amount_pence AS pence, coalesce(returned_pence, 0)::bigint AS returned_pence,
         refund_id, deadline_at FROM disputes`,
    ),
  );
  return rows.map(({ deadlineAt, ...row }) => ({ ...row, deadline: deadlineAt.epochMilliseconds }));
}

async function eventsOf({ db, platform }: World): Promise<DisputeEvent[]> {
  const rows = await db.read((tx) =>
    tx.rows<{ eventId: string; kind: string; subjectId: string; body: string }>(
      `SELECT event_id, kind, subject_id, body FROM events WHERE kind LIKE 'dispute.%'
       ORDER BY schedule_id, sequence`,
    ),
  );
  return rows.map(({ eventId, kind, subjectId, body }) => {
    const { data } = JSON.parse(openEventBody(platform.vault, eventId, body)) as {
      data: { outcome?: string };
    };
    return { disputeId: subjectId, kind, outcome: data.outcome ?? null };
  });
}
