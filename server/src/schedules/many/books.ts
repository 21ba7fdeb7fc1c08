import { findConsents, findWaitingConsents, type WaitingConsent } from '../../consents/store.ts';
import { findChanges } from '../books/changes-store.ts';
import { findTerms, lastVersions, termsKey } from '../books/store.ts';
import { findTermsUnder, type TermsUnder } from '../books/under-store.ts';
import type { Lifecycle } from '../change/hooks.ts';
import type { TermsBooks } from '../change/terms-books.ts';
import type { UpdateEffect } from '../change/update.ts';
import { NO_CHANGES } from '../terms/amounts.ts';
import type { Schedule, Terms } from '../terms/schedule.ts';

/** The books of many changes, read at once; each planned change counts for those after it. */
export interface ManyBooks extends TermsBooks {
  asked(schedule: Schedule): Promise<Terms>;
  /** Whether a consent of the schedule waits for its customer, or is just being set up at the bank. */
  waiting(schedule: Schedule): WaitingConsent | undefined;
}

/** What was planned so far, by schedule: the terms that it will collect by; null: it will be cancelled. */
export type Planned = Map<string, Terms | null>;

/** Reads the books for changes of these schedules, with a fixed number of statements and without locking anything. */
export async function readManyBooks(
  { tx, now, hooks }: Lifecycle,
  merchantId: string,
  schedules: readonly Schedule[],
  planned: Planned,
): Promise<ManyBooks> {
  const ids = schedules.map((one) => one.scheduleId);
  const versions = schedules.map((one) => ({ ...one, version: one.termsVersion }));
  const consentIds = [...new Set(schedules.flatMap((one) => one.consentId ?? []))];
  const keys = consentIds.map((consentId) => ({ merchantId, consentId }));
  const asked = await findTerms(tx, merchantId, versions);
  const latest = await lastVersions(tx, merchantId, ids);
  const set = schedules.filter((one) => one.hasChanges);
  const changes = await findChanges(tx, set, now);
  const rows = await findConsents(tx, merchantId, consentIds);
  const consents = new Map(rows.map((one) => [one.consentId, one]));
  const under = Map.groupBy(await findTermsUnder(tx, keys, now), (one) => one.consentId);
  const used = Map.groupBy(await hooks.usedUnder(tx, keys), (one) => one.consentId);
  const waiting = await findWaitingConsents(tx, merchantId, ids, now);
  return {
    asked: async ({ scheduleId, termsVersion }) => {
      const terms = asked.get(termsKey(scheduleId, termsVersion));
      if (terms === undefined) throw new Error(`schedule ${scheduleId} has no terms`);
      return terms;
    },
    lastVersion: async ({ scheduleId }) => latest.get(scheduleId) ?? 0,
    changes: async ({ scheduleId }) => changes.get(scheduleId) ?? NO_CHANGES,
    consent: async ({ consentId }) => consents.get(consentId ?? '') ?? null,
    under: async ({ consentId }) =>
      (under.get(consentId) ?? []).flatMap((one) => asPlanned(one, planned)),
    used: async ({ consentId }) => used.get(consentId) ?? [],
    waiting: ({ scheduleId }) => waiting.get(scheduleId),
  };
}

function asPlanned(one: TermsUnder, planned: Planned): TermsUnder[] {
  const terms = planned.get(one.scheduleId);
  if (terms === undefined) return [one];
  return terms === null ? [] : [{ ...one, terms: { ...terms, changes: one.terms.changes } }];
}

/** Remembers what a planned change does to the room under its consent. */
export function notePlanned(
  planned: Planned,
  { scheduleId }: Schedule,
  { terms, status }: UpdateEffect,
): void {
  if (status === 'cancel') planned.set(scheduleId, null);
  else if (terms?.verdict === 'covered') planned.set(scheduleId, terms.terms);
}
