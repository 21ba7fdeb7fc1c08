import type { Tx } from '../../platform/db/db.ts';
import { rowBy } from '../../platform/db/row-by.ts';
import { conditions } from '../../platform/http/lists/conditions.ts';
import { type List, type Page, readPage } from '../../platform/http/lists/page.ts';
import type { PreparedAct } from './act.ts';

/** The columns of an act. */
export const COLUMNS = `merchant_id, act_id, key_id, agent, operation, about_id, inputs, identity, content, ground, summary,
  amount_pence, asks_customer, status, object_id, decided_by, created_at, expires_at, ended_at`;

/** Returns an act, without locking it. */
export const findAct = rowBy<PreparedAct>(
  `SELECT ${COLUMNS} FROM prepared_acts WHERE merchant_id = $1 AND act_id = $2`,
);

/** Locks and returns an act: it is committed, approved and declined by one caller at a time. */
export const lockAct = rowBy<PreparedAct>(
  `SELECT ${COLUMNS} FROM prepared_acts WHERE merchant_id = $1 AND act_id = $2 FOR UPDATE`,
);

/**
 * Makes preparations of the same act wait for each other, and locks and returns what a key has prepared with this identity, but
 * for what was replaced: a commit that is under way is over then.
 */
export async function lockEarlier(
  tx: Tx,
  { merchantId, keyId, identity }: Pick<PreparedAct, 'merchantId' | 'keyId' | 'identity'>,
): Promise<PreparedAct[]> {
  const name = `act ${merchantId} ${keyId} ${identity.toString('base64url')}`;
  await tx.row('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  return tx.rows<PreparedAct>(
    `SELECT ${COLUMNS} FROM prepared_acts WHERE merchant_id = $1 AND key_id = $2 AND identity = $3
       AND status <> 'replaced' ORDER BY act_id FOR UPDATE`,
    [merchantId, keyId, identity],
  );
}

/** Which acts; an absent field does not filter. */
export interface ActFilter {
  keyId?: string | undefined;
  status?: PreparedAct['status'] | undefined;
}

/** Returns a page of a merchant's acts, newest first. */
export function listActs(
  tx: Tx,
  merchantId: string,
  filter: ActFilter,
  page: Page,
): Promise<List<PreparedAct>> {
  const all = conditions('merchant_id = $1', [merchantId]);
  all.add(filter.keyId, (keyId) => `key_id = ${keyId}`);
  all.add(filter.status, (status) => `status = ${status}`);
  return readPage<PreparedAct>(
    tx,
    {
      columns: COLUMNS,
      from: `prepared_acts WHERE ${all.where()}`,
      values: all.values,
      order: { by: { act_id: 'text' }, isDescending: true },
    },
    page,
  );
}
