import type { Bank } from '../banks/bank.ts';
import { callBudgets } from '../banks/call-budget.ts';
import type { Tx } from '../platform/db/db.ts';
import { isDatabaseFailure } from '../platform/db/isolate-failures.ts';
import { claim, earliestDue } from '../platform/engine/claim.ts';
import type { Stage } from '../platform/engine/stage.ts';
import { afterJitter, doublingDelay } from '../platform/network/backoff.ts';
import { mapInParallel } from '../platform/network/concurrency-limits.ts';
import type { Platform } from '../platform/platform.ts';
import { isAfter } from '../platform/values/instants.ts';
import { activate } from './activation.ts';
import type { AuthorisationDeps } from './authorisation.ts';
import type { ConsentRef } from './consent.ts';
import { type RevocationRow, setNextRevocations } from './revocation-store.ts';
import { failConsent } from './service.ts';

/**
 * Enough for a hundred calls to the issuer, sixteen at a time, ten seconds each; also the longest that a customer waits for a
 * retry.
 */
const LEASE_MS = 90_000;
/** Enough for a hundred calls to banks, sixteen at a time, each with a token and one retry: at most forty seconds. */
const REVOKE_LEASE_MS = 300_000;
const CONCURRENCY = 16;
const OPEN_DUE = "status IN ('pending', 'authorising') AND due_at IS NOT NULL";
const AUTHORISED_DUE = "status = 'authorised' AND due_at IS NOT NULL";

function claimConsents(
  platform: Platform,
  now: Temporal.Instant,
  limit: number,
  where: string,
): Promise<ConsentRef[]> {
  return platform.db.transaction((tx) =>
    claim<ConsentRef>(tx, now, LEASE_MS, limit, {
      table: 'consents',
      key: ['merchant_id', 'consent_id'],
      where,
      returning: 't.merchant_id, t.consent_id, t.schedule_id, t.customer_id, t.terms_version',
    }),
  );
}

/** Processes each consent. A failure does not block the others: it is logged, and retried after the lease. */
async function followEach(
  { log }: Platform,
  width: number,
  refs: readonly ConsentRef[],
  follow: (ref: ConsentRef) => Promise<unknown>,
): Promise<void> {
  await mapInParallel(refs, width, async (ref) => {
    try {
      await follow(ref);
    } catch (err) {
      if (isDatabaseFailure(err)) throw err;
      log.report('consent.not_followed', { consent_id: ref.consentId, err });
    }
  });
}

/** Expires links: fails the set-up and releases the wallet. */
export function expireStage(deps: AuthorisationDeps): Stage {
  const { platform, hooks } = deps;
  return {
    name: 'consents.expire',
    batch: 200,
    ...earliestDue('consents', OPEN_DUE),
    async run(now, limit) {
      const refs = await claimConsents(
        platform,
        now,
        limit,
        "t.status IN ('pending', 'authorising')",
      );
      await followEach(platform, 4, refs, (ref) =>
        platform.db.transaction((tx) => failConsent(hooks, tx, now, ref, 'consent_expired')),
      );
      return refs.length;
    },
  };
}

/** Activates consents that the bank granted while the issuer was unreachable. */
export function activateStage(deps: AuthorisationDeps): Stage {
  return {
    name: 'consents.activate',
    batch: 100,
    ...earliestDue('consents', AUTHORISED_DUE),
    async run(now, limit) {
      const refs = await claimConsents(deps.platform, now, limit, "t.status = 'authorised'");
      await followEach(deps.platform, CONCURRENCY, refs, (ref) => activate(deps, ref));
      return refs.length;
    },
  };
}

/** In seconds, doubled with each failed deletion up to `LONGEST_DELAY`: with jitter from 10 seconds to an hour. */
const FIRST_DELAY = 5;
const LONGEST_DELAY = 2880;
/** No call begins this close to the end of the lease. */
const LAST_CALLS_MS = 60_000;
const AFTER_LAST_PAYMENT = Temporal.Duration.from({ minutes: 5 });

/**
 * Returns, of these replaced consents, those with a payment that fell due under them and still waits, and until when it may be
 * sent.
 */
export type StillNeeded = (
  tx: Tx,
  rows: readonly { merchantId: string; bankId: string; bankConsentId: string }[],
) => Promise<{ bankId: string; bankConsentId: string; until: Temporal.Instant }[]>;

