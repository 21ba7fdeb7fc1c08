import type { Tx } from '../../../platform/db/db.ts';
import type { Operator } from './operator-key.ts';

/** An account at the operators' identity provider. */
export interface OperatorAccount {
  issuer: string;
  subject: string;
}

/** The operator who is an account, and since when; it tells the sessions of this link from those of another. */
export interface LinkedOperator extends Operator {
  linkedAt: Temporal.Instant;
}

const LINKED = `SELECT o.operator_id, o.name, o.roles, i.linked_at FROM operator_identities i
  JOIN operators o ON o.operator_id = i.operator_id AND o.removed_at IS NULL`;

/** Sets the address of an operator, and unlinks their account. Violates `operator_identities_one_per_email`. */
export async function setOperatorEmail(tx: Tx, operatorId: string, email: string): Promise<void> {
  await tx.run(
    `INSERT INTO operator_identities (operator_id, email) VALUES ($1, $2)
     ON CONFLICT (operator_id) DO UPDATE SET email = $2, issuer = NULL, subject = NULL, linked_at = NULL`,
    [operatorId, email],
  );
}

/** Deletes the address of an operator, with the link. */
export async function deleteOperatorEmail(tx: Tx, operatorId: string): Promise<void> {
  await tx.run('DELETE FROM operator_identities WHERE operator_id = $1', [operatorId]);
}

/** Returns the operator who is this account, or null. */
export function findByAccount(
  tx: Tx,
  { issuer, subject }: OperatorAccount,
): Promise<LinkedOperator | null> {
  return tx.row<LinkedOperator>(`${LINKED} WHERE i.issuer = $1 AND i.subject = $2`, [
    issuer,
    subject,
  ]);
}

/** Returns, and perhaps locks, the operator with this address and the provider of their account, or null. */
export function findByEmail(
  tx: Tx,
  email: string,
  lock: '' | 'FOR UPDATE OF i' = '',
): Promise<(Operator & { issuer: string | null }) | null> {
  return tx.row(
    `SELECT o.operator_id, o.name, o.roles, i.issuer FROM operator_identities i
     JOIN operators o ON o.operator_id = i.operator_id AND o.removed_at IS NULL
     WHERE i.email = $1 ${lock}`,
    [email],
  );
}

/** Links an operator to an account. */
export async function linkAccount(
  tx: Tx,
  operatorId: string,
  { issuer, subject }: OperatorAccount,
  at: Temporal.Instant,
): Promise<void> {
  await tx.run(
    'UPDATE operator_identities SET issuer = $2, subject = $3, linked_at = $4 WHERE operator_id = $1',
    [operatorId, issuer, subject, at],
  );
}
