interface Behaviour {
  name: string;
  label: string;
  /** What happens when this account is to pay, or is asked for a consent. */
  summary: string;
}

/** What an account at a bank of the sandbox can do. */
export const BEHAVIOURS: readonly Behaviour[] = [
  { name: 'normal', label: 'Pays', summary: 'Pays while there is money.' },
  {
    name: 'refuses_consent',
    label: 'Bank refuses the consent',
    summary: 'The bank itself turns every consent down: consent_rejected.',
  },
  {
    name: 'withdraws_after_first',
    label: 'Withdraws after the first payment',
    summary: 'The customer withdraws the consent at the bank once the first payment was credited.',
  },
  {
    name: 'account_closed',
    label: 'Account is closed',
    summary: 'Every payment is refused for good: account_closed.',
  },
  {
    name: 'slow',
    label: 'Four hours pending',
    summary: 'Payments are pending for four hours, then credited.',
  },
  {
    name: 'unreachable',
    label: 'Bank drops the connection, no money moves',
    summary: 'For six hours the bank drops the connection and takes no money.',
  },
  {
    name: 'unanswered',
    label: 'Bank drops the connection after taking the money',
    summary: 'The bank takes the money and drops the connection: collected once all the same.',
  },
  {
    name: 'credited_next_day',
    label: 'Credited a day later',
    summary: 'Debited at once, credited a day later; only then is the payment a success.',
  },
  {
    name: 'rejected_later',
    label: 'Refused after an hour',
    summary: 'Payments are pending, then refused as suspected fraud after an hour: blocked.',
  },
  {
    name: 'fails_first',
    label: 'First payment fails, later ones work',
    summary: 'The first payment of a consent fails for technical reasons, later ones work.',
  },
  {
    name: 'stops_at_acsc',
    label: 'Never reports ACCC',
    summary: 'The bank stops at ACSC: the money arrives, and the bank never says so.',
  },
  {
    name: 'omits_optional_fields',
    label: 'Leaves out optional fields',
    summary: 'Answers leave out every optional field: no reason of a refusal, no account.',
  },
  {
    name: 'bare_errors',
    label: 'Gateway answers bare errors',
    summary: 'Every third call gets a bare 400, 403, 404 or 502, unsigned and without a code.',
  },
  {
    name: 'loses_requests',
    label: 'Loses requests on their way',
    summary: 'Every third call is lost before it arrives at the bank.',
  },
  {
    name: 'loses_answers',
    label: 'Loses answers',
    summary: 'Every third call is carried out by the bank, and its answer is lost.',
  },
];

const OF_BANKS = [
  'stops_at_acsc',
  'omits_optional_fields',
  'bare_errors',
  'loses_requests',
  'loses_answers',
];

/** What a whole bank can do, for all of its accounts. */
export const BANK_BEHAVIOURS = BEHAVIOURS.filter(({ name }) => OF_BANKS.includes(name));

/** A behaviour's label; its own name where it is not known here. */
export function behaviourLabel(name: string): string {
  return BEHAVIOURS.find((one) => one.name === name)?.label ?? name;
}
