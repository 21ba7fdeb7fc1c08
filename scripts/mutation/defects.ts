/** A mistake that a tired programmer might make, and that no simulation of ours may live through. */
export interface Defect {
  name: string;
  /** Below the server's sources. */
  file: string;
  from: string;
  to: string;
}

/** Each of them loses money, takes it twice, or keeps silent about it. */
export const DEFECTS: readonly Defect[] = [
  {
    name: 'each call for a payment has a key of its own',
    file: 'payments/send.ts',
    from: 'idempotencyKey: name,',
    to: `idempotencyKey: \`\${name}-\${attempt.polls}\`,`,
  },
  {
    name: 'a bank that does not answer has not taken the money',
    file: 'payments/send.ts',
    from: 'return neverLeft ? notSent(attempt, this.#patience.restsUntil) : unknown;',
    to: `return ended('technical', 'No answer.', attempt.polls);`,
  },
  {
    name: 'whoever was slow still decides',
    file: 'payments/outcomes.ts',
    from: `unguessed("l.call IS NULL OR (p.stage = 'submit' AND p.polls = l.call)")`,
    to: `unguessed('true')`,
  },
  {
    name: 'a consent that has ended still serves',
    file: 'consents/consent.ts',
    from: `return status === 'granted' || status === 'replaced';`,
    to: `return status !== 'pending';`,
  },
  {
    name: 'an order is repeated whatever has happened since the first',
    file: 'payments/order-decision.ts',
    from: 'whyStopped(standing) === null &&',
    to: '(standing.may_be_sent || whyStopped(standing) === null) &&',
  },
  {
    name: 'an order without an answer was not sent',
    file: 'payments/send.ts',
    from: 'const neverLeft = error instanceof BankUnavailable && error.notSent;',
    to: 'const neverLeft = error instanceof BankUnavailable;',
  },
  {
    name: 'a transfer that was asked for again has another key',
    file: 'payments/move.ts',
    from: 'const keyOf = (row: MoveRow): string => `$' + '{row.payment_id}-m$' + '{row.polls}`;',
    to:
      'let asked = 0;\nconst keyOf = (row: MoveRow): string => `$' +
      '{row.payment_id}-m$' +
      '{asked++}`;',
  },
  {
    name: 'an event is taken out of the outbox and goes nowhere',
    file: 'webhooks/stages.ts',
    from: 'await insertDeliveries(tx, now, deliveries);',
    to: 'void deliveries;',
  },
  {
    name: 'a settlement is made of what was counted before',
    file: 'settlements/store.ts',
    from: `'SELECT coalesce(sum(amount_pence), 0)::bigint AS sum FROM payments`,
    to: `'SELECT coalesce(max(amount_pence), 0)::bigint AS sum FROM payments`,
  },
  {
    name: 'a failure is not told',
    file: 'payments/outcomes.ts',
    from: `kind: 'collection.failed',`,
    to: `kind: 'collection.success',`,
  },
];
