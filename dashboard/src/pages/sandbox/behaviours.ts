interface Behaviour {
  name: string;
  label: string;
  /** What happens when this account has to pay, or is asked for a consent. */
  summary: string;
}

/** The behaviours of an account at a sandbox bank. */
export const BEHAVIOURS: readonly Behaviour[] = [
  { name: 'normal', label: 'Pays', summary: 'Pays while the balance allows.' },
  {
    name: 'refuses_consent',
    label: 'Bank refuses the consent',
    summary: 'The bank rejects every consent: consent_rejected.',
  },
  {
    name: 'withdraws_after_first',
    label: 'Withdraws after the first payment',
    summary: 'The customer withdraws consent at the bank after the first payment is credited.',
  },
  {
    name: 'asks_again_after_first',
    label: 'Has to confirm again after the first payment',
    summary:
      'After the first payment the bank wants the customer to confirm the consent again. Payments wait until they have.',
  },
  {
    name: 'account_closed',
    label: 'Account is closed',
    summary: 'Every payment is refused and not retried: account_closed.',
  },
  {
    name: 'slow',
    label: 'Pending for four hours',
    summary: 'Payments are pending for four hours, then credited.',
  },
  {
    name: 'unreachable',
    label: 'Bank drops the connection, no money moves',
    summary: 'The bank drops connections for six hours and takes no money.',
  },
  {
    name: 'unanswered',
    label: 'Bank drops the connection after taking the money',
    summary:
      'The bank takes the money and drops the connection. The payment is still collected exactly once.',
  },
  {
    name: 'credited_next_day',
    label: 'Credited a day later',
    summary: 'Debited immediately, credited a day later; only then does the payment succeed.',
  },
  {
    name: 'rejected_later',
    label: 'Refused after an hour',
    summary: 'Payments are pending for an hour, then refused as suspected fraud: blocked.',
  },
  {
    name: 'fails_first',
    label: 'First payment fails, later ones succeed',
    summary: 'The first payment under a consent fails for technical reasons; later ones succeed.',
  },
  {
    name: 'stops_at_acsc',
    label: 'Never reports ACCC',
    summary: 'The bank stops at ACSC: the money arrives, but the bank never confirms it.',
  },
  {
    name: 'omits_optional_fields',
    label: 'Omits optional fields',
    summary: 'Responses omit every optional field, including the refusal reason and the account.',
  },
  {
    name: 'bare_errors',
    label: 'Gateway returns bare errors',
    summary: 'Every third call gets a bare 400, 403, 404 or 502, unsigned and without a code.',
  },
  {
    name: 'loses_requests',
    label: 'Loses requests',
    summary: 'Every third call is lost before it reaches the bank.',
  },
  {
    name: 'loses_answers',
    label: 'Loses responses',
    summary: 'The bank carries out every third call, but its response is lost.',
  },
];

const OF_BANKS = [
  'stops_at_acsc',
  'omits_optional_fields',
  'bare_errors',
  'loses_requests',
  'loses_answers',
];

const UNAVAILABLE: Behaviour = {
  name: 'unavailable',
  label: 'Is unavailable',
  summary: 'Every call gets a 503 until you switch this off.',
};

const REFUSES_CLIENTS: Behaviour = {
  name: 'refuses_clients',
  label: 'Lets nobody in',
  summary: 'The token endpoint answers invalid_client, as to a key that the bank does not know.',
};

/** The behaviours of a whole bank, for all of its accounts. */
export const BANK_BEHAVIOURS = [
  UNAVAILABLE,
  REFUSES_CLIENTS,
  ...BEHAVIOURS.filter(({ name }) => OF_BANKS.includes(name)),
];

/** Returns a behaviour's label; its own name if it is not known here. */
export function behaviourLabel(name: string): string {
  return [...BEHAVIOURS, UNAVAILABLE].find((one) => one.name === name)?.label ?? name;
}
