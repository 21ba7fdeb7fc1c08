import type { SqlValue } from '../db/db.ts';
import { opaque } from '../values/opaque.ts';
import type { Move, StateMachine } from './state-machine.ts';

/** A column's SQL type, and its value in each row. */
export type Column<R> = readonly [type: string, value: (row: R) => SqlValue];

/** What one statement moves: `t` is the machine's table, `w` its work if that is a table of its own, `n` are the `columns`. */
export interface MoveStatement<S extends string, R> {
  rows: readonly R[];
  /**
   * The move of all rows, or several moves: then `choose` says which one a row makes, otherwise the row's current state does.
   * One move if the machine has work.
   */
  move: Move<S> | readonly Move<S>[];
  choose?: (row: R) => Move<S>;
  /** The values of each row: the primary key, and what the other parts need. */
  columns: Readonly<Record<string, Column<R>>>;
  /** Further assignments, e.g. `due_at = n.due_at`. */
  set?: string;
  /** Further assignments to the work row. */
  setWork?: string;
  /** A further condition on the row that holds the state; rows that do not satisfy it stay as they are. */
  where?: string;
  /** Columns to return. */
  returning?: string;
}

const movesOf = <S extends string, R>({ move }: MoveStatement<S, R>): readonly Move<S>[] =>
  'to' in move ? [move] : move;

/** If there is a choice, `n.move` says which of the moves a row makes. */
function columnsOf<S extends string, R>(step: MoveStatement<S, R>): [string, Column<R>][] {
  const columns = Object.entries(step.columns);
  const { choose } = step;
  if (choose === undefined) return columns;
  const moves = movesOf(step);
  return [...columns, ['move', ['int', (row) => moves.indexOf(choose(row))]]];
}

/** Returns the values that the statement of a step binds. */
export function valuesOf<S extends string, R>(step: MoveStatement<S, R>): SqlValue[] {
  return columnsOf(step).map(([, [, value]]) => step.rows.map(value));
}

/** SQL that makes a step and returns the `position` of each row that moved. */
export function statementOf<S extends string, R>(step: MoveStatement<S, R>): string {
  const { move } = step;
  if (!('to' in move) || move.machine.work === undefined) return inOneTable(step);
  const { machine, from, to } = move;
  if (from.every((state) => !hasWork(machine, state))) return inOneTable(step);
  const changesStatus = from.some((state) => statusOf(machine, state) !== statusOf(machine, to));
  return changesStatus ? inBothTables(step, move) : inWork(step, move);
}

const statusOf = <S extends string>({ states }: StateMachine<S>, state: S): unknown =>
  states[state].status;

const hasWork = <S extends string>({ states }: StateMachine<S>, state: S): boolean =>
  states[state].stage !== null;

/** SQL for the values of the rows, as `n`. */
function rowsOf<S extends string, R>(step: MoveStatement<S, R>): string {
  const columns = columnsOf(step);
  const arrays = columns.map(([, [type]], n) => `$${n + 1}::${type}[]`).join(', ');
  const names = columns.map(([name]) => name).join(', ');
  return `unnest(${arrays}) WITH ORDINALITY AS n (${names}, position)`;
}

const isRow = ({ key }: { key: readonly string[] }, alias: string): string =>
  key.map((column) => `${alias}.${column} = n.${column}`).join(' AND ');

const further = (assignments: string | undefined): string =>
  assignments === undefined ? '' : `, ${assignments}`;

const andWhere = (where: string | undefined): string =>
  where === undefined ? '' : ` AND ${where}`;

function inOneTable<S extends string, R>(step: MoveStatement<S, R>): string {
  const moves = movesOf(step);
  const machine = machineOf(moves);
  const choices = moves.map((move, n): [string, Move<S>] => {
    const stands = isIn(move.machine, move.from, 't');
    return [step.choose === undefined ? stands : `n.move = ${n} AND ${stands}`, move];
  });
  const stands = choices.map(([condition]) => condition).join(' OR ');
  const [only] = moves;
  const state = only !== undefined && moves.length === 1 ? stateOf(only) : stateWhen('t', choices);
  return `UPDATE ${machine.table} t SET ${state}${further(step.set)}
    FROM ${rowsOf(step)}
    WHERE ${isRow(machine, 't')} AND ${opaque(`(${stands})${andWhere(step.where)}`)}
    RETURNING n.position${further(step.returning)}`;
}

