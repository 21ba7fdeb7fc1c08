import { openGrant } from '../../server/src/consents/grant.ts';
import { sealContext } from '../../server/src/consents/service.ts';
import { customerIndex } from '../../server/src/customers/sealed.ts';
import { fieldOf } from '../../server/src/platform/connection/types.ts';
import type { Tx } from '../../server/src/platform/db/db.ts';
import type { Platform } from '../../server/src/platform/platform.ts';
import { hashSecret } from '../../server/src/platform/vault/vault.ts';
import { type Names, renamed } from './partner-books.ts';

/** A customer's agreement in our books: its rows as JSON texts by table, with sealed columns opened. */
export interface Agreement {
  merchantId: string;
  names: Names;
  rows: ReadonlyMap<string, readonly string[]>;
}

/**
 * The tables of an agreement, parents first, with the name that selects its rows. Deliveries of its events are not part of it:
 * the events of a copy are among those that no endpoint wanted.
 */
const TABLES: readonly (readonly [table: string, column: string, names: (keyof Names)[]])[] = [
  ['customers', 'customer_id', ['customer']],
  ['wallets', 'wallet_id', ['wallet']],
  ['accounts', 'account_id', ['wallet']],
  ['schedules', 'schedule_id', ['schedule']],
  ['schedule_agenda', 'schedule_id', ['schedule']],
  ['schedule_runs', 'schedule_id', ['schedule']],
  ['schedule_terms', 'schedule_id', ['schedule']],
  ['consents', 'consent_id', ['consent']],
  ['bank_grants', 'consent_id', ['consent']],
  ['state_changes', 'object_id', ['schedule', 'consent']],
  ['events', 'schedule_id', ['schedule']],
];
const REFERENCE_LENGTH = 18;

type Row = Record<string, unknown>;
type Bound = Pick<Names, 'consent' | 'wallet'>;

/** The sealed columns and their sealing contexts; with a wrong context the pattern could not be opened. */
const CONTEXTS = {
  phone: (merchantId: string) => `customer:${merchantId}:phone`,
  account: (merchantId: string, { wallet }: Bound) => `wallet:${merchantId}:${wallet}`,
  link: (merchantId: string, { consent }: Bound) => sealContext(merchantId, consent, 'link'),
  bank_grant: (merchantId: string, { consent }: Bound) => sealContext(merchantId, consent, 'grant'),
  initiation: (merchantId: string, { consent }: Bound) =>
    sealContext(merchantId, consent, 'initiation'),
  paying_account: (merchantId: string, { consent }: Bound) =>
    sealContext(merchantId, consent, 'paying_account'),
};
type Sealed = keyof typeof CONTEXTS;
const SEALED = Object.keys(CONTEXTS) as Sealed[];

/** Returns the reference on customers' statements (consent-plan.ts). */
export function referenceOf(scheduleId: string): string {
  return scheduleId.slice(-REFERENCE_LENGTH).toUpperCase();
}

/** Reads a granted agreement by its schedule; `grantAt` finds the bank's id of the customer's grant. */
export async function readAgreement(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  schedule: string,
  grantAt: (bankConsent: string) => string,
): Promise<Agreement> {
  const found = await tx.row<Record<string, string>>(
    `SELECT s.customer_id, s.consent_id, c.wallet_id, issuer_wallet_id, bank_consent_id, bank_grant, link, phone, account
     FROM schedules s JOIN consents c USING (merchant_id, consent_id)
     JOIN bank_grants USING (merchant_id, consent_id) JOIN wallets w USING (merchant_id, wallet_id)
     JOIN customers p ON p.merchant_id = s.merchant_id AND p.customer_id = s.customer_id
     WHERE s.merchant_id = $1 AND s.schedule_id = $2`,
    [merchantId, schedule],
  );
  const of = (column: string): string => found?.[fieldOf(column)] ?? '';
  const ids = { customer: of('customer_id'), consent: of('consent_id'), wallet: of('wallet_id') };
  const open = (what: Sealed): string =>
    platform.vault.open(of(what), CONTEXTS[what](merchantId, ids));
  const account = JSON.parse(open('account')) as { sortCode: string; accountNumber: string };
  const grant = openGrant(platform, merchantId, ids.consent, of('bank_grant'));
  const names: Names = {
    ...ids,
    schedule,
    phone: open('phone'),
    link: open('link'),
    issuerWallet: of('issuer_wallet_id'),
    account: account.sortCode + account.accountNumber,
    reference: referenceOf(schedule),
    bankConsent: of('bank_consent_id'),
    grant: grantAt(of('bank_consent_id')),
    accessToken: grant.accessToken,
    refreshToken: grant.refreshToken ?? '',
  };
  return { merchantId, names, rows: await readRows(platform, tx, merchantId, names) };
}

