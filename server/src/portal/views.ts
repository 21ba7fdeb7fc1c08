import type { Bank } from '../banks/bank.ts';
import { readConditions } from '../banks/condition-store.ts';
import { findStopped } from '../banks/stop-store.ts';
import { canMake } from '../consents/authorisation.ts';
import type { StoredControlParameters } from '../consents/consent.ts';
import { openLinks } from '../consents/service.ts';
import { findPayingAccount } from '../consents/store.ts';
import { shownToCustomer } from '../disputes/dispute.ts';
import { type DisputeRow, findDisputesOf } from '../disputes/store.ts';
import { listPayments } from '../payments/books/list-store.ts';
import { findNotSent } from '../payments/books/not-sent-store.ts';
import type { PaymentRow } from '../payments/books/read-store.ts';
import { findItemsOf } from '../payments/books/unallocated-store.ts';
import { findWaiting } from '../payments/books/waiting-store.ts';
import { findUsed } from '../payments/limits/store.ts';
import type { NotSent } from '../payments/payment/not-sent.ts';
import { type PromisedRetries, promisedRetries } from '../payments/payment/promised-retries.ts';
import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import { compareInstants } from '../platform/values/instants.ts';
import { findRefundsOf, type RefundRow } from '../refunds/store.ts';
import { findChangesOf } from '../schedules/books/changes-store.ts';
import { type ConsentNotice, consentNotice } from '../schedules/books/consent-notice.ts';
import { listSchedules } from '../schedules/books/list-store.ts';
import { readTerms } from '../schedules/books/store.ts';
import { type LimitUse, limitUses, roomUnder, type ToCome } from '../schedules/limits/room.ts';
import {
  type FirstPayment,
  sinceUnder,
  type Terms,
  termsToAgree,
} from '../schedules/terms/schedule.ts';
import type { AccountDetails } from '../wallets/issuer.ts';
import { readWallet } from '../wallets/service.ts';
import {
  type Collecting,
  type ComingOccurrence,
  type ComingPayment,
  comingOccurrences,
  comingPayments,
  isPast,
  onceOf,
} from './coming.ts';
import type { PortalDeps } from './service.ts';
import type { ConsentPageState } from './standing.ts';

const COMING_SHOWN = 4;
const PAST_SHOWN = 12;
const LATEST = { limit: PAST_SHOWN, offset: 0 };
/** Schedules that share one consent; a customer with more sees the newest. */
const SCHEDULES_SHOWN = 100;

/** A bank to choose. */
export interface OfferedBank {
  bankId: string;
  name: string;
  /** Why consents or payments there may have to wait; null: nothing is wrong. */
  trouble: 'down' | 'degraded' | 'stopped' | null;
}

/** What the customer is asked to agree to. */
export interface Offer {
  terms: Terms;
  /** The terms under which payments are already collected; null at a first consent. */
  current: Terms | null;
  coming: ComingOccurrence[];
  /** What is collected once, as soon as the customer agrees, with the present moment; null: nothing. */
  first: (FirstPayment & { at: Temporal.Instant }) | null;
  limits: StoredControlParameters;
  /** The bank whose limits these are; null: those that most banks take. */
  limitsOf: string | null;
  retries: PromisedRetries;
  banks: OfferedBank[];
}

/** Reads an open offer, with the limits of one bank or those that most banks take; null if no payment is left to agree to. */
export async function readOffer(
  deps: PortalDeps,
  standing: ConsentPageState,
  limitsOf: string | null,
): Promise<Offer | null> {
  const { platform, banks, plan } = deps.authorisation;
  const { consent, schedule } = standing;
  const { merchantId, scheduleId, liveVersion } = schedule;
  const now = platform.clock.now();
  return platform.db.read(async (tx) => {
    const taken = banks.get(limitsOf ?? '')?.traits.periods;
    const planned = await plan(tx, now, consent, taken);
    if (planned === null) return null;
    const asked = await readTerms(tx, merchantId, scheduleId, consent.termsVersion);
    const terms = termsToAgree(schedule, asked);
    const changes = await findChangesOf(tx, schedule, now);
    // Compared with what is asked for, and without the room for a first payment, which was taken.
    const current =
      liveVersion === null
        ? null
        : termsToAgree(schedule, await readTerms(tx, merchantId, scheduleId, liveVersion));
    const since = sinceUnder(schedule, current, terms, { now, after: now });
    return {
      terms,
      current,
      coming: comingOccurrences(terms, changes, since, COMING_SHOWN),
      first:
        current === null && schedule.firstPayment !== null
          ? { ...schedule.firstPayment, at: now }
          : null,
      limits: planned.controlParameters,
      limitsOf,
      retries: retriesOf(terms, planned.controlParameters, schedule.maxRetries, now),
      banks: await readBanks(
        tx,
        now,
        [...banks.values()].filter(({ traits }) => canMake(traits, planned)),
      ),
    };
  });
}

