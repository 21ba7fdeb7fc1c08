import { asFields } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db.ts';
import {
  afterCall,
  type BankCall,
  type BankOperation,
  type BankStanding,
  type OperationState,
  type OperationStates,
  standingOf,
} from './condition.ts';

interface Row extends OperationState {
  bankId: string;
  operation: BankOperation;
}

const COLUMNS =
  'bank_id, operation, condition, since, recent, answered_at, failed_at, failing_since';

/** Returns what is remembered of each bank that was called, by its id. */
async function listStates(tx: Tx): Promise<Map<string, OperationStates>> {
  const rows = await tx.rows<Row>(`SELECT ${asFields(COLUMNS)} FROM bank_conditions`);
  const byBank = Map.groupBy(rows, ({ bankId }) => bankId);
  return new Map(
    [...byBank].map(([bankId, some]) => [bankId, new Map(some.map((row) => [row.operation, row]))]),
  );
}

/** Returns how each bank that was called answers at a moment, by its id. */
export async function listStandings(
  tx: Tx,
  now: Temporal.Instant,
): Promise<Map<string, BankStanding>> {
  const states = await listStates(tx);
  return new Map([...states].map(([bankId, some]) => [bankId, standingOf(some, now)]));
}

/** Returns a function that says how a bank answers at a moment. */
export async function readStandings(
  tx: Tx,
  now: Temporal.Instant,
): Promise<(bankId: string) => BankStanding> {
  const states = await listStates(tx);
  return (bankId) => standingOf(states.get(bankId) ?? new Map(), now);
}

/** Calls of one operation of a bank, in the order in which they ended. */
export interface CallsOfOperation {
  bankId: string;
  operation: BankOperation;
  calls: readonly BankCall[];
}

const keyOf = (bankId: string, operation: string): string => `${operation} ${bankId}`;

/**
 * Adds calls to what is remembered; returns the state of each operation after them. Processes add to the same rows, which are
 * locked and inserted in the order of their keys, so that two cannot deadlock.
 */
export async function addCalls(
  tx: Tx,
  made: readonly CallsOfOperation[],
): Promise<(CallsOfOperation & { state: OperationState })[]> {
  const ordered = made
    .filter(({ calls }) => calls.length > 0)
    .sort((a, b) => (keyOf(a.bankId, a.operation) < keyOf(b.bankId, b.operation) ? -1 : 1));
  const keys = [ordered.map(({ bankId }) => bankId), ordered.map(({ operation }) => operation)];
  const rows = await tx.rows<Row>(
    `SELECT ${asFields(COLUMNS)} FROM bank_conditions WHERE (bank_id, operation) IN
       (SELECT bank_id, operation FROM unnest($1::text[], $2::text[]) AS k (bank_id, operation))
     ORDER BY operation, bank_id FOR UPDATE`,
    keys,
  );
  const before = new Map(rows.map((row) => [keyOf(row.bankId, row.operation), row]));
  const after = ordered.flatMap((one) => {
    const state = one.calls.reduce<OperationState | null>(
      afterCall,
      before.get(keyOf(one.bankId, one.operation)) ?? null,
    );
    return state === null ? [] : [{ ...one, state }];
  });
  const column = <K extends keyof OperationState>(name: K) => after.map(({ state }) => state[name]);
  await tx.run(
    `INSERT INTO bank_conditions (${COLUMNS})
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::timestamptz[],
       $7::timestamptz[], $8::timestamptz[])
     ON CONFLICT (bank_id, operation) DO UPDATE SET condition = excluded.condition, since = excluded.since,
       recent = excluded.recent, answered_at = excluded.answered_at, failed_at = excluded.failed_at,
       failing_since = excluded.failing_since`,
    [
      ...keys,
      column('condition'),
      column('since'),
      column('recent'),
      column('answeredAt'),
      column('failedAt'),
      column('failingSince'),
    ],
  );
  return after;
}
