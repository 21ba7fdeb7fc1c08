import type { Api, ApiCaller } from './api.ts';
import type { World } from './world.ts';

const CHANGED = 0.12;
/** ... where nothing is collected unless an amount is set. */
const SET = 0.6;

/**
 * On a day, a merchant sets what the next occurrences of some schedules take, and leaves some out. What the limits do not leave,
 * and what has just fallen due, is the service's to refuse.
 */
export async function changeUpcoming(
  { book, clock, db, chance }: World,
  api: Api,
  merchant: ApiCaller,
  day: number,
): Promise<void> {
  const next = await db.read((tx) =>
    tx.rows<{ id: string; dueAt: Temporal.Instant; pence: number }>(
      `SELECT s.schedule_id AS id, a.due_at, t.amount_pence AS pence
       FROM schedules s JOIN schedule_agenda a USING (merchant_id, schedule_id) JOIN schedule_terms t
         ON t.merchant_id = s.merchant_id AND t.schedule_id = s.schedule_id AND t.version = s.live_version
       WHERE s.merchant_id = $1 AND s.status = 'active' AND a.due_at IS NOT NULL ORDER BY s.schedule_id`,
      [merchant.merchantId],
    ),
  );
  for (const { id, dueAt, pence } of next) {
    const isOpen = book.plans.get(id)?.live?.isPerOccurrence === true;
    if (!chance.happens(isOpen ? SET : CHANGED, 'occurrence', id, day)) continue;
    const path = `/api/v1/schedules/${id}/upcoming/${dueAt.toString()}`;
    const share = chance.share('occurrence', id, day, 'what');
    const value = chance.whole(1, Math.ceil(pence * 1.2), 'occurrence', id, day, 'pence');
    const body = share < 0.3 ? { skip: true } : { amount: { value, currency: 'GBP' } };
    const answer = await api.ask(merchant, 'change an occurrence', { method: 'PUT', path, body });
    const isSet = 'skip' in body ? null : value;
    if (answer !== null) book.set(clock.at.epochMilliseconds, id, dueAt.epochMilliseconds, isSet);
  }
}
