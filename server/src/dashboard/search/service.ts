import { findNearNames } from '../../customers/near-names.ts';
import { openCustomer } from '../../customers/sealed.ts';
import { findCustomerIds } from '../../customers/search.ts';
import { findCustomers } from '../../customers/store.ts';
import { listPayments } from '../../payments/books/list-store.ts';
import { firstPage } from '../../platform/http/lists/page.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { findDetailsPage } from '../../schedules/books/details-store.ts';
import { matchSchedules } from '../../schedules/books/match.ts';
import { findIds } from '../../schedules/books/match-store.ts';
import { readTyped, type Typed } from '../../schedules/books/typed.ts';
import { referenceLetters, statementReference } from '../../settlements/settlement.ts';
import { describeNumber, labelCustomers, labelOf } from '../customers/label.ts';
import { showSchedules } from '../schedules/shown.ts';
import { type FoundPayment, findLatestPayments, findPayments, findSettlements } from './store.ts';
import type { Found } from './view.ts';

/** How many of each kind are shown. */
const MAX_PER_KIND = 6;

/** How many customers are offered in the place of nothing. */
const MAX_ALIKE = 3;

const NOTHING: Found = {
  schedules: [],
  payments: [],
  customers: [],
  settlements: [],
  did_you_mean: [],
};

/**
 * Finds schedules, payments, customers and settlements by any word, the beginning of an id, an amount, or what finds a customer.
 * Payments are those of the amount, or the latest of the schedules found. Where nothing is found, customers with a name that is
 * one edit away are offered.
 */
export async function searchAll(platform: Platform, asked: Asked, q: string): Promise<Found> {
  const typed = readTyped(q);
  if (typed.text === '') return NOTHING;
  const { tx, merchantId } = asked;
  const byId =
    typed.id && (await findIds(tx, merchantId, typed.id.type, typed.id.prefix, MAX_PER_KIND));
  const idsOf = (type: 'sch' | 'pay' | 'cus' | 'set'): string[] =>
    typed.id?.type === type ? (byId ?? []) : [];
  const customerIds =
    typed.id === null
      ? await findCustomerIds(platform, tx, merchantId, typed.text, MAX_PER_KIND)
      : idsOf('cus');
  const schedules = await findSchedules(platform, asked, q);
  const [payments, customers, settlements] = await Promise.all([
    findPaymentsOf(platform, asked, typed, schedules, idsOf('pay')),
    showCustomers(platform, asked, customerIds),
    findSettlements(
      tx,
      merchantId,
      { ids: idsOf('set'), pence: typed.pence, reference: referenceIn(typed) },
      MAX_PER_KIND,
    ),
  ]);
  const isFound = [schedules, payments, customers, settlements].some((list) => list.length > 0);
  const alike =
    isFound || typed.id !== null
      ? []
      : await findNearNames(platform, tx, merchantId, typed.text, MAX_ALIKE);
  return {
    schedules,
    payments,
    customers,
    did_you_mean: await showCustomers(platform, asked, alike),
    settlements: settlements.map((one) => ({
      id: one.settlementId,
      amount: { value: one.amountPence, currency: one.currency },
      status: one.status,
      statement_reference: statementReference(one),
      settlement_date: one.settleDate.toString(),
    })),
  };
}

/** How much of a settlement's reference has to be typed. */
const SHORTEST_REFERENCE = 4;

/** Returns what was typed as a part of a statement reference, or as a line that has one; null: it is an id, or too short. */
function referenceIn({ id, text }: Typed): string | null {
  const letters = referenceLetters(text);
  const isNone = id !== null || /[£.@]/.test(text) || letters.length < SHORTEST_REFERENCE;
  return isNone ? null : letters;
}

/** Returns the newest schedules that a search of their list finds. */
async function findSchedules(
  platform: Platform,
  asked: Asked,
  q: string,
): Promise<Found['schedules']> {
  const { tx, now, merchantId } = asked;
  const match = await matchSchedules(platform, { tx, merchantId }, q);
  const { data } = await findDetailsPage(tx, merchantId, { match }, firstPage(MAX_PER_KIND), now);
  const found = data.map(({ schedule }) => schedule);
  const shown = await showSchedules(platform, asked, found);
  return found.flatMap(({ scheduleId: id, description, customerId, status }) => {
    const { terms, asked: latest, customer: label } = shown.get(id) ?? {};
    if (terms === undefined || label === undefined) return [];
    const { amount } = latest ?? terms;
    return [{ id, description, customer: { id: customerId, label }, amount, status }];
  });
}

/** Returns payments by id, else those of an amount, and the latest of each schedule that was not found by the amount. */
async function readPayments(
  { tx, merchantId }: Asked,
  pence: number | null,
  schedules: Found['schedules'],
  ids: readonly string[],
): Promise<FoundPayment[]> {
  if (ids.length > 0) return findPayments(tx, merchantId, ids);
  const others = schedules.filter(({ amount }) => amount.value !== pence).map(({ id }) => id);
  const latest = await findLatestPayments(tx, merchantId, others);
  if (pence === null) return latest;
  const filter = { amountFrom: pence, amountTo: pence, sort: '-due_date' } as const;
  const page = firstPage(MAX_PER_KIND);
  const { data } = await listPayments(tx, merchantId, filter, page);
  const found = data.map((row) => row.paymentId);
  const ofAmount = await findPayments(tx, merchantId, found);
  const all = new Map([...ofAmount, ...latest].map((row) => [row.paymentId, row]));
  return [...all.values()].slice(0, MAX_PER_KIND);
}

async function findPaymentsOf(
  platform: Platform,
  asked: Asked,
  { pence }: Typed,
  schedules: Found['schedules'],
  ids: readonly string[],
): Promise<Found['payments']> {
  const { tx, merchantId } = asked;
  const rows = await readPayments(asked, pence, schedules, ids);
  const customerIds = rows.map((row) => row.customerId);
  const labels = await labelCustomers(platform, tx, merchantId, customerIds);
  return rows.map((row) => ({
    id: row.paymentId,
    description: row.description,
    customer: labels.get(row.customerId) ?? { id: row.customerId, label: row.customerId },
    amount: { value: row.amountPence, currency: row.currency },
    status: row.status,
    due_date: formatInstant(row.dueDate),
  }));
}

async function showCustomers(
  platform: Platform,
  { tx, merchantId }: Asked,
  ids: readonly string[],
): Promise<Found['customers']> {
  const rows = await findCustomers(tx, merchantId, ids);
  return ids.flatMap((id) => {
    const row = rows.get(id);
    if (row === undefined) return [];
    const number = describeNumber(openCustomer(platform, merchantId, row));
    return [{ id, label: labelOf(platform, merchantId, row), number, reference: row.reference }];
  });
}
