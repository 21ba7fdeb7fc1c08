import type { Tx } from '../../platform/db/db.ts';
import { personOf } from './acting.ts';
import type { ListedOperator } from './books/store.ts';
import type { SeenOperator } from './view.ts';

/** Returns operators with what is known of their newness. */
export function withNewness(tx: Tx, operators: readonly ListedOperator[]): Promise<SeenOperator[]> {
  return Promise.all(operators.map((operator) => seeOperator(tx, operator)));
}

/** Returns an operator with what is known of their newness. */
export async function seeOperator(tx: Tx, operator: ListedOperator): Promise<SeenOperator> {
  const { operatorId: id, name } = operator;
  const { newcomerUntil } = await personOf(tx, { id, name });
  return { ...operator, newcomerUntil };
}
