import type { Bank } from '../../banks/bank.ts';
import { ledgerEntries } from '../../dashboard/ledger-store.ts';
import { showEvidence } from '../../dashboard/payments/service.ts';
import { changeTitle, changeWhy, objectKind } from '../../dashboard/schedules/timeline-words.ts';
import { findItem, type ItemRow } from '../../payments/books/unallocated-store.ts';
import { viewItemInFull } from '../../payments/books/unallocated-view.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { type Case, type CaseSort, type DecisionKind, sortCases } from './case.ts';
import { casesOf, listCases } from './list.ts';
import { findMerchantNames, listSteps } from './store.ts';
import { type DecisionView, type FullDecisionView, type Names, viewCase } from './view.ts';

/** What the queue of decisions works with. */
export interface DecisionDeps {
  platform: Platform;
  banks: ReadonlyMap<string, Bank>;
}

/** Which decisions, in which order: an absent part does not limit. */
export interface DecisionFilter {
  kind: DecisionKind | undefined;
  merchantId: string | undefined;
  q: string | undefined;
  sort: CaseSort;
}

/** Returns everything that waits for an operator and passes, with names beside ids. */
export async function listDecisions(
  deps: DecisionDeps,
  tx: Tx,
  now: Temporal.Instant,
  { kind, merchantId, q = '', sort }: DecisionFilter,
): Promise<DecisionView[]> {
  const cases = (await listCases(deps.platform, tx, now)).filter(
    (one) =>
      (kind === undefined || one.kind === kind) &&
      (merchantId === undefined || one.merchantId === merchantId),
  );
  const names = await namesFor(deps, tx, now, cases);
  const found = sortCases(cases, sort).map((one) => viewCase(one, names));
  const typed = q.trim().toLowerCase();
  return typed === '' ? found : found.filter((one) => wordsOf(one).includes(typed));
}

/** All that a decision is found by. */
const wordsOf = (one: DecisionView): string =>
  [
    one.what,
    one.id,
    one.merchant?.name,
    one.merchant?.id,
    one.customer_id,
    one.schedule_id,
    one.payment_id,
    one.bank?.name,
  ]
    .join(' ')
    .toLowerCase();

async function namesFor(
  { platform, banks }: DecisionDeps,
  tx: Tx,
  now: Temporal.Instant,
  cases: readonly Case[],
): Promise<Names> {
  const ids = new Set(cases.flatMap(({ merchantId }) => merchantId ?? []));
  return {
    now,
    merchants: await findMerchantNames(tx, [...ids]),
    bankName: (bankId) => banks.get(bankId)?.name ?? bankId,
    guides: `${platform.config.baseUrl}/docs/guides`,
  };
}

/** Returns one with its evidence, or null if it does not wait. */
export async function showDecision(
  deps: DecisionDeps,
  tx: Tx,
  now: Temporal.Instant,
  kind: DecisionKind,
  id: string,
): Promise<FullDecisionView | null> {
  const item = kind === 'unallocated_money' ? await findItem(tx, id) : null;
  const found =
    // Money is shown after its decision too.
    item === null ? await findCase(deps, tx, now, kind, id) : (await casesOf(tx, [item]))[0];
  if (found === undefined) return null;
  const names = await namesFor(deps, tx, now, [found]);
  const { merchantId, paymentId, dueDate } = found;
  const isKnown = merchantId !== null && paymentId !== null && dueDate !== null;
  return {
    ...viewCase(found, names),
    item: item && viewItemInFull(deps.platform.vault, item, now),
    evidence: isKnown ? await showEvidence(tx, merchantId, paymentId, names.bankName) : null,
    ...(merchantId === null || kind === 'payment'
      ? { ledger: [], changes: [] }
      : await ownBooks(tx, { ...found, merchantId }, item)),
  };
}

/** The bookings and the changes of what a case is about, beside those of its payment. */
async function ownBooks(
  tx: Tx,
  { kind, id, merchantId, scheduleId }: Case & { merchantId: string },
  item: ItemRow | null,
): Promise<Pick<FullDecisionView, 'ledger' | 'changes'>> {
  const object = objectKind(id);
  const sources = item === null ? [id] : [item.movementId, item.itemId];
  const steps = await listSteps(tx, { merchantId, id }, kind === 'settlement' ? null : scheduleId);
  return {
    ledger: await ledgerEntries(tx, merchantId, sources, 'GBP'),
    changes: steps.map(({ at, fromState, toState, reason }) => ({
      at: formatInstant(at),
      title: changeTitle(object, fromState, toState, reason),
      why: changeWhy(object, reason),
    })),
  };
}

async function findCase(
  { platform }: DecisionDeps,
  tx: Tx,
  now: Temporal.Instant,
  kind: DecisionKind,
  id: string,
): Promise<Case | undefined> {
  const all = await listCases(platform, tx, now);
  return all.find((one) => one.kind === kind && one.id === id);
}
