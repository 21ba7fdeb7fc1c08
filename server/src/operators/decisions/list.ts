import { listOthers } from '../../laws/invariants/overdue-store.ts';
import { ISSUER } from '../../laws/reconciliation/reconciliation.ts';
import { listItems as listDifferences } from '../../laws/reconciliation/reconciliation-store.ts';
import { type ItemRow, listItems } from '../../payments/books/unallocated-store.ts';
import { findAllWaiting } from '../../payments/books/waiting-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { firstPage } from '../../platform/http/lists/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { readActor } from '../../platform/state/actor.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { listWaiting as listSettlements } from '../../settlements/return-store.ts';
import { sentenceOf } from '../requests/request.ts';
import { listRequests } from '../requests/store.ts';
import { BARE, type Case, overdueCases } from './case.ts';
import { moneyCase, paymentCase } from './money-case.ts';
import {
  findLikelyPayments,
  findOwners,
  findSubjects,
  listDistrusted,
  listLongHolds,
  listWaitingAccounts,
} from './store.ts';

/** More than this of one kind wait only when a whole partner is silent; the metrics count them. */
export const MAX_OF_A_KIND = 1_000;

/** How long an operator's hold of pay-outs stands before it is looked at again: as its alert does. */
const HELD_FOR = Temporal.Duration.from({ hours: 24 });

/**
 * Returns everything that waits for an operator, each thing once: money that came in another amount is one case with the payment
 * that waits for it, and a pay-out in doubt one with what is overdue of it. At most `MAX_OF_A_KIND` of each kind, the oldest.
 */
export async function listCases(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
): Promise<Case[]> {
  const [money, requests, settlements, others] = await Promise.all([
    listMoney(tx, now),
    listPairs(platform.vault, tx, now),
    settlementCases(tx),
    listOthers(tx, now, MAX_OF_A_KIND).then(overdueCases),
  ]);
  const inDoubt = new Set(settlements.map(({ id }) => id));
  const isTwice = ({ kind, id }: Case): boolean => kind === 'settlement' && inDoubt.has(id);
  const cases = [
    ...money,
    ...requests,
    ...settlements,
    ...others.filter((one) => !isTwice(one)),
    ...(await listSingle(tx, now, requests)),
  ];
  return withSubjects(tx, cases);
}

/**
 * Money and payments. A payment that waits because of another amount is no case beside that money; one that waits for any other
 * reason is, whatever money names it: only its own act ends it. Money without an act pays automatically.
 */
async function listMoney(tx: Tx, now: Temporal.Instant): Promise<Case[]> {
  const [items, waiting] = await Promise.all([
    listItems(tx, { onlyOpen: true }, firstPage(MAX_OF_A_KIND)),
    findAllWaiting(tx, now, MAX_OF_A_KIND),
  ]);
  const cases = (await casesOf(tx, items.data)).filter(({ acts }) => acts.length > 0);
  const otherAmounts = items.data.filter(({ reason }) => reason === 'another_amount');
  const named = new Set(otherAmounts.map(({ paymentId }) => paymentId));
  const alone = waiting.filter(
    ({ row, waiting: { reason } }) => reason !== 'wrong_amount' || !named.has(row.paymentId),
  );
  return [...cases, ...alone.map(paymentCase)];
}

/** Returns the cases of items. */
export async function casesOf(tx: Tx, items: readonly ItemRow[]): Promise<Case[]> {
  const payments = items.flatMap(({ merchantId, paymentId: id }) =>
    id === null ? [] : [{ merchantId, id }],
  );
  const wallets = items.map(({ merchantId, walletId: id }) => ({ merchantId, id }));
  const [likely, owners] = await Promise.all([
    findLikelyPayments(tx, payments),
    findOwners(tx, wallets),
  ]);
  return items.map((item) =>
    moneyCase(item, {
      payment: likely.get(item.paymentId ?? '') ?? null,
      walletOf: owners.get(item.walletId) ?? null,
    }),
  );
}

const firstOf = (by: string, reason: string) => ({ by, reason, act: null, paymentId: null });

