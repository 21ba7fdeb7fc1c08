import { NO_EVENT_LOST, ONE_EVENT } from '../laws/invariants/events-law.ts';
import { breachesAmong } from '../laws/invariants/law.ts';
import { NOTHING_AFTER_A_NO } from '../laws/invariants/orders-law.ts';
import type { Db } from '../platform/db/db.ts';
import type { Kind, Line } from './archive.ts';
import type { Subject } from './history-store.ts';

/** The laws that compare the books with events or state changes: they cannot see any more what is archived. */
const LAWS = [ONE_EVENT, NO_EVENT_LOST, NOTHING_AFTER_A_NO];

/**
 * Returns the subjects that a law holds back: something is wrong with their history, and it stays in the database until that is
 * explained. What is archived was therefore whole.
 */
export async function heldByLaws(
  db: Db,
  merchantId: string,
  kind: Kind,
  subjects: readonly Subject[],
  lines: readonly Line[],
): Promise<Set<string>> {
  if (kind === 'notice' || lines.length === 0) return new Set();
  const idsOf: Readonly<Record<string, readonly string[]>> = {
    schedule: subjects.flatMap(({ scheduleId }) => scheduleId ?? []),
    settlement: kind === 'settlement' ? subjects.map(({ id }) => id) : [],
    payment: kind === 'payment' ? subjects.map(({ id }) => id) : [],
    event: lines.flatMap(({ table, row }) => (table === 'events' ? String(row.event_id) : [])),
  };
  const broken = new Set<string>();
  for (const { noun, ...part } of LAWS.flatMap(({ parts }) => parts)) {
    const some = [...new Set(idsOf[noun])].map((id) => ({ merchantId, id }));
    if (some.length === 0) continue;
    for (const { id } of await breachesAmong(db, { noun, ...part }, some)) broken.add(id);
  }
  const subjectOf = new Map(lines.map(({ subject, row }) => [String(row.event_id ?? ''), subject]));
  return new Set(
    subjects
      .flatMap(({ id, scheduleId }) =>
        broken.has(id) || (scheduleId !== null && broken.has(scheduleId)) ? id : [],
      )
      .concat([...broken].flatMap((id) => subjectOf.get(id) ?? [])),
  );
}
