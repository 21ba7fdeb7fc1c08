import { openCustomer, openProfile } from '../../customers/sealed.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import type { Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { allocatedBy } from '../day.ts';
import {
  externalDifference,
  internalDifference,
  type Run,
  requirementOf,
  segregationRequirementOf,
} from '../figures.ts';
import type { Entry } from '../register/entry.ts';
import type { StoredBreach } from '../store.ts';
import type { ClientRow } from './clients-store.ts';
import type { ReceiptRow, ReportRow } from './pack-store.ts';

/** The columns of a file, and what stands in each for a row. Amounts are pence, and written in pounds; times are in UTC. */
export type Columns<R> = Readonly<Record<string, (row: R) => string | number | null>>;

const WHAT: Readonly<Record<ClientRow['kind'], string>> = {
  customer_wallet: 'in the customer’s wallet',
  merchant_wallet: 'in the merchant’s wallet',
  in_settlement: 'on its way out',
  fees: 'in the merchant’s wallet, for fees that no settlement has taken',
  owed: 'owed by the merchant for recalled pay-ins',
};

/** A client's account with what is sealed opened. */
export type OpenedClient = ClientRow & {
  details: ReturnType<typeof openCustomer> | null;
};

/** Opens a client's name and how to reach them. */
export function openClient(platform: Platform, row: ClientRow): OpenedClient {
  const { merchantId, customerId } = row;
  if (customerId === null) return { ...row, details: null };
  const profile = openProfile(platform, merchantId, row);
  return {
    ...row,
    ...profile,
    details: openCustomer(platform, merchantId, { ...row, customerId }),
  };
}

/** What each client is owed. An erased customer has no name left. */
export const CLIENTS: Columns<OpenedClient> = {
  merchant_id: (row) => row.merchantId,
  merchant: (row) => row.merchantName,
  customer_id: (row) => row.customerId,
  name: (row) => (row.erasedAt === null ? row.name : '(erased)'),
  email: (row) => row.email,
  phone: (row) => row.details?.phone ?? null,
  sort_code: (row) => row.details?.bankAccount?.sort_code ?? null,
  account_number: (row) => row.details?.bankAccount?.account_number ?? null,
  reference: (row) => row.reference,
  what: (row) => WHAT[row.kind],
  amount: (row) => row.pence,
  account: (row) => row.accountId,
  issuer_wallet: (row) => row.issuerWalletId,
};

/** Money that is of no client yet, and by when it has to be of one. */
export const RECEIPTS: Columns<ReceiptRow> = {
  item: (row) => row.itemId,
  merchant_id: (row) => row.merchantId,
  amount: (row) => row.amountPence,
  arrived_at: (row) => formatInstant(row.arrivedAt),
  allocate_by: (row) => formatInstant(allocatedBy(row.arrivedAt)),
  reason: (row) => row.reason,
  payment_id: (row) => row.paymentId,
  wallet_id: (row) => row.walletId,
};

/** The merchants, with the accounts to which they are paid out. */
export const MERCHANTS: Columns<Merchant> = {
  merchant_id: (one) => one.merchantId,
  name: (one) => one.name,
  legal_name: (one) => one.legalName,
  email: (one) => one.email,
  address: (one) => one.address,
  account_holder: (one) => one.settlementAccount.name,
  sort_code: (one) => one.settlementAccount.sortCode,
  account_number: (one) => one.settlementAccount.accountNumber,
};

/** The reconciliation of each day, internal and external. */
export const RUNS: Columns<Run> = {
  date: (run) => run.date.toString(),
  as_of: (run) => formatInstant(run.asOf),
  made_at: (run) => formatInstant(run.madeAt),
  customers: (run) => run.customersPence,
  merchants: (run) => run.merchantsPence,
  on_its_way_out: (run) => run.payingOutPence,
  unallocated: (run) => run.unallocatedPence,
  requirement: (run) => requirementOf(run),
  segregation_requirement: (run) => segregationRequirementOf(run),
  clients: (run) => run.clients,
  resource_in_our_books: (run) => run.heldPence,
  fees_to_take_out: (run) => run.feesPence,
  shortfall_of_recalls: (run) => run.recalledPence,
  internal_difference: (run) => internalDifference(run),
  held_at_the_issuer: (run) => run.issuerPence,
  timing: (run) => run.timingPence,
  external_difference: (run) => externalDifference(run),
  unknown: (run) => run.unknown,
  answered_at: (run) => formatInstant(run.answeredAt),
  answered_by: (run) => run.answeredBy,
  answer: (run) => run.answer,
  paid_in: (run) => run.paidInPence,
  taken_out: (run) => run.takenOutPence,
};

/** The register of breaches. */
export const BREACHES: Columns<StoredBreach> = {
  kind: (one) => one.kind,
  about: (one) => one.about,
  merchant_id: (one) => one.merchantId,
  amount: (one) => one.amountPence,
  deadline: (one) => formatInstant(one.deadline),
  found_at: (one) => formatInstant(one.foundAt),
  ended_at: (one) => formatInstant(one.endedAt),
  explained_at: (one) => formatInstant(one.explainedAt),
  explained_by: (one) => one.explainedBy,
  explanation: (one) => one.explanation,
};

/** The daily comparison with the issuer's statement. */
export const REPORTS: Columns<ReportRow> = {
  date: (one) => one.date.toString(),
  made_at: (one) => formatInstant(one.madeAt),
  statement_lines: (one) => one.lines,
  open_differences: (one) => one.differences,
  unknown: (one) => one.unknown,
};

/** The register of what the books cannot know. */
export const ENTRIES: Columns<Entry> = {
  id: (one) => one.entryId,
  kind: (one) => one.kind,
  name: (one) => one.name,
  identifier: (one) => one.identifier,
  note: (one) => one.note,
  added_at: (one) => formatInstant(one.addedAt),
  added_by: (one) => one.addedBy,
  ended_at: (one) => formatInstant(one.endedAt),
  ended_by: (one) => one.endedBy,
};

/** Columns whose numbers are no amounts. */
export const COUNTS: ReadonlySet<string> = new Set([
  'clients',
  'statement_lines',
  'open_differences',
]);