/** What one operator has asked for, and a second one has to agree with. */
async function listPairs(vault: Vault, tx: Tx, now: Temporal.Instant): Promise<Case[]> {
  const [requests, accounts] = await Promise.all([
    listRequests(tx, vault, { onlyWaiting: true, now }, firstPage(MAX_OF_A_KIND)),
    listWaitingAccounts(tx, MAX_OF_A_KIND),
  ]);
  return [
    ...requests.data.map((asked): Case => {
      const { requestId: id, subject, askedName: by, reason: why } = asked;
      const merchantId = subject.startsWith('mer_') ? subject : null;
      const what = sentenceOf(asked, subject);
      const { kind: reason, askedAt: since } = asked;
      const said = { what, reason, since, merchantId, first: firstOf(by, why) };
      return { ...BARE, kind: 'request', id, ...said, step: 'pair', acts: ['agree', 'take_back'] };
    }),
    ...accounts.map(
      ({ merchantId, changeId: id, requestedBy, requestedAt: since, reason: why }): Case => ({
        ...BARE,
        ...{ kind: 'account_change', id, what: 'Another settlement account waits for a second' },
        ...{ reason: 'account_change', since, merchantId, step: 'account_change' },
        first: firstOf(readActor(requestedBy).name, why ?? ''),
      }),
    ),
  ];
}

/** Pay-outs whose account is in doubt, or of which the issuer has another amount. */
async function settlementCases(tx: Tx): Promise<Case[]> {
  return (await listSettlements(tx)).slice(0, MAX_OF_A_KIND).map((row): Case => {
    const { merchantId, settlementId: id, amountPence, waitsFor, since, errorMessage } = row;
    const is = { ...BARE, kind: 'settlement', id, since, merchantId, amountPence } as const;
    const detail = errorMessage === null ? '' : `: ${errorMessage}`;
    return waitsFor === 'account'
      ? {
          ...is,
          what: `A pay-out came back from the merchant’s account${detail}`,
          ...{ reason: 'account', step: 'account', acts: ['confirm'] },
        }
      : {
          ...is,
          what: `The issuer has another amount of a pay-out${detail}`,
          ...{ reason: 'amount', step: 'amount', acts: ['ask', 'done', 'not_done'] },
        };
  });
}

/** Differences with the issuer, pay-outs that stay held, and banks that are not believed. */
async function listSingle(
  tx: Tx,
  now: Temporal.Instant,
  requests: readonly Case[],
): Promise<Case[]> {
  const [differences, holds, banks] = await Promise.all([
    listDifferences(tx, ISSUER),
    listLongHolds(tx, now.subtract(HELD_FOR), MAX_OF_A_KIND),
    listDistrusted(tx),
  ]);
  const releases = requests.filter(({ reason }) => reason === 'release_pay_outs');
  const isReleased = new Set(releases.map(({ merchantId }) => merchantId));
  return [
    ...differences.slice(0, MAX_OF_A_KIND).map(
      ({ item: id, what, foundAt: since, amountPence, merchantId }): Case => ({
        ...BARE,
        ...{ kind: 'difference', id, what, reason: 'difference', since, merchantId },
        amountPence: amountPence === null ? null : Math.abs(amountPence),
        step: 'difference',
        acts: ['resolve'],
      }),
    ),
    ...holds
      .filter(({ merchantId }) => !isReleased.has(merchantId))
      .map(
        ({ merchantId: id, since, givenBy, reason: why }): Case => ({
          ...BARE,
          ...{ kind: 'hold', id, what: 'Pay-outs are held', reason: 'pay_outs', since },
          ...{ merchantId: id, step: 'hold', first: firstOf(givenBy, why) },
        }),
      ),
    ...banks.map(
      ({ bankId: id, since, vanished, lookedAt }): Case => ({
        ...BARE,
        what: `${vanished} of ${lookedAt} checked consents vanished at once; the bank’s answers don’t count`,
        ...{ kind: 'bank', id, reason: 'distrusted', since, bankId: id },
        step: 'bank',
        acts: ['trust'],
      }),
    ),
  ];
}

/** Adds the money, and whom and what it is about, of what its own list knows by its id alone. */
async function withSubjects(tx: Tx, cases: readonly Case[]): Promise<Case[]> {
  const byKind = Map.groupBy(cases, ({ kind }) => kind);
  const found = await Promise.all(
    [...byKind].map(async ([kind, some]) => {
      const refs = some.flatMap(({ merchantId, id }) =>
        merchantId === null ? [] : [{ merchantId, id }],
      );
      return [kind, await findSubjects(tx, kind, refs)] as const;
    }),
  );
  const subjects = new Map(found);
  const filled = cases.map((one): Case => {
    const { id: _, ...known } = subjects.get(one.kind)?.get(one.id) ?? { id: one.id };
    return { ...one, ...known };
  });
  const refs = filled.flatMap(({ merchantId, paymentId: id }) =>
    merchantId === null || id === null ? [] : [{ merchantId, id }],
  );
  const payments = await findLikelyPayments(tx, refs);
  return filled.map((one): Case => {
    const payment = payments.get(one.paymentId ?? '');
    if (payment === undefined) return one;
    const { customerId, scheduleId, dueDate, bankId } = payment;
    return { ...one, customerId, scheduleId, dueDate, bankId };
  });
}
