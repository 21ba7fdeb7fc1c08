import type { SqlValue } from '../../connection/types.ts';
import type { Amounts, Span } from './list-filters.ts';

/** The conditions of a statement and their values. */
export interface Conditions {
  /** In the order of their places. */
  readonly values: SqlValue[];
  /** Adds a condition on a value; one on `undefined` is left out, so that each kind of list has a plan of its own. */
  add(value: SqlValue | undefined, condition: (place: string) => string): void;
  /** Adds the limits of a list's time on a column. */
  span(column: string, span: Span): void;
  /** Adds the limits of a list's amounts on a column; `within` puts each condition where the column is. */
  amounts(column: string, amounts: Amounts, within?: (condition: string) => string): void;
  /** Adds a constant condition. */
  also(condition: string): void;
  where(): string;
}

/** Returns conditions that begin with `first`, which names the first values. The texts are constants, never from a caller. */
export function conditions(first: string, values: readonly SqlValue[]): Conditions {
  const texts = [first];
  const all = [...values];
  const add: Conditions['add'] = (value, condition) => {
    if (value !== undefined) texts.push(condition(`$${all.push(value)}`));
  };
  return {
    values: all,
    add,
    span(column, { from, to }) {
      add(from, (at) => `${column} >= ${at}`);
      add(to, (at) => `${column} < ${at}`);
    },
    amounts(column, { amountFrom, amountTo }, within = (condition) => condition) {
      add(amountFrom, (pence) => within(`${column} >= ${pence}::bigint`));
      add(amountTo, (pence) => within(`${column} <= ${pence}::bigint`));
    },
    also: (condition) => void texts.push(condition),
    where: () => texts.join(' AND '),
  };
}
