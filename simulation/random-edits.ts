import type { UpdateBody } from '../server/src/schedules/request/request.ts';
import type { Plan } from './book/book.ts';
import { isWorkingDay, LONDON } from './book/days.ts';
import type { Merchants } from './merchants.ts';
import type { World } from './world.ts';

const NOON = 12 * 60;
const EVENING = 19 * 60;
/** Of the schedules of every day or every second day, and of the others. */
const TOUCHED_OFTEN = 0.5;
const EDIT_PROBABILITY = 0.1;
const REFUNDED = 0.6;
const LONGEST_PAUSE_MINUTES = 3;

/**
 * Merchants change schedules where that is most delicate: at noon before a day that is no working day, and on such a day. They
 * pause them and resume them a minute later, until the next morning, lower and raise amounts, and set ends. In the evening,
 * when there is money in the wallet, they refund a part of something.
 */
export function planRandomEdits(world: World, merchants: Merchants): void {
  const { agenda, chance, settings } = world;
  for (let n = 0; n < settings.days; n++) {
    const day = settings.start.toZonedDateTimeISO(LONDON).add({ days: n }).toPlainDate();
    const at = (minutes: number): Temporal.Instant =>
      day.toZonedDateTime(LONDON).add({ minutes }).toInstant();
    const isDelicate = [day, day.add({ days: 1 })].some((one) => !isWorkingDay(one));
    const noon = at(NOON + chance.whole(0, 60, 'fidgets', n));
    if (isDelicate && Temporal.Instant.compare(noon, settings.start) > 0)
      agenda.add(noon, 'fidgets', () => changeSome(world, merchants, n));
    const evening = at(EVENING + chance.whole(0, 60, 'refunds of the evening', n));
    agenda.add(evening, 'refunds', () => merchants.refundSome(REFUNDED, n));
  }
}

async function changeSome(world: World, merchants: Merchants, day: number): Promise<void> {
  const { book, chance } = world;
  const plans = [...book.plans.values()].sort((a, b) => (a.scheduleId < b.scheduleId ? -1 : 1));
  for (const plan of plans) {
    const { type, interval } = plan.asked.rhythm;
    const likely = type === 'daily' && interval <= 2 ? TOUCHED_OFTEN : EDIT_PROBABILITY;
    if (plan.live === null || !chance.happens(likely, 'fidget', plan.scheduleId, day)) continue;
    await change(world, merchants, plan, day);
  }
}

async function change(
  { agenda, chance, clock }: World,
  merchants: Merchants,
  { scheduleId, merchant: { merchantId }, asked }: Plan,
  day: number,
): Promise<void> {
  const about = ['fidget', scheduleId, day] as const;
  const update = (what: string, body: UpdateBody): Promise<void> =>
    merchants.update(merchantId, scheduleId, what, body);
  const amount = (share: number): UpdateBody => ({
    amount: { value: Math.max(1, Math.ceil(asked.pence * share)), currency: 'GBP' },
  });
  const share = chance.share(...about);
  if (share < 0.35) {
    const minutes = chance.whole(1, LONGEST_PAUSE_MINUTES, ...about, 'paused');
    agenda.add(clock.at.add({ minutes }), `resume ${scheduleId}`, () =>
      update('resume', { status: 'active' }),
    );
    return update('pause', { status: 'paused' });
  }
  if (share < 0.5) {
    const minutes = chance.whole(10, 30 * 60, ...about, 'until');
    const resume_at = clock.at.add({ minutes }).toString();
    return update('pause until', { status: 'paused', resume_at });
  }
  if (share < 0.75) return update('change', amount(chance.pick([0.5, 0.9, 1], ...about, 'less')));
  if (share < 0.9) return update('change', amount(chance.pick([1.1, 2], ...about, 'more')));
  const days = chance.whole(3, 60, ...about, 'end');
  return update('change', { end_date: clock.at.add({ hours: 24 * days }).toString() });
}
