import Type, { type Static } from 'typebox';
import { BANK_CONDITIONS } from '../../banks/condition.ts';
import { conditionPeriods } from '../../banks/condition-history.ts';
import { listChanges } from '../../banks/condition-history-store.ts';
import { listStopsSince } from '../../banks/stop-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { Instant, NamedObject, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { later } from '../../platform/values/instants.ts';
import type { KnownBank } from './read.ts';

const DAY = Temporal.Duration.from({ hours: 24 });

/** How a bank was over the last 24 hours. */
export const DayFields = {
  last_day: Type.Array(
    NamedObject('AdminBankStretch', {
      condition: OrNull(OneOf(BANK_CONDITIONS, 'Null: nothing is known of this time.')),
      from: Instant,
      to: Instant,
    }),
    {
      description:
        'The conditions of the bank over the last 24 hours, without gaps. Trouble goes on through a minute without any.',
    },
  ),
  last_day_stops: Type.Array(NamedObject('AdminBankStopTime', { from: Instant, to: Instant }), {
    description: 'When an operator had stopped the bank within the last 24 hours.',
  }),
};

export type DayView = { [Field in keyof typeof DayFields]: Static<(typeof DayFields)[Field]> };

/** Returns a function that shows how a bank was over the last 24 hours. */
export async function readDays(
  tx: Tx,
  now: Temporal.Instant,
  banks: readonly KnownBank[],
): Promise<(bank: KnownBank) => DayView> {
  const from = now.subtract(DAY);
  const changes = await listChanges(
    tx,
    banks.map(({ bankId }) => bankId),
    from,
  );
  const stops = await listStopsSince(tx, from);
  return ({ bankId, standing }) => ({
    last_day: conditionPeriods(changes.get(bankId) ?? [], standing, { from, to: now }).map(
      (one) => ({
        condition: one.condition,
        from: formatInstant(one.from),
        to: formatInstant(one.to),
      }),
    ),
    last_day_stops: stops
      .filter((stop) => stop.bankId === bankId)
      .map(({ since, endedAt }) => ({
        from: formatInstant(later(since, from)),
        to: formatInstant(endedAt ?? now),
      })),
  });
}
