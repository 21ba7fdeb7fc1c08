import type { SqlValue, Tx } from '../platform/db/db.ts';
import type { Vault } from '../platform/vault/vault.ts';
import type { Merchant, SettlementAccount } from './merchant.ts';

/** A merchant whose account is sealed. */
type MerchantRow = Omit<Merchant, 'settlementAccount'> & { settlementAccount: string };

/** The account's format when sealed. */
interface SealedAccount {
  sort_code: string;
  account_number: string;
  name: string;
}

const context = (merchantId: string): string => `merchant:${merchantId}:settlement_account`;

/** Returns the account, sealed for storage. */
export function sealAccount(vault: Vault, merchantId: string, account: SettlementAccount): string {
  const plain: SealedAccount = {
    sort_code: account.sortCode,
    account_number: account.accountNumber,
    name: account.name,
  };
  return vault.seal(JSON.stringify(plain), context(merchantId));
}

/** Opens a sealed account. */
export function openAccount(vault: Vault, merchantId: string, sealed: string): SettlementAccount {
  const plain = JSON.parse(vault.open(sealed, context(merchantId))) as SealedAccount;
  return { sortCode: plain.sort_code, accountNumber: plain.account_number, name: plain.name };
}

const fromRow = (vault: Vault, row: MerchantRow): Merchant => ({
  ...row,
  settlementAccount: openAccount(vault, row.merchantId, row.settlementAccount),
});

const COLUMNS = `merchant_id, name, legal_name, email, website, address, terms, time_zone, return_url, reuse_consent,
  refunds_wait, settlement_account, statement_name, created_at`;

/** The values of all columns but the last, in their order. */
const valuesOf = (vault: Vault, m: Merchant): SqlValue[] => [
  m.merchantId,
  m.name,
  m.legalName,
  m.email,
  m.website,
  m.address,
  m.terms,
  m.timeZone,
  m.returnUrl,
  m.reuseConsent,
  m.refundsWait,
  sealAccount(vault, m.merchantId, m.settlementAccount),
  m.statementName,
];

/** Inserts a merchant. */
export async function insertMerchant(tx: Tx, vault: Vault, m: Merchant): Promise<void> {
  await tx.run(
    `INSERT INTO merchants (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [...valuesOf(vault, m), m.createdAt],
  );
}

/** Writes every field of a merchant that can change. */
export async function updateMerchantRow(tx: Tx, vault: Vault, m: Merchant): Promise<void> {
  await tx.run(
    `UPDATE merchants SET name = $2, legal_name = $3, email = $4, website = $5, address = $6, terms = $7,
       time_zone = $8, return_url = $9, reuse_consent = $10, refunds_wait = $11, settlement_account = $12,
       statement_name = $13 WHERE merchant_id = $1`,
    valuesOf(vault, m),
  );
}

/** Returns the merchant, or null. */
export async function findMerchant(
  tx: Tx,
  vault: Vault,
  merchantId: string,
): Promise<Merchant | null> {
  const row = await tx.row<MerchantRow>(`SELECT ${COLUMNS} FROM merchants WHERE merchant_id = $1`, [
    merchantId,
  ]);
  return row === null ? null : fromRow(vault, row);
}

/** What a merchant's schedules need of it. */
export interface ScheduleSettings
  extends Pick<Merchant, 'timeZone' | 'reuseConsent' | 'name' | 'statementName'> {
  /** Whether an operator has suspended it. */
  isSuspended: boolean;
}

/** Returns what a merchant's schedules need of it, or null. */
export function findScheduleSettings(tx: Tx, merchantId: string): Promise<ScheduleSettings | null> {
  return tx.row<ScheduleSettings>(
    `SELECT time_zone, reuse_consent, name, statement_name, EXISTS (SELECT FROM merchant_holds h WHERE h.merchant_id = $1
       AND h.kind = 'suspended' AND h.ended_at IS NULL) AS is_suspended
     FROM merchants m WHERE merchant_id = $1`,
    [merchantId],
  );
}

/** Returns whether a merchant's refunds wait for money; false for an unknown merchant. */
export async function findRefundsWait(tx: Tx, merchantId: string): Promise<boolean> {
  const row = await tx.row<{ refundsWait: boolean }>(
    'SELECT refunds_wait FROM merchants WHERE merchant_id = $1',
    [merchantId],
  );
  return row?.refundsWait ?? false;
}

/** Locks a merchant's row, for work that may run only once at a time per merchant. */
export async function lockMerchantRow(tx: Tx, merchantId: string): Promise<void> {
  await tx.run('SELECT FROM merchants WHERE merchant_id = $1 FOR NO KEY UPDATE', [merchantId]);
}

/** Locks and returns the merchant, or null. */
export async function lockMerchant(
  tx: Tx,
  vault: Vault,
  merchantId: string,
): Promise<Merchant | null> {
  const row = await tx.row<MerchantRow>(
    `SELECT ${COLUMNS} FROM merchants WHERE merchant_id = $1 FOR NO KEY UPDATE`,
    [merchantId],
  );
  return row === null ? null : fromRow(vault, row);
}

/** Returns several merchants by id, for batches. */
export async function findMerchants(
  tx: Tx,
  vault: Vault,
  merchantIds: readonly string[],
): Promise<Map<string, Merchant>> {
  const rows = await tx.rows<MerchantRow>(
    `SELECT ${COLUMNS} FROM merchants WHERE merchant_id = ANY($1::text[])`,
    [merchantIds],
  );
  return new Map(rows.map((row) => [row.merchantId, fromRow(vault, row)]));
}

/** Returns the name that customers know the merchant by, or null. */
export async function findMerchantName(tx: Tx, merchantId: string): Promise<string | null> {
  const row = await tx.row<{ name: string }>('SELECT name FROM merchants WHERE merchant_id = $1', [
    merchantId,
  ]);
  return row?.name ?? null;
}
