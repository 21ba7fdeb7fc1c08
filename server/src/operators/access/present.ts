import type { Tx } from '../../platform/db/db.ts';
import type { Work } from '../../platform/platform.ts';
import { recordServiceChange } from '../../platform/state/audit-trail.ts';
import { ApiError, notFound } from '../../platform/values/errors.ts';
import { findOperator, type ListedOperator, lockOperator } from './books/store.ts';

/** Records a change of the operators and their ways in. */
export function noteOperator(
  { tx, now }: Work,
  objectId: string,
  to: string,
  reason: string,
): Promise<void> {
  return recordServiceChange(tx, now, { objectId, to, reason });
}

/** Returns an operator. Throws 404 `not_found`. */
export async function readOperator(tx: Tx, operatorId: string): Promise<ListedOperator> {
  const operator = await findOperator(tx, operatorId);
  if (operator === null) throw notFound('operator');
  return operator;
}

/** Locks and returns an operator by id or name. Throws 404 `not_found`, also if they were removed. */
export async function lockPresent(tx: Tx, idOrName: string): Promise<ListedOperator> {
  const operator = await lockOperator(tx, idOrName);
  if (operator === null) throw notFound('operator');
  if (operator.removedAt !== null)
    throw new ApiError('not_found', `The operator ${operator.name} was removed.`);
  return operator;
}
