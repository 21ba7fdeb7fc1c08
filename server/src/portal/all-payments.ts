import { openLink } from '../consents/service.ts';
import { findLinks } from '../consents/store.ts';
import { listSchedules } from '../schedules/books/list-store.ts';
import { readTerms } from '../schedules/books/store.ts';
import type { Schedule, Terms } from '../schedules/terms/schedule.ts';
import type { PortalDeps } from './service.ts';
import type { ConsentPageState } from './standing.ts';

/** A customer with more agreements with one merchant sees the newest. */
const MAX_LISTED = 50;

/** One of the things that a customer pays a merchant for. */
export interface PaidFor {
  schedule: Schedule;
  terms: Terms;
  /** The customer's page of it. */
  url: string;
}

/** Reads everything that the customer of this link has agreed to pay this merchant for, newest first. */
export function readAllPayments(
  deps: PortalDeps,
  { consent }: ConsentPageState,
): Promise<PaidFor[]> {
  const { platform } = deps.authorisation;
  const { merchantId, customerId } = consent;
  return platform.db.read(async (tx) => {
    const schedules = await listSchedules(tx, merchantId, { customerId }, MAX_LISTED);
    const links = await findLinks(
      tx,
      merchantId,
      schedules.flatMap(({ consentId }) => consentId ?? []),
    );
    const all: PaidFor[] = [];
    for (const schedule of schedules) {
      const { consentId, liveVersion, scheduleId } = schedule;
      const link = links.get(consentId ?? '');
      if (consentId === null || liveVersion === null || link === undefined) continue;
      const terms = await readTerms(tx, merchantId, scheduleId, liveVersion);
      all.push({ schedule, terms, url: openLink(platform, merchantId, consentId, link) });
    }
    return all;
  });
}
