import type { Bank, BankConsent } from '../banks/bank.ts';
import { type CallBudget, callBudgets } from '../banks/call-budget.ts';
import type { Tx } from '../platform/db/db.ts';
import { isDatabaseFailure } from '../platform/db/isolate-failures.ts';
import { afterJitter } from '../platform/network/backoff.ts';
import { mapInParallel } from '../platform/network/concurrency-limits.ts';
import type { Platform } from '../platform/platform.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';
import { momentIn } from '../platform/time/clock.ts';
import { isAfter } from '../platform/values/instants.ts';
import { changedLimits } from './bank-limits.ts';
import {
  type ConsentCheck,
  checkDelay,
  checkOf,
  decideOnCheck,
  isImplausible,
  SECOND_CHECK_AFTER,
} from './check.ts';
import {
  beginDistrust,
  countChecks,
  countDoubts,
  endDistrust,
  isTrusted,
  noteConfirmed,
  noteSuspended,
  recordStillValid,
  scheduleNextCheck,
  setDoubt,
  storeCheck,
  storeLimits,
} from './check-store.ts';
import { type ConsentHooks, revokeConsent, waitingChange } from './service.ts';
import { type ConsentRow, lockConsent } from './store.ts';

export interface ConsentCheckDeps {
  platform: Platform;
  hooks: ConsentHooks;
  banks: ReadonlyMap<string, Bank>;
}

/** A consent and what its bank reports about it. */
interface CheckedConsent {
  consent: ConsentRow;
  check: ConsentCheck;
  askedAt: Temporal.Instant;
  /** Absent if the call failed. */
  atBank?: BankConsent;
}

const CONCURRENCY = 32;
/** No call begins later than this; the lease lasts well beyond. */
const LONGEST_CHECK = Temporal.Duration.from({ seconds: 60 });

/**
 * Reads granted consents back from their banks and acts on proven findings: sends no orders under a doubted consent, ends one
 * that two checks found over, applies changed limits. Retries an inconclusive check with backoff.
 */
export async function checkConsents(
  deps: ConsentCheckDeps,
  consents: readonly ConsentRow[],
): Promise<void> {
  const granted = consents.filter((consent) => consent.status === 'granted');
  const { db, clock } = deps.platform;
  // One clock, the database's, keeps the two checks an hour apart, even across processes.
  const askedAt = await db.read((tx) => momentIn(clock, tx));
  const budgetOf = callBudgets(clock, clock.now().add(LONGEST_CHECK), deps.banks);
  const checked = await mapInParallel(granted, CONCURRENCY, (consent) =>
    askBank(deps, consent, askedAt, budgetOf),
  );
  const quiet = checked.filter(isQuiet).map(({ consent }) => consent);
  if (quiet.length > 0) await db.transaction((tx) => recordStillValid(tx, clock.now(), quiet));
  const unknown = checked.filter(({ check }) => check.said === 'unknown').map((one) => one.consent);
  if (unknown.length > 0)
    await db.transaction((tx) =>
      scheduleNextCheck(tx, unknown, (consent) => nextCheckAt(clock.now(), consent)),
    );
  await settleAll(deps, checked);
}

/** Queries one bank for one consent, within the bank's call budget. */
async function askBank(
  { platform, banks }: ConsentCheckDeps,
  consent: ConsentRow,
  askedAt: Temporal.Instant,
  budgetOf: (bankId: string) => CallBudget,
): Promise<CheckedConsent> {
  const unknown = { consent, askedAt, check: { said: 'unknown' } } as const;
  const bank = banks.get(consent.bankId ?? '');
  if (bank === undefined) return unknown;
  const budget = budgetOf(bank.bankId);
  if (budget.restsUntil !== null || !budget.hasTime()) return unknown;
  try {
    const atBank = await bank.readConsent(consent.bankConsentId ?? '');
    return { consent, askedAt, check: checkOf(atBank, consent.controlParameters, askedAt), atBank };
  } catch (error) {
    budget.heed(error);
    platform.log.report('consent.status_unknown', { consent_id: consent.consentId, err: error });
    return unknown;
  }
}

