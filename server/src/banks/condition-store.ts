import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';
import { compareInstants } from '../platform/values/instants.ts';
import {
  afterCall,
  type BankCall,
  type BankConditionNow,
  type BankOperation,
  COLLECTING,
  conditionAtLastCall,
  conditionNow,
  type OperationState,
  type OperationStates,
} from './condition.ts';
import { changesOf } from './condition-history.ts';
import { recordChange } from './condition-history-store.ts';

interface Row extends OperationState {
  bankId: string;
  operation: BankOperation;
}

const COLUMNS =
  'bank_id, operation, condition, since, recent, answered_at, failed_at, failing_since';

const byBank = (rows: readonly Row[]): Map<string, Map<BankOperation, OperationState>> =>
  new Map(
    [...Map.groupBy(rows, ({ bankId }) => bankId)].map(([bankId, some]) => [
      bankId,
      new Map(some.map((row) => [row.operation, row])),
    ]),
  );

/** Returns what is remembered of each bank that was called, by its id. */
async function listStates(tx: Tx): Promise<Map<string, OperationStates>> {
  return byBank(await tx.rows<Row>(`SELECT ${COLUMNS} FROM bank_conditions`));
}

/** Returns how each bank that was called answers at a moment, by its id. */
export async function listConditions(
  tx: Tx,
  now: Temporal.Instant,
): Promise<Map<string, BankConditionNow>> {
  const states = await listStates(tx);
  return new Map([...states].map(([bankId, some]) => [bankId, conditionNow(some, now)]));
}

/** Returns whether an operation that a collection waits for is in trouble at a bank. */
export async function isTroubled(tx: Tx, bankId: string): Promise<boolean> {
  const row = await tx.row(
    `SELECT 1 FROM bank_conditions
     WHERE bank_id = $1 AND operation = ANY ($2) AND condition <> 'operational' LIMIT 1`,
    [bankId, COLLECTING],
  );
  return row !== null;
}

/** Returns a function that says how a bank answers at a moment. */
export async function readConditions(
  tx: Tx,
  now: Temporal.Instant,
): Promise<(bankId: string) => BankConditionNow> {
  const states = await listStates(tx);
  return (bankId) => conditionNow(states.get(bankId) ?? new Map(), now);
}

/** Calls of one operation of a bank, in the order in which they ended. */
export interface CallsOfOperation {
  bankId: string;
  operation: BankOperation;
  calls: readonly BankCall[];
}

const keyOf = (bankId: string, operation: string): string => `${operation} ${bankId}`;

/** What calls did to the condition of a bank; `before` null: they were the first. */
export interface Change {
  bankId: string;
  before: BankConditionNow | null;
  after: BankConditionNow;
}

/**
 * Adds calls to what is remembered of their banks, and records each change of a bank's condition; returns the state of each
 * operation after them, and what they changed.
 * Processes add to the same rows, which are locked and inserted in the order of their keys, so that two cannot deadlock.
 */
export async function addCalls(
  tx: Tx,
  made: readonly CallsOfOperation[],
): Promise<{ states: (CallsOfOperation & { state: OperationState })[]; changes: Change[] }> {
  const ordered = made
    .filter(({ calls }) => calls.length > 0)
    .sort((a, b) => (keyOf(a.bankId, a.operation) < keyOf(b.bankId, b.operation) ? -1 : 1));
  const rows = await tx.rows<Row>(
    `SELECT ${COLUMNS} FROM bank_conditions WHERE bank_id = ANY ($1::text[])
     ORDER BY operation, bank_id FOR UPDATE`,
    [[...new Set(ordered.map(({ bankId }) => bankId))]],
  );
  const before = byBank(rows);
  const states = ordered.flatMap((one) => {
    const known = before.get(one.bankId)?.get(one.operation) ?? null;
    const state = one.calls.reduce<OperationState | null>(afterCall, known);
    return state === null ? [] : [{ ...one, state }];
  });
  await upsert(
    tx,
    states.map(({ bankId, operation, state }) => ({ ...state, bankId, operation })),
  );
  const changes: Change[] = [];
  for (const [bankId, some] of Map.groupBy(states, (one) => one.bankId)) {
    const known = before.get(bankId) ?? new Map<BankOperation, OperationState>();
    const now = new Map([...known, ...some.map((one) => [one.operation, one.state] as const)]);
    const [first] = some.flatMap(({ calls }) => calls.map(({ at }) => at)).sort(compareInstants);
    const after = conditionAtLastCall(now);
    if (after === null || first === undefined) continue;
    for (const change of changesOf(known, first, now)) await recordChange(tx, bankId, change);
    changes.push({ bankId, before: conditionAtLastCall(known), after });
  }
  return { states, changes };
}

async function upsert(tx: Tx, rows: readonly Row[]): Promise<void> {
  await tx.run(
    `INSERT INTO bank_conditions (${COLUMNS})
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::timestamptz[],
       $7::timestamptz[], $8::timestamptz[])
     ON CONFLICT (bank_id, operation) DO UPDATE SET condition = excluded.condition, since = excluded.since,
       recent = excluded.recent, answered_at = excluded.answered_at, failed_at = excluded.failed_at,
       failing_since = excluded.failing_since`,
    columns(
      rows,
      'bankId',
      'operation',
      'condition',
      'since',
      'recent',
      'answeredAt',
      'failedAt',
      'failingSince',
    ),
  );
}
