import { recordChanges } from './audit-trail.ts';
import type { SqlValue, Tx } from './db.ts';
import { type Appending, appendEvents } from './events.ts';
import { opaque } from './opaque.ts';
import type { Move, StateMachine } from './state-machine.ts';

/** A column's SQL type, and its value in each row. */
export type Column<R> = readonly [type: string, value: (row: R) => SqlValue];

/** A move of rows of a state machine. `t` is the machine's table, `n` are the `columns`. */
export interface Step<S extends string, R> {
  rows: readonly R[];
  /**
   * The move of all rows, or several moves: then `choose` says which one a row makes, otherwise the row's current state does.
   */
  move: Move<S> | readonly Move<S>[];
  choose?: (row: R) => Move<S>;
  /** The values of each row: the primary key, and what `set` and `where` need. */
  columns: Readonly<Record<string, Column<R>>>;
  /** Further assignments, e.g. `due_at = n.due_at`. */
  set?: string;
  /** A further condition; rows that do not satisfy it stay as they are. */
  where?: string;
  /** Columns of `t` to return. */
  returning?: string;
  /** Books the money of the rows that moved, before their changes and events are written. */
  book?: (moved: readonly R[]) => Promise<void>;
  /** The audit entry of a row whose status changes; `from` if the move has several. */
  audit?: (row: R) => Audit;
  /** The events, for edges that name one. */
  events?: {
    platform: Appending;
    of: (row: R) => { data: object; isConfidential?: boolean };
  };
}

export interface Audit {
  merchantId: string;
  objectId: string;
  scheduleId: string | null;
  reason: string;
  from?: string;
}

/** A row that was moved, with the columns of `returning`. */
export type Moved<R, T> = T & { row: R };

/**
 * Moves rows along edges of their state machine, in one statement that skips rows that have left the expected state; then
 * books the money, writes the audit trail, and appends the events of the moved rows. Returns them in the order of `rows`.
 */
export async function moveRows<S extends string, R, T extends object = object>(
  tx: Tx,
  now: Temporal.Instant,
  step: Step<S, R>,
): Promise<Moved<R, T>[]> {
  if (step.rows.length === 0) return [];
  const found = await tx.rows<T & { position: number }>(statementOf(step), valuesOf(step));
  const moved = found
    .sort((a, b) => a.position - b.position)
    .flatMap((one) => {
      const row = step.rows[one.position - 1];
      return row === undefined ? [] : [{ ...one, row }];
    });
  if (moved.length === 0) return [];
  const rows = moved.map(({ row }) => row);
  await step.book?.(rows);
  await writeChanges(tx, now, step, rows);
  await writeEvents(tx, now, step, rows);
  return moved;
}

const movesOf = <S extends string, R>({ move }: Step<S, R>): readonly Move<S>[] =>
  'to' in move ? [move] : move;

/** If there is a choice, `n.move` says which of the moves a row makes. */
function columnsOf<S extends string, R>(step: Step<S, R>): [string, Column<R>][] {
  const columns = Object.entries(step.columns);
  const { choose } = step;
  if (choose === undefined) return columns;
  const moves = movesOf(step);
  return [...columns, ['move', ['int', (row) => moves.indexOf(choose(row))]]];
}

function statementOf<S extends string, R>(step: Step<S, R>): string {
  const moves = movesOf(step);
  const { table, key } = machineOf(moves);
  const columns = columnsOf(step);
  const arrays = columns.map(([, [type]], n) => `$${n + 1}::${type}[]`).join(', ');
  const names = columns.map(([name]) => name).join(', ');
  const choices = moves.map((move, n): [string, Move<S>] => {
    const stands = isIn(move.machine, move.from, 't');
    return [step.choose === undefined ? stands : `n.move = ${n} AND ${stands}`, move];
  });
  const stands = choices.map(([condition]) => condition).join(' OR ');
  const also = step.where === undefined ? '' : ` AND ${step.where}`;
  const [only] = moves;
  const state = only !== undefined && moves.length === 1 ? stateOf(only) : stateWhen('t', choices);
  const isRow = key.map((column) => `t.${column} = n.${column}`).join(' AND ');
  return `UPDATE ${table} t SET ${state}${step.set === undefined ? '' : `, ${step.set}`}
    FROM unnest(${arrays}) WITH ORDINALITY AS n (${names}, position)
    WHERE ${isRow} AND ${opaque(`(${stands})${also}`)}
    RETURNING n.position${step.returning === undefined ? '' : `, ${step.returning}`}`;
}

