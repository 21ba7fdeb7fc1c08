import type { LimitPeriod } from '../../banks/bank.ts';
import { openConsents } from '../../consents/service.ts';
import { type ConsentRow, lockGrantedOf } from '../../consents/store.ts';
import { channelsOf } from '../../customers/reach.ts';
import { identifyCustomers, requireCustomer } from '../../customers/service.ts';
import type { CustomerView } from '../../customers/view.ts';
import { refuseSuspended } from '../../merchants/holds/hold.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { List, Page } from '../../platform/http/lists/page.ts';
import type { Asked, Platform, Work } from '../../platform/platform.ts';
import { recordChanges, type StateChange } from '../../platform/state/audit-trail.ts';
import type { NewNotice } from '../../platform/state/notify.ts';
import { invalid, orNotFound } from '../../platform/values/errors.ts';
import type { ScheduleFilter } from '../books/list-store.ts';
import { insertSchedules, moveSchedule } from '../books/state-store.ts';
import { findSchedule, isErased } from '../books/store.ts';
import { insertTerms } from '../books/terms-store.ts';
import { insertWordsOf } from '../books/word-store.ts';
import { entriesOf } from '../books/words.ts';
import { type Asking, parametersAtAgreement } from '../limits/agreement.ts';
import type { ControlParameters } from '../limits/room.ts';
import { firstTerms } from '../request/first-terms.ts';
import { type CreateBody, customerOf } from '../request/request.ts';
import { statementReference } from '../request/statement-reference.ts';
import { occurrence } from '../terms/occurrences.ts';
import type { Schedule, Terms } from '../terms/schedule.ts';
import { agreedNotice } from './agreed-notice.ts';
import { coverRefusal } from './cover.ts';
import { withReferences } from './default-references.ts';
import type { ChangeHooks, Lifecycle, ViewHooks } from './hooks.ts';
import { nextAfter } from './lifecycle.ts';
import { linkNotice } from './link-notice.ts';
import { type ScheduleView, viewNew, viewPage, viewSchedule } from './view.ts';

/** What schedules need to know about the merchant. */
export interface MerchantFacts {
  timeZone: string;
  reuseConsent: boolean;
  isSuspended: boolean;
  /** What default references begin with. */
  statementName: string;
}

export interface ScheduleDeps {
  platform: Platform;
  hooks: ViewHooks & ChangeHooks;
  merchantFacts(tx: Tx, merchantId: string): Promise<MerchantFacts>;
  bankName(bankId: string): string;
}

const DEFAULT_RETRIES = 3;

/** Creates a schedule from a checked body: docs/rules/schedules.md#creating-a-schedule. */
export async function createSchedule(
  deps: ScheduleDeps,
  asked: Asked,
  body: CreateBody,
): Promise<ScheduleView> {
  const [made] = await createSchedules(deps, asked, [{ body }]);
  if (made === undefined) throw new Error('a schedule was not created');
  const { schedule, terms, customer, url } = made;
  if (url === null) return showSchedule(deps, asked, schedule.scheduleId);
  return viewNew(schedule, terms, customer, url, asked.now);
}

/** A schedule that was just created; `url`: of its consent, null where an earlier one covers it. */
interface CreatedSchedule {
  schedule: Schedule;
  terms: Terms;
  customer: CustomerView;
  url: string | null;
}

/**
 * Creates schedules from checked bodies, with one statement for each table, and returns them in the order of their bodies.
 * Throws as `createSchedule` does; then none is created.
 */
