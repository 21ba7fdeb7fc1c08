import Type, { type Static } from 'typebox';
import { ConditionFields, viewStanding } from '../../banks/bank-routes.ts';
import type { BankStop } from '../../banks/stop-store.ts';
import type { BankState } from '../../consents/bank-trust-store.ts';
import { formatInstant } from '../../platform/calendar.ts';
import { AmountOrZero, Instant, NamedObject, OrNull } from '../../platform/http/schemas.ts';
import { HoldView, viewHold } from '../admin/hold-view.ts';
import type { BankFacts } from '../health/report.ts';

/** A bank of the configuration. */
export interface NamedBank {
  bankId: string;
  name: string;
}

const count = Type.Integer({ minimum: 0 });

export const BankView = NamedObject('AdminBank', {
  id: Type.String(),
  name: OrNull(Type.String({ description: 'Null: no longer configured.' })),
  stopped: OrNull({ ...HoldView, description: 'No payment order goes to the bank.' }),
  distrusted_since: OrNull({
    ...Instant,
    description: 'Since when its answers about consents are ignored.',
  }),
  consents_granted: count,
  consents_in_doubt: count,
  consents_suspended: count,
  deletions_waiting: count,
  ...ConditionFields,
  waiting: NamedObject('AdminBankWaiting', {
    payments: count,
    merchants: count,
    amount: AmountOrZero,
    since: OrNull({ ...Instant, description: 'When the oldest of them was due.' }),
  }),
});

export function viewBank(
  id: string,
  name: string | null,
  state: BankState | undefined,
  stop: BankStop | undefined,
  { standing, unsent }: BankFacts,
): Static<typeof BankView> {
  return {
    id,
    name,
    stopped: stop === undefined ? null : viewHold(stop),
    distrusted_since: formatInstant(state?.distrusted_since ?? null),
    consents_granted: state?.consents_granted ?? 0,
    consents_in_doubt: state?.consents_in_doubt ?? 0,
    consents_suspended: state?.consents_suspended ?? 0,
    deletions_waiting: state?.deletions_waiting ?? 0,
    ...viewStanding(standing),
    waiting: {
      payments: unsent.payments,
      merchants: unsent.merchants,
      amount: { value: unsent.pence, currency: 'GBP' },
      since: formatInstant(unsent.oldest),
    },
  };
}