/** Only the stage changes: the noun's row is read, not written. */
function inWork<S extends string, R>(step: MoveStatement<S, R>, move: Move<S>): string {
  const { machine } = move;
  if (step.set !== undefined)
    throw new Error(`a move within the work of ${machine.noun} sets nothing in their rows`);
  const row = `CROSS JOIN LATERAL (SELECT * FROM ${machine.table} t WHERE ${isRow(machine, 't')} OFFSET 0) t`;
  return `UPDATE ${machine.work} w SET ${stageOf(move)}${further(step.setWork)}
    FROM ${rowsOf(step)} ${/\bt\./.test(step.returning ?? '') ? row : ''}
    WHERE ${stillInFromState(step, move)}
    RETURNING n.position${further(step.returning)}`;
}

/** SQL condition: the work of a row is still in one of the states that the move leaves. */
function stillInFromState<S extends string, R>(
  { where }: MoveStatement<S, R>,
  { machine, from }: Move<S>,
): string {
  const stages = from.map((state) => literal(machine.states[state].stage ?? null)).join(', ');
  return `${isRow(machine, 'w')} AND ${opaque(`w.stage IN (${stages})${andWhere(where)}`)}`;
}

/** The status changes, too: the work is moved or, if it ends, deleted, and with it the noun's row changes. */
function inBothTables<S extends string, R>(step: MoveStatement<S, R>, move: Move<S>): string {
  const { machine, to } = move;
  const [rows, where] = [rowsOf(step), stillInFromState(step, move)];
  const work = hasWork(machine, to)
    ? `UPDATE ${machine.work} w SET ${stageOf(move)}${further(step.setWork)} FROM ${rows} WHERE ${where}`
    : `DELETE FROM ${machine.work} w USING ${rows} WHERE ${where}`;
  // The values come from the work that moved: a join with the batch would compare every row of it with every other.
  return `WITH n AS (${work} RETURNING n.*)
    UPDATE ${machine.table} t SET ${stateOf(move)}${further(step.set)}
    FROM n WHERE ${isRow(machine, 't')}
    RETURNING n.position${further(step.returning)}`;
}

function machineOf<S extends string>([move]: readonly Move<S>[]): StateMachine<S> {
  if (move === undefined) throw new Error('a step without a move');
  return move.machine;
}

/** Returns the columns that hold a state in the noun's own row, with their values. */
function ownColumns<S extends string>(
  { states, work }: StateMachine<S>,
  state: S,
): [string, string | null][] {
  const all = Object.entries<string | null>(states[state]);
  return work === undefined ? all : all.filter(([column]) => column !== 'stage');
}

/** SQL that assigns the state a move leads to: `status = 'processing', stage = 'track'`. */
export function stateOf<S extends string>({ machine, to }: Move<S>): string {
  return ownColumns(machine, to)
    .map(([column, value]) => `${column} = ${literal(value)}`)
    .join(', ');
}

/** SQL that assigns the stage a move leads to, in the table of the work. */
export const stageOf = <S extends string>({ machine, to }: Move<S>): string =>
  `stage = ${literal(machine.states[to].stage ?? null)}`;

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
  machine: StateMachine<S>,
  some: readonly S[],
  alias: string,
): string {
  const is = (state: S): string =>
    ownColumns(machine, state)
      .map(
        ([column, value]) => `${alias}.${column} ${value === null ? 'IS' : '='} ${literal(value)}`,
      )
      .join(' AND ');
  return `(${some.map(is).join(' OR ')})`;
}

/** The values in state tables are words without a quote. */
const literal = (value: string | null): string => (value === null ? 'NULL' : `'${value}'`);
