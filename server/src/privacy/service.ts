import { readScheduleSettings } from '../merchants/service.ts';
import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import { archivedBefore } from '../platform/retention/archived-store.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { ApiError, notFound, orNotFound } from '../platform/values/errors.ts';
import { SEALED_COLUMNS } from '../platform/vault/sealed-columns.ts';
import { eraseCopies, readCopies } from './copies.ts';
import { CUSTOMER_DATA } from './customer-data-store.ts';
import { redactEvent } from './redact.ts';
import type { CustomerExport } from './schemas.ts';
import {
  type CustomerRef,
  countUnderWay,
  eraseMetadata,
  eraseRows,
  listBodies,
  lockForErasure,
  readRows,
  redactRefundReasons,
  replaceBodies,
} from './store.ts';

/** Why it is done, and what it covers; who does it is the transaction's actor. */
export interface Erasure extends CustomerRef {
  reason: string;
  /** Removes the metadata of the customer's schedules too. */
  metadata: boolean;
}

const PAGE = 500;
const MAX_PAGES = 10_000;

/**
 * Erases a customer's personal data and records it. Payments, ledger and audit trail stay, under an id that names nobody:
 * docs/rules/privacy.md#erasure. Returns when it was erased; a second time changes nothing. Needs the engine's role. Throws 404
 * `not_found` and 409 `customer_in_use`.
 */
export async function eraseCustomer(
  deps: Pick<Platform, 'vault'>,
  tx: Tx,
  now: Temporal.Instant,
  erasure: Erasure,
): Promise<Temporal.Instant> {
  const row = orNotFound(await lockForErasure(tx, erasure), 'customer');
  if (row.erasedAt !== null) return row.erasedAt;
  const underWay = await countUnderWay(tx, erasure, now);
  if (Object.keys(underWay).length > 0)
    throw new ApiError('customer_in_use', inUse(underWay), underWay);
  await record(tx, now, erasure, 'erased');
  await eraseCopies(deps, tx, erasure);
  await redactEvents(tx, erasure);
  await redactRefundReasons(tx, erasure);
  if (erasure.metadata) await eraseMetadata(tx, erasure);
  const { statementName } = await readScheduleSettings(tx, erasure.merchantId);
  await eraseRows(tx, erasure, now, statementName);
  return now;
}

const inUse = (underWay: Readonly<Record<string, string>>): string =>
  `Something is still under way for this customer: ${Object.entries(underWay)
    .map(([kind, n]) => `${n} ${(n === '1' ? kind.replace(/s$/, '') : kind).replaceAll('_', ' ')}`)
    .join(', ')}.`;

async function redactEvents(tx: Tx, erasure: Erasure): Promise<void> {
  let after = '';
  for (let page = 0; page < MAX_PAGES; page++) {
    const bodies = await listBodies(tx, erasure, after, PAGE);
    const plain = bodies.filter(({ body }) => body.startsWith('{')); // sealed ones are of the merchant's account
    await replaceBodies(
      tx,
      erasure,
      plain.map(({ eventId, body }) => ({ eventId, body: redactEvent(body, erasure) })),
    );
    if (bodies.length < PAGE) return;
    after = bodies.at(-1)?.eventId ?? after;
  }
  throw new Error('the customer has more events than one erasure can hold');
}

async function record(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, customerId, reason }: CustomerRef & { reason: string },
  to: 'erased' | 'exported',
): Promise<void> {
  await recordChanges(tx, now, [
    { merchantId, objectId: customerId, scheduleId: null, from: 'details', to, reason },
  ]);
}

/** A row of an export: each column as text, what is no text as JSON. */
type TextRow = Record<string, string | null>;

/** Rows of one table in an export. */
const MAX_ROWS = 50_000;

/** Returns everything that is held of a customer, and records that it was taken. Throws 404 `not_found`. */
export async function exportCustomer(
  deps: Pick<Platform, 'vault'>,
  tx: Tx,
  now: Temporal.Instant,
  asked: CustomerRef & { reason: string },
): Promise<CustomerExport> {
  if ((await lockForErasure(tx, asked)) === null) throw notFound('customer');
  const tables: CustomerExport['tables'] = {};
  const cutShort: string[] = [];
  const add = (table: string, rows: readonly Record<string, unknown>[]): void => {
    if (rows.length > MAX_ROWS) cutShort.push(table);
    const hasColumns = Object.keys(rows[0] ?? {}).length > 0;
    // Acts are found by their keys and by what they say.
    const known = tables[table] ?? [];
    if (hasColumns) tables[table] = [...known, ...rows.slice(0, MAX_ROWS).map(asText)];
  };
  for (const [table, { hidden = '' }] of Object.entries(CUSTOMER_DATA)) {
    const left = new Set(hidden.split(' '));
    const rows = await readRows(tx, table, asked, MAX_ROWS + 1);
    add(
      table,
      rows.map((row) => unseal(deps.vault, table, row, left)),
    );
  }
  for (const [table, rows] of Object.entries(await readCopies(deps, tx, asked, MAX_ROWS + 1)))
    add(table, rows);
  await record(tx, now, asked, 'exported');
  return {
    customer_id: asked.customerId,
    merchant_id: asked.merchantId,
    exported_at: formatInstant(now),
    tables,
    cut_short: cutShort,
    archived_before: formatInstant(await archivedBefore(tx)),
  };
}

function asText(row: Record<string, unknown>): TextRow {
  const text = (value: unknown): string | null =>
    value === null || typeof value === 'string' ? value : JSON.stringify(value);
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, text(value)]));
}

/** Opens the sealed columns of a row, and leaves out what is hidden. */
function unseal(
  vault: Platform['vault'],
  table: string,
  row: Record<string, unknown>,
  hidden: ReadonlySet<string>,
): Record<string, unknown> {
  const opened = { ...row };
  for (const { table: of, column, context, key, also = [] } of SEALED_COLUMNS) {
    const sealed = row[column];
    if (of !== table || hidden.has(column) || typeof sealed !== 'string') continue;
    if (!sealed.startsWith('v1.')) continue;
    const named = [...key, ...also].map((name) => [name, String(row[name])]);
    opened[column] = vault.open(sealed, context(Object.fromEntries(named)));
  }
  return Object.fromEntries(Object.entries(opened).filter(([name]) => !hidden.has(name)));
}
