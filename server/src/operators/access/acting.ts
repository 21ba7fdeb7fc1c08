import type { Tx } from '../../platform/db/db.ts';
import { findPerson } from '../../platform/two-people/let-in-store.ts';
import { type Person, shellId, whyNotAsk } from '../../platform/two-people/pair.ts';
import { ApiError } from '../../platform/values/errors.ts';
import type { Operator } from './books/operator-key.ts';
import { lacksRole, mayDo, type OperatorRole } from './books/roles.ts';
import { findOperator } from './books/store.ts';

/** Who acts for the service: an operator who has proved who they are, or a login on the machine. */
export interface Acting {
  /** `opr_…`, or `shell:<login>`. */
  id: string;
  /** Under which the audit trail records what they do. */
  name: string;
  /** What an operator may do; null: the machine, where somebody may do what a person alone can. */
  roles: readonly OperatorRole[] | null;
}

export const actingOperator = ({ operatorId: id, name, roles }: Operator): Acting => ({
  id,
  name,
  roles,
});

/** Returns who acts on the machine itself, `host:<login>`: a login proves nothing of a person. */
export const onHost = (login: string): Acting => ({
  id: shellId(login),
  name: `host:${login}`,
  roles: null,
});

/** Returns what a pair is judged by. */
export const personOf = (tx: Tx, { id, name }: Pick<Acting, 'id' | 'name'>): Promise<Person> =>
  findPerson(tx, { id, name });

/** Throws 403 `forbidden` if an operator lacks a role. */
export function requireRole({ roles }: Acting, role: OperatorRole): void {
  if (roles !== null && !mayDo(roles, role))
    throw new ApiError('forbidden', lacksRole(roles, role));
}

/** Throws 403 `forbidden` for a newcomer: they neither ask for nor agree to what takes two, nor take anything from anybody. */
export async function requireTrusted(
  tx: Tx,
  now: Temporal.Instant,
  acting: Acting,
): Promise<Person> {
  const person = await personOf(tx, acting);
  const problem = whyNotAsk(person, now);
  if (problem !== null) throw new ApiError('forbidden', problem);
  return person;
}

/** Whether who asked may still do so: an operator who was removed, or has lost the role, asks for nothing any more. */
export async function mayStillRequest(tx: Tx, id: string, role: OperatorRole): Promise<boolean> {
  if (!id.startsWith('opr_')) return true;
  const operator = await findOperator(tx, id);
  return operator !== null && operator.removedAt === null && mayDo(operator.roles, role);
}
