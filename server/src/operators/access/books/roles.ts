/**
 * What an operator may do. `auditor` reads; `support`: customers and users; `payments`: money, merchants, holds,
 * banks; `security`: operators, resets, keys. Every role reads: docs/rules/access.md#operators.
 */
export const OPERATOR_ROLES = ['auditor', 'support', 'payments', 'security'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** Whether somebody with these roles may do what takes `needed`. */
export function mayDo(roles: readonly string[], needed: OperatorRole): boolean {
  return roles.length > 0 && (needed === 'auditor' || roles.includes(needed));
}

/** Returns the sentence that refuses what takes a role. */
export function lacksRole(roles: readonly string[], needed: OperatorRole): string {
  const has = roles.length === 0 ? 'none' : roles.join(', ');
  return `This takes the role ${needed}; your roles: ${has}.`;
}

/** Returns roles in one order, each once. */
export const inOrder = (roles: readonly OperatorRole[]): OperatorRole[] =>
  OPERATOR_ROLES.filter((role) => roles.includes(role));

/** Returns the roles that `wanted` has beyond `present`: what somebody may do more. Reading alone adds nothing to any role. */
export function addedRoles(
  present: readonly OperatorRole[],
  wanted: readonly OperatorRole[],
): OperatorRole[] {
  return wanted.filter(
    (role) => !present.includes(role) && !(role === 'auditor' && present.length > 0),
  );
}