const keyOf = (row: { bankId: string; bankConsentId: string }): string =>
  `${row.bankId} ${row.bankConsentId}`;

/**
 * Deletes ended consents at their banks, retrying until the bank confirms. A replaced one stays while a payment that fell due
 * under it waits.
 */
export function revokeStage(
  platform: Platform,
  banks: ReadonlyMap<string, Bank>,
  stillNeeded: StillNeeded,
): Stage {
  return {
    name: 'consents.revoke',
    batch: 100,
    ...earliestDue('bank_revocations'),
    async run(now, limit) {
      const claimed = await claimRevocations(platform, stillNeeded, now, limit);
      if (claimed.length === 0) return 0;
      const lease = now.add({ milliseconds: REVOKE_LEASE_MS });
      const until = lease.subtract({ milliseconds: LAST_CALLS_MS });
      const budgetOf = callBudgets(platform.clock, until, banks);
      const next = await mapInParallel(
        claimed,
        CONCURRENCY,
        async ({ row, until: neededUntil }) => {
          if (neededUntil !== undefined) return neededUntil.add(AFTER_LAST_PAYMENT);
          const budget = budgetOf(row.bankId);
          if (budget.restsUntil !== null || !budget.hasTime())
            return nextPollAt(now, row, budget.restsUntil);
          const error = await deleteAtBank(banks.get(row.bankId), row);
          if (error === null) return null;
          reportDelay(platform, row, error);
          budget.heed(error);
          return nextPollAt(now, row, budget.restsUntil);
        },
      );
      await platform.db.transaction((tx) =>
        setNextRevocations(
          tx,
          lease,
          claimed.map(({ row }, n) => ({ row, dueAt: next[n] ?? null })),
        ),
      );
      return claimed.length;
    },
  };
}

/** This many attempts take most of a day: an operator should contact the bank. */
const LONG_ATTEMPTS = 20;

function reportDelay({ log }: Platform, row: RevocationRow, err: unknown): void {
  const facts = { bank_id: row.bankId, bank_consent_id: row.bankConsentId, err };
  if (row.attempts >= LONG_ATTEMPTS)
    log.report('consent.deletion_overdue', { ...facts, attempts: row.attempts });
  else log.report('consent.deletion_unconfirmed', facts);
}

/** Claims revocations, each with the time until which its consent is still needed at the bank. */
async function claimRevocations(
  platform: Platform,
  stillNeeded: StillNeeded,
  now: Temporal.Instant,
  limit: number,
): Promise<{ row: RevocationRow; until: Temporal.Instant | undefined }[]> {
  return platform.db.transaction(async (tx) => {
    const rows = await claim<RevocationRow>(tx, now, REVOKE_LEASE_MS, limit, {
      table: 'bank_revocations',
      key: ['merchant_id', 'bank_id', 'bank_consent_id'],
      set: 'attempts = t.attempts + 1',
      returning: 't.merchant_id, t.bank_consent_id, t.bank_id, t.attempts',
    });
    const waiting = rows.length === 0 ? [] : await stillNeeded(tx, rows);
    const needed = new Map(waiting.map((w) => [keyOf(w), w.until]));
    return rows.map((row) => ({ row, until: needed.get(keyOf(row)) }));
  });
}

/** Deletes a consent at its bank. Null: it is gone. Otherwise the error that leaves this unknown. */
async function deleteAtBank(bank: Bank | undefined, row: RevocationRow): Promise<unknown> {
  if (bank === undefined) return new Error(`the bank ${row.bankId} is not configured`);
  try {
    await bank.deleteConsent(row.bankConsentId);
    return null;
  } catch (error) {
    return error;
  }
}

/** Returns when to retry a deletion; not before the bank accepts calls again (`rest`). */
function nextPollAt(
  now: Temporal.Instant,
  row: RevocationRow,
  rest: Temporal.Instant | null,
): Temporal.Instant {
  const key = `${keyOf(row)} ${row.attempts}`;
  const delay = doublingDelay(FIRST_DELAY, LONGEST_DELAY, row.attempts);
  const at = afterJitter(now, delay, key);
  if (rest === null || isAfter(at, rest)) return at;
  return afterJitter(rest, FIRST_DELAY, key);
}