async function readBanks(
  tx: Tx,
  now: Temporal.Instant,
  banks: readonly Bank[],
): Promise<OfferedBank[]> {
  const standing = await readConditions(tx, now);
  const stopped = await findStopped(
    tx,
    banks.map(({ bankId }) => bankId),
  );
  return banks.map(({ bankId, name }) => {
    const { condition } = standing(bankId);
    const trouble = condition === 'operational' ? null : condition;
    return { bankId, name, trouble: stopped.has(bankId) ? 'stopped' : trouble };
  });
}

function retriesOf(
  terms: Terms,
  limits: StoredControlParameters,
  maxRetries: number,
  now: Temporal.Instant,
): PromisedRetries {
  const room = roomUnder(limits);
  return room === null
    ? { each: 0, last: null }
    : promisedRetries(terms, room.params, maxRetries, now);
}

/** A past payment, and what it is for. */
export interface PastPayment extends PaymentRow {
  description: string;
  /** What it is, if it is no occurrence's. */
  once: string | null;
  /** It is sent when the customer has confirmed the permission at their bank. */
  waitsForCustomer: boolean;
  /** Why it is not sent yet, and the name of its bank; null: it was, or it is not under way. */
  notSent: (NotSent & { bankName: string }) | null;
  /** It needs a person to end it. */
  waitsForPerson: boolean;
  /** Money that arrived beside the expected payment and has not been decided on. */
  unexpectedPence: number;
  /** Oldest first. */
  refunds: readonly RefundRow[];
  /** The dispute of it that they see; null: none. */
  dispute: DisputeRow | null;
}

/** A granted consent as its customer can see it at any time: docs/rules/consents.md#withdrawal. */
export interface Agreement {
  collecting: Collecting[];
  coming: ComingPayment[];
  past: PastPayment[];
  headroom: LimitUse[];
  limits: StoredControlParameters | null;
  bankName: string;
  /** The last digits of the paying account's number; null if unknown. */
  payingAccountEnding: string | null;
  /** The account that payments go to, with the name that the customer's bank shows; null if the consent names none. */
  payee: AccountDetails | null;
  grantedAt: Temporal.Instant | null;
  /** What prevents, or may prevent, its use; null: nothing. */
  notice: ConsentNotice | null;
  /** The link to newer terms that wait for the customer's decision; null if there are none. */
  newTermsUrl: string | null;
}

/** Reads a granted consent with its coming and past payments, and how far its limits are used. */
export async function readAgreement(
  deps: PortalDeps,
  standing: ConsentPageState,
): Promise<Agreement> {
  const { platform, banks } = deps.authorisation;
  const { consent, schedule } = standing;
  const now = platform.clock.now();
  return platform.db.read(async (tx) => {
    const collecting = await readCollecting(tx, standing, now);
    const asked = { tx, now, merchantId: consent.merchantId };
    const links = await openLinks(platform, asked, [schedule.scheduleId]);
    const { merchantId, consentId } = consent;
    const payments = await findUsed(tx, [{ merchantId, consentId }]);
    const room = roomUnder(consent.controlParameters, payments, toComeOf(collecting));
    const waiting = await readWaiting(tx, collecting);
    const notice = noticeOf(consent, collecting, now);
    const isHeld = notice?.kind === 'reauthentication_needed';
    const unsent = new Set(payments.filter((p) => p.isWaiting && isHeld).map((p) => p.paymentId));
    return {
      collecting,
      coming: comingPayments(collecting, waiting, now, COMING_SHOWN),
      past: await pastOf({ tx, now, banks }, collecting, unsent),
      headroom: room === null ? [] : limitUses(room, now),
      limits: consent.controlParameters,
      payingAccountEnding: await findPayingAccount(tx, consent.merchantId, consent.consentId),
      payee: await payeeOf(platform, tx, standing),
      bankName: banks.get(consent.bankId ?? '')?.name ?? 'your bank',
      grantedAt: consent.grantedAt,
      notice,
      newTermsUrl: links.get(schedule.scheduleId) ?? null,
    };
  });
}

