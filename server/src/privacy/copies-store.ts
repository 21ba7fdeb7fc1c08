import type { Tx } from '../platform/db/db.ts';
import { externalReference } from '../wallets/service.ts';
import type { CustomerRef } from './store.ts';

/** A view that a member saved; its query is sealed. */
export interface ViewRow {
  viewId: string;
  list: string;
  name: string;
  query: string;
}

/** Returns the merchant's saved views. */
export function listViews(tx: Tx, merchantId: string): Promise<ViewRow[]> {
  return tx.rows<ViewRow>(
    'SELECT view_id, list, name, query FROM saved_views WHERE merchant_id = $1',
    [merchantId],
  );
}

/** Deletes saved views. */
export async function deleteViews(
  tx: Tx,
  merchantId: string,
  viewIds: readonly string[],
): Promise<void> {
  await tx.run('DELETE FROM saved_views WHERE merchant_id = $1 AND view_id = ANY($2)', [
    merchantId,
    viewIds,
  ]);
}

/** A text of a row that no key ties to a customer. */
export interface Copy {
  /** The row's key beside its merchant. */
  key: string;
  text: string;
}

/** Returns up to `limit` sealed texts of a merchant after a key, in the order of their keys. */
export type ListCopies = (
  tx: Tx,
  merchantId: string,
  after: string,
  limit: number,
) => Promise<Copy[]>;

/** Lists the responses that are kept for their `Idempotency-Key`. */
export const listKept: ListCopies = (tx, ...of) =>
  tx.rows<Copy>(
    `SELECT key, response_body AS text FROM idempotency_keys WHERE merchant_id = $1 AND key > $2 ORDER BY key LIMIT $3`,
    of,
  );

/** Lists what prepared acts are asked with, until they are over. */
export const listActs: ListCopies = (tx, ...of) =>
  tx.rows<Copy>(
    `SELECT act_id AS key, inputs AS text FROM prepared_acts WHERE merchant_id = $1 AND act_id > $2 AND inputs IS NOT NULL
     ORDER BY act_id LIMIT $3`,
    of,
  );

/** Replaces a kept response. */
export async function replaceKept(tx: Tx, merchantId: string, { key, text }: Copy): Promise<void> {
  await tx.run(
    'UPDATE idempotency_keys SET response_body = $3 WHERE merchant_id = $1 AND key = $2',
    [merchantId, key, text],
  );
}

/** Deletes what prepared acts are asked with: they can no longer be done. */
export async function eraseInputs(
  tx: Tx,
  merchantId: string,
  actIds: readonly string[],
): Promise<void> {
  await tx.run(
    'UPDATE prepared_acts SET inputs = NULL WHERE merchant_id = $1 AND act_id = ANY($2)',
    [merchantId, actIds],
  );
}

/** A notice of the e-money issuer; the payer in its body is sealed. */
export interface NoticeRow {
  notificationId: string;
  body: string;
}

/** Notices of the wallets in `$1`, found by the index `inbox_by_wallet`. */
const OF_WALLETS = `source = 'issuer' AND substring(body FROM '"externalReference": ?"([^"]*)"') = ANY ($1)`;

/** Returns how the issuer names the customer's wallets, closed ones included. */
async function walletReferences(tx: Tx, { merchantId, customerId }: CustomerRef) {
  const rows = await tx.rows<{ walletId: string }>(
    'SELECT wallet_id FROM wallets WHERE merchant_id = $1 AND customer_id = $2',
    [merchantId, customerId],
  );
  return rows.map(({ walletId }) => externalReference(merchantId, walletId));
}

/** Returns up to `limit` notices about the customer's wallets, oldest first. */
export async function listNotices(tx: Tx, ref: CustomerRef, limit: number): Promise<NoticeRow[]> {
  return tx.rows<NoticeRow>(
    `SELECT notification_id, body FROM inbox WHERE ${OF_WALLETS} ORDER BY received_at LIMIT $2`,
    [await walletReferences(tx, ref), limit],
  );
}

/** Removes who paid from the notices about the customer's wallets. */
export async function erasePayers(tx: Tx, ref: CustomerRef): Promise<void> {
  await tx.run(
    `UPDATE inbox SET body = jsonb_set(body::jsonb, '{payer}', 'null')::text
     WHERE ${OF_WALLETS} AND body::jsonb ->> 'payer' IS NOT NULL`,
    [await walletReferences(tx, ref)],
  );
}

/** Addresses write a blank as `+` or `%20`, and `@` as `%40`. */
const REQUEST_TEXT = `replace(replace(replace(lower(concat_ws(' ', request_body, response_body)),
  '+', ' '), '%20', ' '), '%40', '@')`;

/** Deletes the bodies of logged requests that have one of these traces, in lower case. */
export async function eraseRequests(
  tx: Tx,
  merchantId: string,
  traces: readonly string[],
): Promise<void> {
  await tx.run(
    `UPDATE request_log SET request_body = NULL, response_body = NULL WHERE merchant_id = $1
     AND EXISTS (SELECT FROM unnest($2::text[]) trace WHERE strpos(${REQUEST_TEXT}, trace) > 0)`,
    [merchantId, traces],
  );
}
