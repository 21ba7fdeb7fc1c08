import type { Work } from '../../platform/platform.ts';
import { invalid } from '../../platform/values/errors.ts';
import { notifyOperator, notifySecurity } from '../notices/notify.ts';
import type { OperatorRequest } from '../requests/request.ts';
import { askFor } from '../requests/service.ts';
import { type Acting, requireRole, requireTrusted } from './acting.ts';
import { addedRoles, type OperatorRole } from './books/roles.ts';
import { type ListedOperator, lockOperators } from './books/store.ts';
import { lockPresent, readOperator } from './present.ts';
import { removeEmail, storeEmail, storeRoles } from './service.ts';
import { requireOthersIfShutOut } from './ways-in.ts';

/** The outcome of a change: done, or asked for of a second operator. */
export interface Changed {
  operator: ListedOperator;
  request: OperatorRequest | null;
}

/**
 * Changes the address of an operator: one's own at once; another's is asked for, because it lets whoever has it
 * in as them; taking it away takes one of `security`. Throws 400 `invalid_request`, 403 `forbidden`, 404
 * `not_found`, 409 `operation_refused`.
 */
export async function changeEmail(
  work: Work,
  acting: Acting,
  idOrName: string,
  { email, reason }: { email: string | null; reason: string },
): Promise<Changed> {
  await lockOperators(work.tx);
  const before = await lockPresent(work.tx, idOrName);
  const { operatorId, name } = before;
  const isOwn = acting.id === operatorId;
  if (email !== null && !isOwn) {
    const wish = { kind: 'operator_email', wish: { email } } as const;
    const request = await askFor(work, acting, { ...wish, subject: operatorId, reason });
    return { operator: before, request };
  }
  if (!isOwn) {
    requireRole(acting, 'security');
    await requireTrusted(work.tx, work.now, acting);
  }
  if (email === null) await removeEmail(work, operatorId);
  else await storeEmail(work, operatorId, email);
  if (!isOwn) await requireOthersIfShutOut(work, before);
  const told = {
    what: 'email_changed',
    subject: `The address of ${name} is ${email ?? 'gone'}`,
    lines: [
      `${acting.name} changed the address of ${name} from ${before.email ?? 'none'} to ${email ?? 'none'}.`,
      'It is where notices go, and by which they sign in through the identity provider. If you did not expect this, look into it now.',
    ],
  } as const;
  await notifySecurity(work, told);
  if (before.email !== null) await notifyOperator(work, { name, email: before.email }, told);
  return { operator: await readOperator(work.tx, operatorId), request: null };
}

/**
 * Changes what an operator may do: less at once, by one of `security`; more is asked for. Throws 400
 * `invalid_request` without a role, 403 `forbidden`, 404 `not_found`, 409 `operation_refused`.
 */
export async function changeRoles(
  work: Work,
  acting: Acting,
  idOrName: string,
  { roles, reason }: { roles: OperatorRole[]; reason: string },
): Promise<Changed> {
  if (roles.length === 0) throw invalid({ roles: 'must have at least one' });
  const before = await lockPresent(work.tx, idOrName);
  const { operatorId, name } = before;
  if (addedRoles(before.roles, roles).length > 0) {
    const wish = { kind: 'operator_roles', wish: { roles } } as const;
    const request = await askFor(work, acting, { ...wish, subject: operatorId, reason });
    return { operator: before, request };
  }
  requireRole(acting, 'security');
  await requireTrusted(work.tx, work.now, acting);
  await storeRoles(work, before, roles, acting.name);
  await notifySecurity(work, {
    what: 'roles_changed',
    subject: `${name} may do less`,
    lines: [
      `${acting.name} changed the roles of ${name} from ${before.roles.join(', ')} to ${roles.join(', ')}.`,
    ],
  });
  return { operator: await readOperator(work.tx, operatorId), request: null };
}