async function payeeOf(
  platform: Platform,
  tx: Tx,
  { consent: { merchantId, walletId }, merchant }: ConsentPageState,
): Promise<AccountDetails | null> {
  if (walletId === null) return null;
  const { account } = await readWallet(platform, tx, merchantId, walletId);
  return { ...account, name: merchant.name };
}

/** Returns the most serious notice of its schedules. */
function noticeOf(
  consent: ConsentPageState['consent'],
  collecting: readonly Collecting[],
  now: Temporal.Instant,
): ConsentNotice | null {
  const trouble = {
    doubtedAt: consent.doubtedAt,
    suspendedAt: consent.suspendedAt,
    limitsChangedAt: consent.limitsChangedAt,
    limits: consent.controlParameters,
  };
  const notices = collecting.map((one) => consentNotice(trouble, one.schedule, one.terms, now));
  return notices.find((notice) => notice !== null) ?? null;
}

/** Returns the schedules that a consent covers: possibly several of its customer. */
async function readCollecting(
  tx: Tx,
  { consent }: ConsentPageState,
  now: Temporal.Instant,
): Promise<Collecting[]> {
  const { merchantId, customerId, consentId } = consent;
  const schedules = await listSchedules(tx, merchantId, { customerId }, SCHEDULES_SHOWN);
  const collecting: Collecting[] = [];
  for (const schedule of schedules) {
    if (schedule.consentId !== consentId || schedule.liveVersion === null) continue;
    if (schedule.status === 'cancelled') continue;
    const { scheduleId, liveVersion } = schedule;
    collecting.push({
      schedule,
      terms: await readTerms(tx, merchantId, scheduleId, liveVersion),
      changes: await findChangesOf(tx, schedule, now),
    });
  }
  return collecting;
}

/** Returns the payments of these schedules that are due, wait for a retry, or are planned for later. */
async function readWaiting(tx: Tx, collecting: readonly Collecting[]): Promise<PaymentRow[]> {
  const lists = collecting.map(({ schedule: { merchantId, scheduleId } }) =>
    listPayments(tx, merchantId, { scheduleId, status: 'pending' }, LATEST),
  );
  return (await Promise.all(lists)).flatMap(({ data }) => data);
}

/** Returns what is still to come under those that are active, or become so automatically. */
export function toComeOf(collecting: readonly Collecting[]): ToCome[] {
  return collecting.flatMap(({ schedule: { status, dueAt, resumeAt }, terms, changes }) => {
    const from = status === 'active' ? dueAt : resumeAt;
    return from === null ? [] : [{ terms: { ...terms, changes }, from }];
  });
}

async function pastOf(
  { tx, now, banks }: { tx: Tx; now: Temporal.Instant; banks: ReadonlyMap<string, Bank> },
  collecting: readonly Collecting[],
  unsent: ReadonlySet<string>,
): Promise<PastPayment[]> {
  const past: PastPayment[] = [];
  for (const { schedule } of collecting) {
    const { merchantId, scheduleId, description } = schedule;
    const { data: rows } = await listPayments(tx, merchantId, { scheduleId }, LATEST);
    const ids = rows.map((row) => row.paymentId);
    const waiting = await findWaiting(tx, now, merchantId, ids);
    const notSent = await findNotSent(tx, now, merchantId, ids);
    const items = await findItemsOf(tx, merchantId, ids);
    const refunds = Map.groupBy(await findRefundsOf(tx, merchantId, ids), (one) => one.paymentId);
    const disputes = Map.groupBy(await findDisputesOf(tx, merchantId, ids), (one) => one.paymentId);
    for (const row of rows.filter((one) => isPast(one, now))) {
      const open = items.filter((i) => i.paymentId === row.paymentId && i.status === 'open');
      const unexpectedPence = open.reduce((sum, item) => sum + item.amountPence, 0);
      const waitsForPerson = waiting.has(row.paymentId);
      past.push({
        ...row,
        description,
        once: onceOf(row),
        waitsForCustomer: row.status === 'processing' && unsent.has(row.paymentId),
        notSent: named(notSent.get(row.paymentId), banks),
        waitsForPerson,
        unexpectedPence,
        refunds: refunds.get(row.paymentId) ?? [],
        dispute: shownToCustomer(disputes.get(row.paymentId) ?? []),
      });
    }
  }
  return past.sort((a, b) => compareInstants(b.dueDate, a.dueDate)).slice(0, PAST_SHOWN);
}

function named(
  notSent: NotSent | undefined,
  banks: ReadonlyMap<string, Bank>,
): PastPayment['notSent'] {
  if (notSent === undefined) return null;
  return { ...notSent, bankName: banks.get(notSent.bankId)?.name ?? 'Your bank' };
}
