import type { Tx } from '../db/db.ts';
import { NEWCOMER_FOR, type Person } from './pair.ts';

/** How somebody got a way in through somebody else. */
export type How =
  | 'invited'
  | 'promoted'
  | 'made'
  | 'reset'
  | 'password'
  | 'second_factor'
  | 'key'
  | 'identity';

/** A way in that somebody gave to somebody else. */
export interface LetIn {
  personId: string;
  /** Who gave it: a person's id, or `service`. */
  byId: string;
  how: How;
  /** The team that they came to; null: they have more power everywhere, as after a reset, or are an operator. */
  merchantId: string | null;
  /** Their role on that team. */
  role?: string | null;
  /** Business time. */
  at: Temporal.Instant;
  /** They are no newcomer for it: the first owner of a merchant, the first operators. */
  isTrusted?: boolean;
}

/** Records that somebody let somebody in; what people do to themselves is no way in through another. */
export async function recordLetIn(tx: Tx, letIn: LetIn): Promise<void> {
  const { personId, byId, how, merchantId, role = null, at, isTrusted = false } = letIn;
  if (personId === byId) return;
  await tx.run(
    `INSERT INTO let_ins (person_id, by_id, how, merchant_id, role, at, is_trusted)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [personId, byId, how, merchantId, role, at, isTrusted],
  );
}

/** Who somebody is, without what was recorded of them. */
export type Named = Pick<Person, 'id' | 'name'>;

/**
 * Returns what a pair is judged by; `merchantId` null: the whole service, for operators. A merchant's own transaction may ask for
 * members of its team, and for operators. Throws for anybody else, because nobody is trusted whom nothing is known of.
 */
export async function findPerson(
  tx: Tx,
  { id, name }: Named,
  merchantId: string | null = null,
): Promise<Person> {
  const row = await tx.row<{ since: Temporal.Instant | null; by: string[] }>(
    'SELECT newcomer_since AS since, let_in_by AS by FROM find_let_in($1, $2)',
    [id, merchantId],
  );
  if (row === null) throw new Error(`${id} is nobody whom this transaction may know`);
  return {
    id,
    name,
    authenticated: /^(usr|opr)_/.test(id),
    newcomerUntil: row.since?.add(NEWCOMER_FOR) ?? null,
    letInBy: new Set(row.by),
  };
}

/** Whether anybody was ever let in as an owner of this merchant. */
export async function hadOwner(tx: Tx, merchantId: string): Promise<boolean> {
  const row = await tx.row(
    `SELECT FROM let_ins WHERE merchant_id = $1 AND role = 'owner' LIMIT 1`,
    [merchantId],
  );
  return row !== null;
}

/** Until when somebody counts as new on a team, because another made them what they are there; null: they never did. */
export async function newOnTeamUntil(
  tx: Tx,
  merchantId: string,
  personId: string,
): Promise<Temporal.Instant | null> {
  const row = await tx.row<{ at: Temporal.Instant | null }>(
    'SELECT max(at) AS at FROM let_ins WHERE merchant_id = $1 AND person_id = $2 AND NOT is_trusted',
    [merchantId, personId],
  );
  return row?.at?.add(NEWCOMER_FOR) ?? null;
}

/** Returns who reset an account last, by giving it a new way in; null: nobody ever did. */
export async function lastResetBy(tx: Tx, personId: string): Promise<string | null> {
  const row = await tx.row<{ byId: string }>(
    `SELECT by_id AS by_id FROM let_ins WHERE person_id = $1 AND how = 'reset' ORDER BY let_in_id DESC LIMIT 1`,
    [personId],
  );
  return row?.byId ?? null;
}