function valuesOf<S extends string, R>(step: Step<S, R>): SqlValue[] {
  return columnsOf(step).map(([, [, value]]) => step.rows.map(value));
}

function machineOf<S extends string>([move]: readonly Move<S>[]): StateMachine<S> {
  if (move === undefined) throw new Error('a step without a move');
  return move.machine;
}

/** SQL that assigns the state a move leads to: `status = 'processing', stage = 'track'`. */
export function stateOf<S extends string>({ machine, to }: Move<S>): string {
  return Object.entries<string | null>(machine.states[to])
    .map(([column, value]) => `${column} = ${literal(value)}`)
    .join(', ');
}

/** SQL that assigns the state of the first move whose condition is true; if none is, the row stays as it is. */
export function stateWhen<S extends string>(
  alias: string,
  choices: readonly (readonly [condition: string, move: Move<S>])[],
): string {
  const { states } = machineOf(choices.map(([, move]) => move));
  const [first] = Object.values<Readonly<Record<string, string | null>>>(states);
  const assign = (column: string): string => {
    const whens = choices.map(
      ([condition, move]) => `WHEN ${condition} THEN ${literal(states[move.to][column] ?? null)}`,
    );
    return `${column} = CASE ${whens.join(' ')} ELSE ${alias}.${column} END`;
  };
  return Object.keys(first ?? {})
    .map(assign)
    .join(', ');
}

/** SQL condition: the row is in one of these states. */
export function isIn<S extends string>(
  { states }: StateMachine<S>,
  some: readonly S[],
  alias: string,
): string {
  const is = (state: S): string =>
    Object.entries<string | null>(states[state])
      .map(
        ([column, value]) => `${alias}.${column} ${value === null ? 'IS' : '='} ${literal(value)}`,
      )
      .join(' AND ');
  return `(${some.map(is).join(' OR ')})`;
}

/** The values in state tables are words without a quote. */
const literal = (value: string | null): string => (value === null ? 'NULL' : `'${value}'`);

const chosenOf = <S extends string, R>(step: Step<S, R>, row: R): Move<S> | undefined =>
  step.choose?.(row) ?? ('to' in step.move ? step.move : undefined);

function writeChanges<S extends string, R>(
  tx: Tx,
  now: Temporal.Instant,
  step: Step<S, R>,
  rows: readonly R[],
): Promise<void> {
  const { audit } = step;
  if (audit === undefined) return Promise.resolve();
  const changes = rows.flatMap((row) => {
    const move = chosenOf(step, row);
    const { from = move?.statusBefore, ...line } = audit(row);
    const to = move?.statusAfter;
    return from === undefined || from === null || to === undefined || from === to
      ? []
      : [{ ...line, from, to }];
  });
  return recordChanges(tx, now, changes);
}

async function writeEvents<S extends string, R>(
  tx: Tx,
  now: Temporal.Instant,
  { audit, events, ...step }: Step<S, R>,
  rows: readonly R[],
): Promise<void> {
  const told = rows.flatMap((row) => {
    const kind = chosenOf(step, row)?.event ?? null;
    if (kind === null) return [];
    if (events === undefined || audit === undefined)
      throw new Error(`a move that names ${kind} is made without it`);
    const { merchantId, objectId: subjectId, scheduleId } = audit(row);
    return [{ merchantId, kind, scheduleId, subjectId, ...events.of(row) }];
  });
  if (events !== undefined) await appendEvents(tx, events.platform, now, told);
}