/** Whether a check changes nothing but the time of the last one. */
function isQuiet({ consent, check, atBank }: CheckedConsent): boolean {
  return (
    check.said === 'stands' &&
    consent.doubtedAt === null &&
    consent.suspendedAt === null &&
    consent.confirmAskedAt === null &&
    newLimits(consent, atBank) === null
  );
}

const newLimits = (consent: ConsentRow, atBank?: BankConsent): ReturnType<typeof changedLimits> =>
  consent.controlParameters === null
    ? null
    : changedLimits(consent.controlParameters, atBank?.limits ?? null);

/** Records new doubts first and counts them, so that no consent ends because its bank is at fault. */
async function settleAll(
  deps: ConsentCheckDeps,
  checked: readonly CheckedConsent[],
): Promise<void> {
  const settled = checked.filter((one) => one.check.said !== 'unknown' && !isQuiet(one));
  const isNew = ({ consent, check }: CheckedConsent): boolean =>
    check.said === 'over' && consent.doubtedAt === null;
  const doubts = settled.filter(isNew);
  for (const one of doubts) await settleOne(deps, one);
  for (const bankId of new Set(doubts.map(({ consent }) => consent.bankId ?? '')))
    await reviewTrust(deps, bankId);
  for (const one of settled.filter((other) => !isNew(other))) await settleOne(deps, one);
}

/** Records one check. A failure does not block the others: the consent is checked again. */
async function settleOne(deps: ConsentCheckDeps, checked: CheckedConsent): Promise<void> {
  const { platform, hooks } = deps;
  const { consent } = checked;
  try {
    await platform.db.transaction(async (tx) => {
      await hooks.lockSchedulesUnder(tx, consent);
      const locked = await lockConsent(tx, consent.merchantId, consent.consentId);
      if (locked?.status === 'granted') await settle(deps, tx, checked, locked);
    });
  } catch (err) {
    if (isDatabaseFailure(err)) throw err;
    platform.log.report('consent.status_not_recorded', { consent_id: consent.consentId, err });
  }
}

async function settle(
  deps: ConsentCheckDeps,
  tx: Tx,
  { check, askedAt, atBank }: CheckedConsent,
  consent: ConsentRow,
): Promise<void> {
  const { platform } = deps;
  const now = await momentIn(platform.clock, tx);
  const bankId = consent.bankId ?? '';
  const trusted = await isTrusted(tx, bankId);
  const decision = decideOnCheck(consent.doubtedAt, check, askedAt, trusted);
  const evidence = check.said === 'over' ? check.evidence : (atBank?.status ?? '');
  const name = { consent_id: consent.consentId, bank_id: bankId, evidence };
  const isOurs = isOursToConfirm(check, askedAt, consent);
  switch (decision.do) {
    case 'keep':
      if (check.said === 'suspended' || isOurs) await suspend(deps, tx, now, consent, isOurs);
      else await recordConfirmed(deps, tx, now, consent);
      break;
    case 'doubt': {
      await storeCheck(tx, now, consent, 'over', evidence);
      await setDoubt(tx, now, consent, now, now.add(SECOND_CHECK_AFTER));
      platform.log.report('consent.end_doubted', name);
      break;
    }
    case 'wait':
      await scheduleNextCheck(tx, [consent], () => nextCheckAt(now, consent));
      break;
    case 'clear':
      await storeCheck(tx, now, consent, 'stands', evidence);
      await setDoubt(tx, now, consent, null, null);
      if (check.said === 'suspended' || isOurs) await suspend(deps, tx, now, consent, isOurs);
      platform.log.report('consent.end_withdrawn', name);
      if (!trusted) await trustAgain(deps, tx, now, bankId);
      break;
    case 'end':
      await storeCheck(tx, now, consent, 'over', evidence);
      await revokeConsent(deps, tx, consent, decision.reason);
      return;
  }
  await applyLimits(deps.platform, tx, consent, atBank);
}

/**
 * Whether only our page can end the wait: the bank may call a consent authorised, and still refuse orders until the customer has
 * confirmed it. Where it calls it suspended after such a refusal, it will say when it no longer is.
 */
