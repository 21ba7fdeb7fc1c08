/** The fields of an event by which a person could be named or reached; only text in them is replaced. */
const PERSONAL: ReadonlySet<string> = new Set([
  'value',
  'name',
  'email',
  'phone',
  'reference',
  'account_number',
  'sort_code',
  'description',
  'notes',
  'note',
  'answer',
  'consent_url',
  'portal_url',
]);
const ERASED = '[erased]';

/** Returns an event's body without personal data: amounts, ids, states and moments stay. `metadata`: that too. */
export function redactEvent(body: string, options: { metadata: boolean }): string {
  return JSON.stringify(redact(JSON.parse(body), options));
}

function redact(value: unknown, options: { metadata: boolean }): unknown {
  if (Array.isArray(value)) return value.map((one) => redact(one, options));
  if (typeof value !== 'object' || value === null) return value;
  const isWritten = (key: string): boolean =>
    PERSONAL.has(key) || (key === 'reason' && isRefund(value));
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      if (key === 'metadata') return [key, options.metadata ? null : field];
      if (isWritten(key) && typeof field === 'string') return [key, ERASED];
      return [key, redact(field, options)];
    }),
  );
}

/** Whether an object is a refund, as an event or a response shows it: its reason is what somebody wrote. */
function isRefund(value: object): boolean {
  const { refund_id: ofEvent, id } = value as { refund_id?: unknown; id?: unknown };
  return typeof (ofEvent ?? id) === 'string' && String(ofEvent ?? id).startsWith('ref_');
}
