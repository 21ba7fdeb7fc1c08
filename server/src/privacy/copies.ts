import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import { SEALED_COLUMNS } from '../platform/vault/sealed-columns.ts';
import {
  type Copy,
  deleteViews,
  eraseInputs,
  erasePayers,
  eraseRequests,
  listActs,
  listKept,
  listNotices,
  listViews,
  replaceKept,
} from './copies-store.ts';
import { redactEvent } from './redact.ts';
import { type CustomerRef, readIdentity } from './store.ts';
import { mentions, tracesOf } from './traces.ts';

type Deps = Pick<Platform, 'vault'>;

/** Copies of a customer's data in rows that no key ties to the customer: they are found by what they say. */
export interface Copies {
  saved_views: { view_id: string; list: string; name: string; query: string }[];
  idempotency_keys: { key: string; response_body: string }[];
  prepared_acts: { act_id: string; inputs: string }[];
  inbox: { notification_id: string; body: string }[];
}

const PAGE = 500;
const MAX_PAGES = 10_000;

/** Sealed texts that are looked through; `key` is the column beside the merchant that names a row. */
const SEALED = {
  kept: { table: 'idempotency_keys', column: 'response_body', key: 'key', list: listKept },
  acts: { table: 'prepared_acts', column: 'inputs', key: 'act_id', list: listActs },
} as const;

/** Returns the context of a sealed column's seal. */
function contextOf(table: string, column: string, row: Record<string, string>): string {
  const found = SEALED_COLUMNS.find((one) => one.table === table && one.column === column);
  if (found === undefined) throw new Error(`${table}.${column} is not sealed`);
  return found.context(row);
}

/** Returns the texts by which the customer is recognised, their own id and their schedules' included. */
async function tracesOfCustomer({ vault }: Deps, tx: Tx, ref: CustomerRef): Promise<string[]> {
  const { row, scheduleIds } = await readIdentity(tx, ref);
  const open = (column: 'phone' | 'bank_account' | 'name' | 'email'): string | null => {
    const sealed = row?.[column === 'bank_account' ? 'bankAccount' : column] ?? null;
    const key = { merchant_id: ref.merchantId };
    return sealed === null ? null : vault.open(sealed, contextOf('customers', column, key));
  };
  const person = {
    phone: open('phone'),
    bankAccount: open('bank_account'),
    name: open('name'),
    email: open('email'),
    reference: row?.reference ?? null,
  };
  return [...tracesOf(person), ...[ref.customerId, ...scheduleIds].map((id) => id.toLowerCase())];
}

/** Returns the copies of a customer's data, unsealed, up to `limit` of each kind. */
export async function readCopies(
  deps: Deps,
  tx: Tx,
  ref: CustomerRef,
  limit: number,
): Promise<Copies> {
  const traces = await tracesOfCustomer(deps, tx, ref);
  const kept = await copiesAbout(deps, tx, ref.merchantId, traces, 'kept', limit);
  const acts = await copiesAbout(deps, tx, ref.merchantId, traces, 'acts', limit);
  const notices = await listNotices(tx, ref, limit);
  return {
    saved_views: (await viewsAbout(deps, tx, ref.merchantId, traces))
      .slice(0, limit)
      .map(({ viewId, ...view }) => ({ view_id: viewId, ...view })),
    idempotency_keys: kept.map(({ key, text }) => ({ key, response_body: text })),
    prepared_acts: acts.map(({ key, text }) => ({ act_id: key, inputs: text })),
    inbox: notices.map(({ notificationId, body }) => ({
      notification_id: notificationId,
      body: withPayer(deps, body),
    })),
  };
}

/**
 * Erases the copies: views that were saved with their name or number are deleted, responses kept for an `Idempotency-Key` and
 * notices about their wallets lose what names them, prepared acts what they are asked with, and logged requests their bodies. It
 * comes before the customer's own row, which says what to look for.
 */
export async function eraseCopies(deps: Deps, tx: Tx, ref: CustomerRef): Promise<void> {
  const { merchantId } = ref;
  const traces = await tracesOfCustomer(deps, tx, ref);
  const views = await viewsAbout(deps, tx, merchantId, traces);
  await deleteViews(
    tx,
    merchantId,
    views.map(({ viewId }) => viewId),
  );
  for (const { key, text } of await copiesAbout(deps, tx, merchantId, traces, 'kept')) {
    const row = { merchant_id: merchantId, key };
    const context = contextOf('idempotency_keys', 'response_body', row);
    const redacted = redactEvent(text, { metadata: true });
    await replaceKept(tx, merchantId, { key, text: deps.vault.seal(redacted, context) });
  }
  const acts = await copiesAbout(deps, tx, merchantId, traces, 'acts');
  const actIds = acts.map(({ key }) => key);
  await eraseInputs(tx, merchantId, actIds);
  await erasePayers(tx, ref);
  await eraseRequests(tx, merchantId, traces);
}

async function viewsAbout({ vault }: Deps, tx: Tx, merchantId: string, traces: readonly string[]) {
  const context = contextOf('saved_views', 'query', { merchant_id: merchantId });
  const views = await listViews(tx, merchantId);
  return views
    .map((view) => ({ ...view, query: vault.open(view.query, context) }))
    .filter(({ name, query }) => mentions(name, traces) || mentions(query, traces));
}

/** Returns the sealed texts of one kind that name the customer, unsealed, up to `limit`. */
async function copiesAbout(
  { vault }: Deps,
  tx: Tx,
  merchantId: string,
  traces: readonly string[],
  kind: keyof typeof SEALED,
  limit = Number.POSITIVE_INFINITY,
): Promise<Copy[]> {
  const { table, column, key: name, list } = SEALED[kind];
  const found: Copy[] = [];
  let after = '';
  for (let page = 0; page < MAX_PAGES; page++) {
    const rows = await list(tx, merchantId, after, PAGE);
    for (const { key, text } of rows) {
      const context = contextOf(table, column, { merchant_id: merchantId, [name]: key });
      const opened = vault.open(text, context);
      if (mentions(opened, traces)) found.push({ key, text: opened });
      if (found.length >= limit) return found;
    }
    if (rows.length < PAGE) return found;
    after = rows.at(-1)?.key ?? after;
  }
  throw new Error(`the merchant has more rows of ${table} than one erasure can look at`);
}

/** Returns a notice's body with the payer unsealed. */
function withPayer({ vault }: Deps, body: string): string {
  const notice = JSON.parse(body) as Record<string, string | null>;
  if (typeof notice.payer !== 'string') return body;
  const context = contextOf('inbox', 'body', notice as Record<string, string>);
  return JSON.stringify({ ...notice, payer: JSON.parse(vault.open(notice.payer, context)) });
}