export async function createSchedules<W extends { body: CreateBody }>(
  deps: ScheduleDeps,
  asked: Asked,
  wanted: readonly W[],
): Promise<(W & CreatedSchedule)[]> {
  const { tx, now, merchantId } = asked;
  if (wanted.length === 0) return [];
  const named = wanted.map(({ body }) => customerOf(body));
  const identified = identifyCustomers(deps.platform, asked, named);
  identified.catch(() => undefined); // thrown below, unless the terms are wrong too
  const facts = await deps.merchantFacts(tx, merchantId);
  refuseSuspended(facts.isSuspended);
  const terms = wanted.map(({ body }) => firstTerms(body, facts.timeZone, now));
  const customers = await identified;
  const made = wanted.map((one, at): W & CreatedSchedule => {
    const [own, customer] = [terms[at], customers[at]];
    if (own === undefined || customer === undefined) throw new Error('a body without a customer');
    const schedule = newSchedule(deps, asked, one.body, customer);
    return { ...one, schedule, terms: own, customer, url: null };
  });
  const all = await withReferences(tx, facts.statementName, made);
  const schedules = all.map(({ schedule }) => schedule);
  const versions = all.map((one) => ({ scheduleId: one.schedule.scheduleId, terms: one.terms }));
  tx.unawaited(insertSchedules(tx, merchantId, schedules));
  tx.unawaited(insertTerms(tx, merchantId, versions, now));
  tx.unawaited(insertWordsOf(tx, merchantId, all.flatMap(wordsOf)));
  const life = { ...deps, tx, now };
  const waiting: Waiting[] = [];
  const covered: NewNotice[] = [];
  for (const made of all) {
    const { schedule } = made;
    const cover = facts.reuseConsent ? await findCover(life, made) : NO_COVER;
    if ('refusal' in cover) waiting.push({ made, refusal: cover.refusal });
    else covered.push(await startCovered(life, schedule, made.terms, cover));
  }
  await deps.platform.notify(tx, now, covered);
  await awaitConsents(life, merchantId, waiting);
  return all;
}

function newSchedule(
  { platform }: ScheduleDeps,
  { now, merchantId }: Asked,
  body: CreateBody,
  customer: CustomerView,
): Schedule {
  return {
    merchantId,
    scheduleId: platform.ids.next('sch', now),
    customerId: customer.id,
    customerType: customer.type,
    status: 'pending_consent',
    description: body.description,
    reference: body.reference ?? null,
    metadata: body.metadata ?? null,
    maxRetries: body.max_retries ?? DEFAULT_RETRIES,
    firstPayment: body.first_payment
      ? {
          amountPence: body.first_payment.amount.value,
          description: body.first_payment.description ?? null,
        }
      : null,
    termsVersion: 1,
    liveVersion: null,
    consentedVersion: null,
    consentId: null,
    dueAt: null,
    nextOccurrence: null,
    resumeAt: null,
    hasChanges: false,
    createdAt: now,
  };
}

const wordsOf = ({ schedule, terms }: CreatedSchedule): { scheduleId: string; word: string }[] =>
  entriesOf(schedule, terms).map((word) => ({ scheduleId: schedule.scheduleId, word }));

/** A schedule that needs a consent of its own. `refusal`: why no earlier consent serves, for the timeline. */
interface Waiting {
  made: CreatedSchedule;
  refusal: string | null;
}

/** Opens the consents of new schedules, and sends the links to the customers who can be reached. */
async function awaitConsents(
  work: Work,
  merchantId: string,
  waiting: readonly Waiting[],
): Promise<void> {
  if (waiting.length === 0) return;
  const wanted = waiting.map(({ made, refusal }) => {
    const { scheduleId, customerId } = made.schedule;
    const reason = refusal === null ? 'created' : `a new consent is needed: ${refusal}`;
    const before = created(made.schedule, 'pending_consent', reason);
    return { merchantId, scheduleId, customerId, termsVersion: 1, before, made };
  });
  const { hasTexts } = channelsOf(work.platform.config);
  const notices: NewNotice[] = [];
  for (const { made, consentId, url } of openConsents(work, merchantId, wanted)) {
    made.url = url;
    const { schedule, terms, customer } = made;
    const asked = { schedule, terms, consented: null, consentId, link: url };
    if (customer.email !== undefined || hasTexts) notices.push(linkNotice(asked, work.now));
  }
  await work.platform.notify(work.tx, work.now, notices);
}

/** Starts a schedule under an earlier consent, and returns the notice that tells its customer. */
async function startCovered(
  life: Lifecycle & Pick<ScheduleDeps, 'bankName'>,
  schedule: Schedule,
  terms: Terms,
  { consent, reference }: { consent: ConsentRow; reference: string },
): Promise<NewNotice> {
  const { tx, now, hooks, bankName } = life;
  const { consentId } = consent;
  await recordChanges(tx, now, [created(schedule, 'active', `covered by ${consentId}`)]);
  const next = nextAfter(terms, now);
  const live = { status: 'active' as const, liveVersion: 1, consentedVersion: 1 };
  const joined = await moveSchedule(tx, now, schedule, { ...live, consentId, reference, next });
  if (joined.firstPayment !== null) await hooks.openFirst(tx, now, joined, consent);
  const agreed = { before: schedule, after: joined, terms };
  return agreedNotice(life, consent, { ...agreed, bankName: bankName(consent.bankId ?? '') });
}

