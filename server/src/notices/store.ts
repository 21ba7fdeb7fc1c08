import type { Role } from '../merchants/role.ts';
import type { Tx } from '../platform/db/db.ts';
import { type List, type Page, readPage } from '../platform/http/lists/page.ts';
import type { NoticeStatus } from './notice.ts';

/** A member of a team, as a notice finds them. */
export interface TeamReader {
  merchantId: string;
  userId: string;
  role: Role;
  name: string;
  email: string;
}

/** Returns the teams of merchants. The transaction is the engine's, or that of the one merchant. */
export function findTeams(tx: Tx, merchantIds: readonly string[]): Promise<TeamReader[]> {
  return tx.rows<TeamReader>(
    `SELECT merchant_id, user_id, role, name, email FROM notice_readers
     WHERE merchant_id = ANY($1::text[]) ORDER BY merchant_id, email`,
    [merchantIds],
  );
}

/** Returns who was an owner of these merchants since a moment and is none any more, and the merchants' own addresses. */
export function findWitnesses(
  tx: Tx,
  merchantIds: readonly string[],
  since: Temporal.Instant,
): Promise<Pick<TeamReader, 'merchantId' | 'name' | 'email'>[]> {
  return tx.rows(
    `SELECT merchant_id, name, email FROM former_addresses WHERE merchant_id = ANY($1::text[]) AND until >= $2
     UNION ALL SELECT merchant_id, legal_name, lower(email) FROM merchants WHERE merchant_id = ANY($1::text[])`,
    [merchantIds, since],
  );
}

/** Returns the kinds that merchants have turned off, as `<merchant>:<kind>`. */
export async function findOff(tx: Tx, merchantIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows<{ off: string }>(
    `SELECT merchant_id || ':' || kind AS off FROM notices_off WHERE merchant_id = ANY($1::text[])`,
    [merchantIds],
  );
  return new Set(rows.map(({ off }) => off));
}

/** Returns the actor of this transaction, as the audit trail names them. */
export async function currentActor(tx: Tx): Promise<string> {
  const row = await tx.row<{ actor: string | null }>(
    `SELECT nullif(current_setting('recollect.actor', true), '') AS actor`,
  );
  return row?.actor ?? 'service';
}

/** Turns a kind on or off for a merchant; returns whether that changed anything. Stored is what is otherwise than at first. */
export async function setKind(
  tx: Tx,
  merchantId: string,
  { kind, isOnAtFirst }: { kind: string; isOnAtFirst: boolean },
  isOn: boolean,
): Promise<boolean> {
  const table = isOnAtFirst ? 'notices_off' : 'notices_on';
  const sql =
    isOn !== isOnAtFirst
      ? `INSERT INTO ${table} (merchant_id, kind) VALUES ($1, $2) ON CONFLICT DO NOTHING`
      : `DELETE FROM ${table} WHERE merchant_id = $1 AND kind = $2`;
  return (await tx.run(sql, [merchantId, kind])) > 0;
}

export interface NoticeRow {
  noticeId: string;
  kind: string;
  content: string;
  status: NoticeStatus;
  attempts: number;
  error: string | null;
  createdAt: Temporal.Instant;
  endedAt: Temporal.Instant | null;
}

/** Returns the newest notices of all merchants that are kept because nothing sends them: for a sandbox. */
export function listKept(tx: Tx, limit: number): Promise<(NoticeRow & { merchantId: string })[]> {
  return tx.rows(
    `SELECT merchant_id, notice_id, kind, content, status, attempts, error, created_at, ended_at FROM notices
     WHERE status = 'kept' ORDER BY notice_id DESC LIMIT $1`,
    [limit],
  );
}

/** Returns a page of a merchant's notices, newest first. */
export function listNotices(tx: Tx, merchantId: string, page: Page): Promise<List<NoticeRow>> {
  return readPage<NoticeRow>(
    tx,
    {
      columns: 'notice_id, kind, content, status, attempts, error, created_at, ended_at',
      from: 'notices WHERE merchant_id = $1',
      values: [merchantId],
      order: { by: { notice_id: 'text' }, isDescending: true },
    },
    page,
  );
}

/** Returns one notice of a merchant. */
export function findNotice(
  tx: Tx,
  merchantId: string,
  noticeId: string,
): Promise<Pick<NoticeRow, 'kind' | 'content'> | null> {
  return tx.row<Pick<NoticeRow, 'kind' | 'content'>>(
    'SELECT kind, content FROM notices WHERE merchant_id = $1 AND notice_id = $2',
    [merchantId, noticeId],
  );
}