const isOursToConfirm = (
  { said }: ConsentCheck,
  askedAt: Temporal.Instant,
  { confirmAskedAt: refusedAt }: ConsentRow,
): boolean => refusedAt !== null && (said !== 'suspended' || isAfter(refusedAt, askedAt));

/** How long after a check that found the consent suspended the next one comes: the customer may confirm it in the bank's app. */
const SUSPENDED_CHECK_AFTER = Temporal.Duration.from({ hours: 6 });

/**
 * Sends nothing more under a locked consent until its customer confirms it at the bank; the first report creates the event.
 * `isOurs`: no check can end the wait, and none is planned.
 */
async function suspend(
  { hooks }: ConsentCheckDeps,
  tx: Tx,
  now: Temporal.Instant,
  consent: ConsentRow,
  isOurs: boolean,
): Promise<void> {
  await noteSuspended(tx, now, consent, isOurs ? null : now.add(SUSPENDED_CHECK_AFTER));
  if (consent.suspendedAt !== null) return;
  await recordChanges(tx, now, [waitingChange(consent, 'to_confirm')]);
  await hooks.suspended(tx, now, consent);
}

/** Records that a locked consent stands; what waited for its customer is sent. */
async function recordConfirmed(
  { hooks }: ConsentCheckDeps,
  tx: Tx,
  now: Temporal.Instant,
  consent: ConsentRow,
): Promise<void> {
  if (consent.suspendedAt === null) return recordStillValid(tx, now, [consent]);
  await noteConfirmed(tx, now, consent);
  await recordChanges(tx, now, [waitingChange(consent, 'confirmed')]);
  await hooks.confirmed(tx, now, consent);
}

/** Applies the limits that a locked consent has at its bank, if the customer changed them there. */
export async function applyLimits(
  { clock, log }: Pick<Platform, 'clock' | 'log'>,
  tx: Tx,
  consent: ConsentRow,
  atBank: Pick<BankConsent, 'limits'> | undefined,
): Promise<void> {
  if (consent.controlParameters === null) return;
  const after = changedLimits(consent.controlParameters, atBank?.limits ?? null);
  if (after === null) return;
  await storeLimits(tx, clock.now(), consent, after);
  log.info(
    { consent_id: consent.consentId, before: consent.controlParameters, after },
    'the limits of a consent were changed at the bank',
  );
}

/** Returns when to check again after an inconclusive check; in doubt, not before the second check can count. */
function nextCheckAt(now: Temporal.Instant, consent: ConsentRow): Temporal.Instant {
  const { consentId: id, lookTries: tries } = consent;
  const backoff = afterJitter(now, checkDelay(tries), `${id} ${tries}`);
  const second = consent.doubtedAt?.add(SECOND_CHECK_AFTER);
  if (second === undefined || !isAfter(second, now)) return backoff;
  return second;
}

/** Stops acting on a bank's responses if too many of its consents vanish at once. */
async function reviewTrust({ platform }: ConsentCheckDeps, bankId: string): Promise<void> {
  const { db, clock, log } = platform;
  await db.transaction(async (tx) => {
    const counts = await countChecks(tx, clock.now(), bankId);
    if (!isImplausible(counts)) return;
    if (!(await beginDistrust(tx, clock.now(), bankId, counts))) return;
    log.report('bank.distrusted', {
      bank_id: bankId,
      vanished: counts.vanished,
      looked_at: counts.lookedAt,
    });
  });
}

/** The bank contradicted an earlier response: trusts it again if few enough doubts remain. */
async function trustAgain(
  { platform }: ConsentCheckDeps,
  tx: Tx,
  now: Temporal.Instant,
  bankId: string,
): Promise<void> {
  const vanished = await countDoubts(tx, bankId);
  const { lookedAt } = await countChecks(tx, now, bankId);
  if (isImplausible({ vanished, lookedAt })) return;
  if (await endDistrust(tx, now, bankId, 'the bank disagreed with its earlier answers'))
    platform.log.report('bank.trusted', { bank_id: bankId });
}
