/** Behaviour that the standard leaves to the bank, and network faults on calls. */
export const QUIRKS = {
  stops_at_acsc: 'Payments end at ACSC: the money arrives, ACCC is never reported',
  omits_optional_fields: 'Answers leave out every optional field',
  ignores_debtor_account:
    'Customers may pay from any of their accounts, whichever the request names',
  unavailable: 'Every call answers 503',
  refuses_clients: 'The token endpoint lets nobody in: invalid_client',
  bare_errors: 'A gateway answers every third call with a bare 400, 403, 404 or 502',
  loses_requests: 'Every third call is lost before it arrives',
  loses_answers: 'Every third call is carried out, and its answer is lost',
} as const;

export type Quirk = keyof typeof QUIRKS;

export function isQuirk(name: unknown): name is Quirk {
  return typeof name === 'string' && Object.hasOwn(QUIRKS, name);
}
