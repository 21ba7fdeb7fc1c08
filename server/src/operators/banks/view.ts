import Type, { type Static } from 'typebox';
import { ConditionFields, viewCondition } from '../../banks/bank-routes.ts';
import type { Unsent } from '../../payments/books/unsent-store.ts';
import { AmountOrZero, Instant, NamedObject, OrNull } from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { HoldView, viewHold } from '../admin/hold-view.ts';
import { DayFields, type DayView } from './day.ts';
import type { KnownBank } from './read.ts';

/** A bank of the configuration. */
export interface NamedBank {
  bankId: string;
  name: string;
}

const count = Type.Integer({ minimum: 0 });

/** Our registration with a direct bank. */
export interface Registration {
  bankId: string;
  issuer: string;
  clientId: string;
  certificates: readonly { certificate: string; validTo: Temporal.Instant }[];
}

export const BankView = NamedObject('AdminBank', {
  id: Type.String(),
  name: OrNull(Type.String({ description: 'Null: no longer configured.' })),
  registration: OrNull(
    NamedObject('AdminBankRegistration', {
      issuer: Type.String(),
      client_id: Type.String(),
      certificates: Type.Array(
        NamedObject('AdminBankCertificate', { certificate: Type.String(), valid_to: Instant }),
      ),
    }),
  ),
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
  ...DayFields,
  waiting: NamedObject('AdminBankWaiting', {
    payments: count,
    merchants: count,
    amount: AmountOrZero,
    since: OrNull({ ...Instant, description: 'When the oldest of them was due.' }),
  }),
});

/** Shows a bank; `name` null: it is no longer configured. */
export function viewBank(
  { bankId, state, stop, standing, unsent }: KnownBank,
  name: string | null,
  registration: Registration | null,
  day: DayView,
): Static<typeof BankView> {
  return {
    id: bankId,
    name,
    registration: registration === null ? null : viewRegistration(registration),
    stopped: stop === undefined ? null : viewHold(stop),
    distrusted_since: formatInstant(state?.distrustedSince ?? null),
    consents_granted: state?.consentsGranted ?? 0,
    consents_in_doubt: state?.consentsInDoubt ?? 0,
    consents_suspended: state?.consentsSuspended ?? 0,
    deletions_waiting: state?.deletionsWaiting ?? 0,
    ...viewCondition(standing),
    ...day,
    waiting: viewUnsent(unsent),
  };
}

const viewRegistration = ({ issuer, clientId, certificates }: Registration) => ({
  issuer,
  client_id: clientId,
  certificates: certificates.map(({ certificate, validTo }) => ({
    certificate,
    valid_to: formatInstant(validTo),
  })),
});

/** Shows what is due at a bank and not sent. */
const viewUnsent = ({ payments, merchants, pence, oldest }: Unsent) => ({
  payments,
  merchants,
  amount: { value: pence, currency: 'GBP' as const },
  since: formatInstant(oldest),
});
