import type { Merchants } from './merchants.ts';
import type { Outage } from './troubles.ts';
import type { World } from './world.ts';

const MAX_ACTS = 4;

/** A payment that may be under way, or was not long ago. */
interface Row {
  merchantId: string;
  scheduleId: string;
  paymentId: string;
  status: string;
}

/** While a bank is away people go on: customers withdraw, merchants cancel, pause, resume and retry what it has not answered. */
export function planOutages(world: World, merchants: Merchants): void {
  const { banks, settings, troubles } = world;
  for (let n = 0; n < settings.days; n++) {
    const day = settings.start
      .add({ hours: 24 * n })
      .toZonedDateTimeISO('UTC')
      .startOfDay();
    for (const bankId of banks.keys()) {
      const outage = troubles.outageOn(bankId, day);
      if (outage !== null) planActs(world, merchants, bankId, outage);
    }
  }
}

function planActs(world: World, merchants: Merchants, bankId: string, outage: Outage): void {
  const { agenda, chance, settings } = world;
  const { from, until } = outage;
  const minutes = Math.round(until.since(from).total('minutes'));
  const about = [bankId, from.toString()] as const;
  const acts = chance.whole(1, MAX_ACTS, 'acts in an outage', ...about);
  for (let n = 0; n < acts; n++) {
    const after = Math.ceil(minutes * chance.share('act in an outage', ...about, n) ** 2);
    const at = from.add({ minutes: after });
    if (Temporal.Instant.compare(at, settings.start) <= 0) continue;
    const name = `${about.join(' ')} ${n}`;
    agenda.add(at, `in outage ${name}`, () => act(world, merchants, bankId, name));
  }
}

async function act(
  { agenda, db, chance, clock, troubles, history }: World,
  merchants: Merchants,
  bankId: string,
  name: string,
): Promise<void> {
  if (troubles.isCalm) return;
  const [first, ...others] = await db.read((tx) =>
    tx.rows<Row>(
      `SELECT merchant_id, schedule_id, payment_id, status FROM payments LEFT JOIN payment_work w USING (merchant_id, payment_id)
       WHERE payments.bank_id = $1 AND (stage = 'submit'
         OR (status IN ('failed', 'pending') AND attempts > 0 AND due_date > $2))
       ORDER BY payment_id`,
      [bankId, clock.at.subtract({ hours: 48 })],
    ),
  );
  if (first === undefined) return;
  const chosen = chance.pick([first, ...others], 'act in an outage', name, 'on');
  history.count('acts in an outage');
  const { merchantId, scheduleId } = chosen;
  const sayNo = (): Promise<void> => merchants.sayNo(merchantId, scheduleId, name);
  if (chosen.status !== 'failed') return sayNo();
  await merchants.retryByHand(merchantId, chosen.paymentId);
  if (!chance.happens(0.6, 'act in an outage', name, 'thinks again')) return;
  const minutes = chance.whole(1, 60, 'act in an outage', name, 'thinks again after');
  agenda.add(clock.at.add({ minutes }), `thinks again ${name}`, sayNo);
}