async function readRows(
  { vault }: Platform,
  tx: Tx,
  merchantId: string,
  names: Names,
): Promise<Map<string, string[]>> {
  const all = new Map<string, string[]>();
  for (const [table, column, by] of TABLES) {
    const rows = await tx.rows<{ row: Row }>(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE merchant_id = $1 AND ${column} = ANY($2)`,
      [merchantId, by.map((name) => names[name])],
    );
    for (const { row } of rows)
      for (const column of SEALED)
        if (typeof row[column] === 'string')
          row[column] = vault.open(row[column], CONTEXTS[column](merchantId, names));
    all.set(
      table,
      rows.map(({ row }) => JSON.stringify(row)),
    );
  }
  return all;
}

/** Inserts copies of an agreement's rows, one for each set of names. */
export async function insertCopies(
  platform: Platform,
  tx: Tx,
  { merchantId, names, rows }: Agreement,
  copies: readonly Names[],
): Promise<void> {
  for (const [table, texts] of rows) {
    const columns = await columnsOf(tx, table);
    const made = copies.flatMap((copy) =>
      texts.map((text) =>
        sealed(platform, merchantId, copy, JSON.parse(renamed(text, names, copy)) as Row),
      ),
    );
    await tx.run(
      `INSERT INTO ${table} (${columns})
       SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
      [JSON.stringify(made)],
    );
    if (table === 'events')
      await tx.run(
        `INSERT INTO events_without_endpoint (merchant_id, event_id)
         SELECT merchant_id, event_id FROM jsonb_populate_recordset(NULL::events, $1::jsonb)`,
        [JSON.stringify(made)],
      );
  }
}

/** Returns the columns that are not generated by the database, as an SQL list. */
async function columnsOf(tx: Tx, table: string): Promise<string> {
  const rows = await tx.rows<{ attname: string }>(
    `SELECT attname::text FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
       AND attgenerated = '' AND attidentity = ''`,
    [table],
  );
  return rows.map((row) => row.attname).join();
}

/** Seals what was opened, and recomputes hashes. */
function sealed(platform: Platform, merchantId: string, names: Names, row: Row): Row {
  const { vault, ids, clock } = platform;
  const bytes = (buffer: Buffer): string => `\\x${buffer.toString('hex')}`;
  const made: Row = { ...row };
  if ('phone_index' in row)
    made.phone_index = bytes(customerIndex(platform, merchantId, 'phone', names.phone));
  if ('link_hash' in row) made.link_hash = bytes(hashSecret(names.link));
  if ('state_hash' in row) made.state_hash = bytes(hashSecret(`state ${names.link}`));
  if ('event_id' in row) made.event_id = ids.next('evt', clock.now());
  if (typeof row.account === 'string')
    row.account = JSON.stringify({
      ...(JSON.parse(row.account) as Row),
      accountNumber: names.account.slice('000000'.length),
    });
  for (const column of SEALED)
    if (typeof row[column] === 'string')
      made[column] = vault.seal(row[column], CONTEXTS[column](merchantId, names));
  return made;
}