function created(schedule: Schedule, to: string, reason: string): StateChange {
  const { merchantId, scheduleId } = schedule;
  return { merchantId, objectId: scheduleId, scheduleId, from: null, to, reason };
}

/** An earlier consent that serves a new schedule, or why none does; null: the merchant does not reuse consents. */
type Cover = { consent: ConsentRow; reference: string } | { refusal: string | null };

const NO_COVER: Cover = { refusal: null };

/**
 * Returns a consent that the customer granted this merchant and that allows this schedule besides the existing ones, or why the
 * newest one does not. Its row is locked, as by every schedule that joins or leaves a consent.
 */
async function findCover(
  life: Lifecycle,
  { schedule, terms, body }: CreatedSchedule & { body: CreateBody },
): Promise<Cover> {
  const { merchantId, customerId, scheduleId } = schedule;
  let refusal: string | null = null;
  for (const consent of await lockGrantedOf(life.tx, merchantId, customerId)) {
    const reference = await referenceUnder(life.tx, consent);
    // A default reference gives way to that of the consent.
    const isChosen = typeof body.reference === 'string';
    const isOther = isChosen && statementReference(schedule) !== reference;
    const refused = isOther
      ? 'its payments carry another reference'
      : await coverRefusal(life, consent, scheduleId, terms);
    if (refused === null) return { consent, reference };
    refusal ??= `the consent of this customer does not cover it, because ${refused}`;
  }
  return { refusal: refusal ?? 'this customer has granted you no consent yet' };
}

/** Returns the reference that the bank holds with a consent: its payments carry no other. */
async function referenceUnder(tx: Tx, consent: ConsentRow): Promise<string> {
  const { merchantId, scheduleId } = consent;
  return statementReference(await requireSchedule(tx, merchantId, scheduleId));
}

/** Returns the merchant's schedule, or throws 404 `not_found`. */
export async function requireSchedule(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
): Promise<Schedule> {
  return orNotFound(await findSchedule(tx, merchantId, scheduleId), 'schedule');
}

/** Throws 400 for a text about a customer whose data were erased, because no erasure would remove it. */
export async function refuseTextOfErased(
  tx: Tx,
  about: { merchantId: string; scheduleId: string },
  field: string,
  text: string | undefined,
): Promise<void> {
  if (text !== undefined && (await isErased(tx, about)))
    throw invalid({ [field]: 'must be left out: the data of this customer were erased' });
}

/** Returns one schedule as the API shows it; if paused or cancelled, with the payments that may still arrive. */
export async function showSchedule(
  deps: ScheduleDeps,
  asked: Asked,
  scheduleId: string,
): Promise<ScheduleView> {
  const shown = orNotFound(await viewSchedule(deps, asked, scheduleId), 'schedule');
  if (shown.status !== 'paused' && shown.status !== 'cancelled') return shown;
  const underWay = await deps.hooks.underWay(asked.tx, asked.merchantId, scheduleId);
  return { ...shown, payments_under_way: underWay };
}

/** Returns a page of schedules, newest first unless sorted otherwise; throws 404 `not_found` for an unknown customer. */
export async function showSchedules(
  deps: ScheduleDeps,
  asked: Asked,
  filter: ScheduleFilter,
  page: Page,
): Promise<List<ScheduleView>> {
  const { tx, merchantId } = asked;
  if (filter.customerId !== undefined) await requireCustomer(tx, merchantId, filter.customerId);
  return viewPage(deps, asked, filter, page);
}

/** Returns the limits that a bank consent would have if these terms were sent for consent now. */
export function parametersFor(
  terms: Terms,
  asking: Asking,
  taken?: readonly LimitPeriod[],
): ControlParameters | null {
  const next = nextAfter(terms, asking.now);
  if (
    next.dueAt === null ||
    next.occurrence === null ||
    occurrence(terms.series, next.occurrence) === null
  )
    return null;
  return parametersAtAgreement(terms, next.dueAt, asking, taken);
}
