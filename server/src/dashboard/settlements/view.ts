import Type, { type Static } from 'typebox';

import { LedgerEntry } from '../payments/view.ts';

const Pence = Type.Integer({ description: 'In pence.' });

/** The same sum from three sources: the settlement, its payments, the ledger. */
export const SettlementLedger = Type.Object({
  settlement: Pence,
  payments: Type.Object({ value: Pence, count: Type.Integer() }),
  refunds: Pence,
  fees: Pence,
  carried: Pence,
  ledger: Pence,
  agrees: Type.Boolean(),
  entries: Type.Array(LedgerEntry),
  issuer_reference: Type.Union([Type.String(), Type.Null()]),
});
export type SettlementLedger = Static<typeof SettlementLedger>;

/** The columns of a settlement's CSV, in order. */
export const CSV_COLUMNS = [
  'settlement_id',
  'settlement_date',
  'statement_reference',
  'payment_id',
  'schedule_id',
  'customer_id',
  'description',
  'due_date',
  'completed_at',
  'amount',
  'amount_pence',
  'currency',
  'kind',
  'refund_id',
  'customer',
  'customer_reference',
  'metadata',
  'due_date_local',
  'completed_at_local',
  'fee',
  'net',
] as const;
