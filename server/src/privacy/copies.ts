import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import { SEALED_COLUMNS } from '../platform/vault/sealed-columns.ts';
import {
  deleteViews,
  erasePayers,
  eraseRequests,
  type KeptResponse,
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
  inbox: { notification_id: string; body: string }[];
}

const PAGE = 500;
const MAX_PAGES = 10_000;

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
  const kept: KeptResponse[] = [];
  for await (const response of keptAbout(deps, tx, ref.merchantId, traces)) {
    kept.push(response);
    if (kept.length >= limit) break;
  }
  const notices = await listNotices(tx, ref, limit);
  return {
    saved_views: (await viewsAbout(deps, tx, ref.merchantId, traces))
      .slice(0, limit)
      .map(({ viewId, ...view }) => ({ view_id: viewId, ...view })),
    idempotency_keys: kept.map(({ key, responseBody }) => ({ key, response_body: responseBody })),
    inbox: notices.map(({ notificationId, body }) => ({
      notification_id: notificationId,
      body: withPayer(deps, body),
    })),
  };
}

/**
 * Erases the copies: views that were saved with their name or number are deleted, responses kept for an `Idempotency-Key` and
 * notices about their wallets lose what names them, and logged requests their bodies. It comes before the customer's own row,
 * which says what to look for.
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
  for await (const { key, responseBody } of keptAbout(deps, tx, merchantId, traces)) {
    const context = contextOf('idempotency_keys', 'response_body', {
      merchant_id: merchantId,
      key,
    });
    const redacted = redactEvent(responseBody, { metadata: true });
    await replaceKept(tx, merchantId, { key, responseBody: deps.vault.seal(redacted, context) });
  }
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

/** Yields the kept responses that name the customer, unsealed. */
async function* keptAbout(
  { vault }: Deps,
  tx: Tx,
  merchantId: string,
  traces: readonly string[],
): AsyncGenerator<KeptResponse> {
  let after = '';
  for (let page = 0; page < MAX_PAGES; page++) {
    const rows = await listKept(tx, merchantId, after, PAGE);
    for (const { key, responseBody } of rows) {
      const row = { merchant_id: merchantId, key };
      const body = vault.open(responseBody, contextOf('idempotency_keys', 'response_body', row));
      if (mentions(body, traces)) yield { key, responseBody: body };
    }
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.key ?? after;
  }
  throw new Error('the merchant has more kept responses than one erasure can look at');
}

/** Returns a notice's body with the payer unsealed. */
function withPayer({ vault }: Deps, body: string): string {
  const notice = JSON.parse(body) as Record<string, string | null>;
  if (typeof notice.payer !== 'string') return body;
  const context = contextOf('inbox', 'body', notice as Record<string, string>);
  return JSON.stringify({ ...notice, payer: JSON.parse(vault.open(notice.payer, context)) });
}
