import type { Tx } from '../platform/db/db.ts';
import { type Actor, idsAmong, viewActor } from './actor.ts';

/** Returns what turns these actors of the audit trail into people's names, in one statement. */
export async function readActors(
  tx: Tx,
  merchantId: string,
  actors: readonly string[],
): Promise<(actor: string) => Actor> {
  const { members, keys } = idsAmong(actors);
  const rows =
    members.length + keys.length === 0
      ? []
      : await tx.rows<{ id: string; name: string }>(
          `SELECT user_id AS id, name FROM team_members WHERE merchant_id = $1 AND user_id = ANY($2::text[])
           UNION ALL
           SELECT key_id, name FROM api_keys WHERE merchant_id = $1 AND key_id = ANY($3::text[])`,
          [merchantId, members, keys],
        );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (actor) => viewActor(actor, names);
}
