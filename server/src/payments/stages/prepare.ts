import { randomUUID } from 'node:crypto';
import { type Bank, BankRefused, type Grant } from '../../banks/bank.ts';
import { openGrant, openInitiation, sealGrant } from '../../consents/grant.ts';
import { claimRenewals, findGrant, type GrantRef, saveGrants } from '../../consents/grant-store.ts';
import { coalesce } from '../../platform/db/coalesce.ts';
import type { Platform } from '../../platform/platform.ts';
import { type ClaimedAttempt, checksFunds } from '../payment/attempt.ts';
import {
  asksForCustomer,
  awaitCustomer,
  noFunds,
  type Outcome,
  refused,
} from '../payment/outcome.ts';
import { instructionId } from '../payment/payment.ts';
import type { SilentBanks } from './silent-banks.ts';

/** An attempt that may go to its bank now, with its access grant. */
export interface Ready {
  attempt: ClaimedAttempt;
  bank: Bank;
  grant: Grant;
}

/**
 * Before the first order of an attempt, runs every check; before a repeat, only renews the grant. Returns an attempt that may go
 * to its bank, or an outcome. Throws if no outcome could be determined.
 */
export async function prepare(
  platform: Platform,
  bank: Bank,
  attempt: ClaimedAttempt,
  grants: Grants,
  silent: SilentBanks,
): Promise<Ready | Outcome> {
  const isFresh = attempt.sentAt === null;
  try {
    const grant = await currentGrant(platform, bank, attempt, grants);
    const { bankConsentId: consent, amountPence: pence } = attempt;
    if (checksFunds(bank.traits.fundsCheck, attempt, silent.has(bank.bankId))) {
      const funds = await bank.confirmFunds(grant, consent, pence);
      silent.note(bank.bankId, true);
      if (funds === 'not_available') return noFunds(attempt.polls);
    }
    return { attempt, bank, grant };
  } catch (error) {
    if (!isFresh || !(error instanceof BankRefused)) throw error;
    if (asksForCustomer(error)) return awaitCustomer(attempt, platform.clock.now());
    return refused(error, attempt.polls);
  }
}

/**
 * The grants of one batch, by consent: schedules that share a grant renew it once; two renewals could invalidate each other. Both
 * functions return whether the grant was still the one that was read; concurrent calls are coalesced.
 */
export interface Grants {
  known: Map<string, Promise<Grant>>;
  /** Claims the renewal of a grant: no other process renews it meanwhile. */
  claim(grant: GrantRef & { claim: string }): Promise<boolean>;
  /** Stores a renewed grant. */
  store(renewed: GrantRef & { grant: string }): Promise<boolean>;
}

const MAX_STORED = 100;
/** Longer than a renewal: the token endpoint and the bank's keys, with ten seconds each. */
const RENEWAL = Temporal.Duration.from({ seconds: 30 });

/** Returns an empty set of grants. */
export function noGrants({ db, clock }: Platform): Grants {
  return {
    known: new Map(),
    claim: together((some) => {
      const now = clock.now();
      return db.transaction((tx) => claimRenewals(tx, now, now.add(RENEWAL), some));
    }),
    store: together((some) => db.transaction((tx) => saveGrants(tx, some))),
  };
}

/** Does the work for many grants at once; where that fails, for each alone. Returns whether it was done for the one given. */
function together<T extends GrantRef>(
  work: (some: readonly T[]) => Promise<Set<string>>,
): (grant: T) => Promise<boolean> {
  const done = new WeakSet<T>();
  const workOff = async (some: readonly T[]): Promise<void> => {
    const ids = await work(some);
    for (const one of some) if (ids.has(one.consentId)) done.add(one);
  };
  const workTogether = coalesce<T>(MAX_STORED, ({ consentId }) => consentId, workOff);
  return async (grant) => {
    await workTogether(grant).catch(() => workOff([grant]));
    return done.has(grant);
  };
}

function currentGrant(
  platform: Platform,
  bank: Bank,
  attempt: ClaimedAttempt,
  grants: Grants,
): Promise<Grant> {
  const { known } = grants;
  const grant = known.get(attempt.consentId) ?? renewStored(platform, bank, attempt, grants);
  known.set(attempt.consentId, grant);
  return grant;
}

/**
 * Returns the stored grant, renewed if it is about to expire: by one process at a time, and stored before it is used. A process
 * that crashes in between may lose the only token that the bank still takes: then the customer has to agree again.
 */
async function renewStored(
  platform: Platform,
  bank: Bank,
  attempt: ClaimedAttempt,
  grants: Grants,
): Promise<Grant> {
  const { merchantId, consentId } = attempt;
  const grant = openGrant(platform, merchantId, consentId, attempt.bankGrant);
  const ref = { merchantId, consentId, revision: attempt.grantRevision };
  let isOthers = false;
  const fresh = await renew(platform, bank, attempt, grant, async () => {
    const claim = randomUUID();
    isOthers = !(await grants.claim({ ...ref, claim }));
    if (!isOthers) ref.revision = claim;
    return !isOthers;
  });
  if (fresh !== grant) {
    const sealed = sealGrant(platform, { merchantId, consentId }, fresh);
    isOthers = !(await grants.store({ ...ref, grant: sealed }));
  }
  if (isOthers) throw new Error('another process renews or has renewed this token');
  return fresh;
}

/**
 * Some banks replace the refresh token, and another process may have used this one a moment ago: a refusal counts only the second
 * time, and only while the token is still the stored one.
 */
async function renew(
  platform: Platform,
  bank: Bank,
  attempt: ClaimedAttempt,
  grant: Grant,
  mayRenew: () => Promise<boolean>,
): Promise<Grant> {
  try {
    return await bank.refresh(grant, mayRenew);
  } catch (error) {
    if (!(error instanceof BankRefused)) throw error;
    const stored = await platform.db.read((tx) => findGrant(tx, attempt));
    if (attempt.polls > 1 && stored === attempt.bankGrant) throw error;
    throw new Error('the bank did not renew a token, the stored one is tried once more', {
      cause: error,
    });
  }
}

/** Returns the order of an attempt as its bank gets it: each repeat is the same, under the same key. */
export function requestOf(
  platform: Platform,
  attempt: ClaimedAttempt,
): Parameters<Bank['submitPayment']>[1] {
  const name = instructionId(attempt.paymentId, attempt.attempt);
  return {
    idempotencyKey: name,
    bankConsentId: attempt.bankConsentId,
    initiation: openInitiation(platform, attempt.merchantId, attempt.consentId, attempt.initiation),
    instructionId: name,
    endToEndId: name,
    amountPence: attempt.amountPence,
    currency: 'GBP',
  };
}
