import { isOpen } from '../../consents/consent.ts';
import { findCustomer } from '../../customers/store.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Asked } from '../../platform/platform.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { findChangesOf } from '../../schedules/books/changes-store.ts';
import { findReferences } from '../../schedules/books/reference-store.ts';
import { readTermsInForce } from '../../schedules/books/store.ts';
import { requireSchedule, type ScheduleDeps } from '../../schedules/change/service.ts';
import type { TermsChange } from '../../schedules/change/terms-change.ts';
import { viewOccurrence } from '../../schedules/change/upcoming.ts';
import { planUpdate } from '../../schedules/change/update.ts';
import { firstTerms, type TermsBody } from '../../schedules/request/first-terms.ts';
import type { UpdateBody } from '../../schedules/request/request.ts';
import { readableReference } from '../../schedules/request/statement-reference.ts';
import { type Changes, NO_CHANGES, plannedOccurrences } from '../../schedules/terms/amounts.ts';
import { describeSeries } from '../../schedules/terms/describe.ts';
import { warningsOf } from '../../schedules/terms/max-gap.ts';
import type { Since } from '../../schedules/terms/occurrences.ts';
import {
  continuesAfter,
  type Schedule,
  sinceUnder,
  type Terms,
} from '../../schedules/terms/schedule.ts';
import { changeReason, type PlannedChange } from './change-words.ts';
import { listConsents } from './consent-store.ts';
import type { ChangePreview, TermsPreview } from './view.ts';

const MAX_LISTED = 12;

/** Terms, and whose they are: a customer of the merchant, or the reference that a new one would have. */
type PreviewedBody = TermsBody & { user_id?: string; customer_reference?: string };

/** Returns what a schedule with these terms would collect. Throws the same 400 as creating it. */
export async function previewTerms(
  deps: ScheduleDeps,
  { tx, now, merchantId }: Asked,
  body: PreviewedBody,
): Promise<TermsPreview> {
  const { timeZone, statementName } = await deps.merchantFacts(tx, merchantId);
  const since = { after: now, index: 0 };
  const terms = firstTerms(body, timeZone, now);
  return {
    ...showTerms({ terms, now, isAgreed: false }, NO_CHANGES, since, MAX_LISTED),
    statement_name: statementName,
    reference: await previewReference(tx, merchantId, statementName, body),
  };
}

async function previewReference(
  tx: Tx,
  merchantId: string,
  statementName: string,
  { user_id: customerId, customer_reference }: PreviewedBody,
): Promise<string | null> {
  const customer = customerId ? await findCustomer(tx, merchantId, customerId) : null;
  const customerReference = customer === null ? (customer_reference ?? null) : customer.reference;
  const reference = readableReference({ statementName, customerReference });
  if (customer === null || reference === null) return reference;
  const wanted = [{ customerId: customer.customerId, reference }];
  return (await findReferences(tx, merchantId, wanted, null)).length === 0 ? reference : null;
}

function showTerms(
  { terms, now, isAgreed }: { terms: Terms; now: Temporal.Instant; isAgreed: boolean },
  changes: Changes,
  since: Since,
  limit: number,
): Omit<TermsPreview, 'statement_name' | 'reference'> {
  const occurrences = plannedOccurrences(terms, changes, since, limit);
  return {
    frequency_text: describeSeries(terms.series),
    warnings: warningsOf(terms, now, isAgreed),
    occurrences: occurrences.map((one) => viewOccurrence(one, terms.currency)),
  };
}

/**
 * Returns what an update would need and do, without writing anything. It runs the update's own logic, and throws the same errors.
 */
export async function previewChange(
  deps: ScheduleDeps,
  { tx, now, merchantId }: Asked,
  scheduleId: string,
  body: UpdateBody,
): Promise<ChangePreview> {
  const schedule = await requireSchedule(tx, merchantId, scheduleId);
  const { terms: planned, status: change } = await planUpdate({ ...deps, tx, now }, schedule, body);
  const isAsking = planned !== null && (await isAskingAlready(tx, schedule, planned));
  const status = body.status === undefined ? null : change;
  const current = await readTermsInForce(tx, schedule);
  const terms = planned?.terms ?? current;
  const live = schedule.liveVersion === null ? null : current;
  const after = continuesAfter(schedule, now);
  const changes = await findChangesOf(tx, schedule, now);
  const collectsNothing = status === 'pause' || status === 'cancel' || isOver(schedule);
  return {
    needs: planned?.verdict === 'beyond' ? 'new_consent' : 'nothing',
    reason: changeReason(changeOf(planned, isAsking, status)),
    ...showTerms(
      { terms, now, isAgreed: live !== null },
      changes,
      sinceUnder(schedule, live, terms, { now, after }),
      collectsNothing ? 0 : MAX_LISTED,
    ),
  };
}

const isOver = (schedule: Schedule): boolean => schedule.status === 'cancelled';

/** Whether a link is open that would show the new terms. Throws 409 while its consent is being set up. */
async function isAskingAlready(
  tx: Tx,
  { merchantId, scheduleId }: Schedule,
  { verdict }: TermsChange,
): Promise<boolean> {
  const consents = await listConsents(tx, merchantId, scheduleId, null);
  if (consents.some(({ status }) => status === 'authorised'))
    throw new ApiError(
      'request_in_progress',
      'The consent is being set up; try again in a moment.',
    );
  // A link for another account is not about the terms: a change within the consent leaves it open.
  const isCovered = verdict === 'covered';
  return consents.some(
    ({ status, anotherAccount }) => isOpen(status) && !(isCovered && anotherAccount),
  );
}

function changeOf(
  planned: TermsChange | null,
  isAsking: boolean,
  status: 'none' | 'pause' | 'resume' | 'cancel' | null,
): PlannedChange {
  if (planned?.verdict === 'beyond')
    return { kind: 'beyond', refusal: planned.refusal ?? '', isAsking };
  if (status !== null && status !== 'none') return { kind: 'status', status };
  if (planned?.verdict === 'covered') return { kind: 'covered', isAsking };
  if (planned !== null) return { kind: 'unconsented' };
  return status === null ? { kind: 'plain' } : { kind: 'status', status };
}
