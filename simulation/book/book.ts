import type { AskedChange, AskedTerms, ScheduleSnapshot } from './asked.ts';
import { Incidents } from './incidents.ts';
import type { Act, Setting, Terms } from './plan.ts';
import { beginRhythm, type Frequency } from './rhythm.ts';

export interface Merchant {
  merchantId: string;
  zone: string;
  /** The number of the account that its settlements go to. */
  account: string;
  /** Its refunds wait where its wallet holds less. */
  refundsWait: boolean;
}

/** A customer of a merchant. */
export interface Person {
  phone: string;
  /** The number of the account that it pays from, and that its refunds go to. */
  account: string;
}

/** What a customer has agreed to at its bank. */
export interface Agreement {
  consentId: string;
  bankId: string;
  phone: string;
  merchantId: string;
  at: number;
  /** The most that one payment may take. */
  mostPence: number;
}

/** A schedule, from what its merchant and its customer did. */
export interface Plan {
  scheduleId: string;
  merchant: Merchant;
  phone: string;
  acts: Act[];
  settings: Setting[];
  /** What holds; null: nothing was agreed to yet. */
  live: Terms | null;
  /** What was asked for last; the same as `live` where no decision is open. */
  asked: Terms;
  startAt: number | null;
  /** It collects under the agreement of another schedule of its customer. */
  isShared: boolean;
  consents: string[];
  /** What is collected once, when the customer has first agreed; null: nothing. */
  firstPence: number | null;
}

/** Money that a merchant collects besides the occurrences. */
export interface AdHoc {
  scheduleId: string;
  pence: number;
  /** When it was asked for. */
  at: number;
}

export interface Refund {
  refundId: string;
  paymentId: string;
  merchantId: string;
  /** Null: all that is left. */
  pence: number | null;
  shownPence: number;
  at: number;
  /** It waits where its merchant's wallet holds less. */
  mayWait: boolean;
}

interface Fee {
  from: number;
  fixedPence: number;
  basisPoints: number;
}

const milliseconds = (text: string | null | undefined): number | null =>
  text ? Temporal.Instant.from(text).epochMilliseconds : null;

/** What everybody did, and what follows from it. It knows the API's words and the calendar, and nothing of the product's code. */
export class ExpectedBook {
  readonly merchants = new Map<string, Merchant>();
  readonly people = new Map<string, Person>();
  readonly plans = new Map<string, Plan>();
  readonly agreements = new Map<string, Agreement>();
  readonly adHoc = new Map<string, AdHoc>();
  readonly refunds: Refund[] = [];
  readonly unrest = new Incidents();
  /** What was said to a merchant that does not follow from what it did. */
  readonly contradictions: string[] = [];
  readonly #fees = new Map<string, Fee[]>();
  /** The terms with which customers are at their banks. */
  readonly #atBanks = new Map<string, { plan: Plan; terms: Terms }>();

  /** Returns the account of a customer, which nobody else has. */
  personOf(phone: string): Person {
    const account = String(20_000_000 + this.people.size);
    const person = this.people.get(phone) ?? { phone, account };
    this.people.set(phone, person);
    return person;
  }

  created(
    at: number,
    merchantId: string,
    phone: string,
    asked: AskedTerms,
    shown: ScheduleSnapshot,
  ) {
    const merchant = this.merchants.get(merchantId);
    if (merchant === undefined) throw new Error(`there is no merchant ${merchantId}`);
    this.personOf(phone);
    const startAt = milliseconds(asked.start_date);
    const terms = termsOf(asked, null, startAt, at, merchant.zone);
    const isShared = shown.consent_for === undefined;
    const acts: Act[] = isShared ? [{ at, kind: 'agreed', terms, until: at }] : [];
    this.plans.set(shown.id, {
      scheduleId: shown.id,
      merchant,
      phone,
      acts,
      settings: [],
      live: isShared ? terms : null,
      asked: terms,
      startAt,
      isShared,
      consents: [],
      firstPence: asked.first_payment?.amount.value ?? null,
    });
    this.#compare(shown, terms);
  }

  changed(at: number, asked: AskedChange, shown: ScheduleSnapshot): void {
    const plan = this.#plan(shown.id);
    if (TERMS.some((field) => field in asked)) this.#changeTerms(at, plan, asked, shown);
    const { status } = asked;
    const resumeAt = asked.resume_at === undefined ? undefined : milliseconds(asked.resume_at);
    if (status === 'paused') plan.acts.push({ at, kind: 'paused', resumeAt });
    if (status === 'active') plan.acts.push({ at, kind: 'resumed' });
    if (status === 'cancelled') plan.acts.push({ at, kind: 'ended' });
  }

  #changeTerms(at: number, plan: Plan, asked: AskedTerms, shown: ScheduleSnapshot): void {
    const startAt = asked.start_date === undefined ? plan.startAt : milliseconds(asked.start_date);
    const { zone } = plan.merchant;
    let terms = termsOf(asked, plan.asked, startAt, at, zone);
    // What was asked for before may have been dropped: the customer said no, or did not decide in time.
    if (plan.live !== null && !isShown(shown, terms))
      terms = termsOf(asked, plan.live, startAt, at, zone);
    this.#compare(shown, terms);
    plan.startAt = startAt;
    plan.asked = terms;
    // What the customer agreed to at the bank, and the service has not recorded yet, is void: other terms are asked for now.
    if (shown.status === 'pending_consent') {
      plan.live = null;
      plan.acts = plan.acts.filter(({ kind }) => kind !== 'agreed');
    }
    if (plan.live === null || shown.consent_for === 'terms') return;
    plan.live = terms;
    plan.acts.push({ at, kind: 'agreed', terms, until: at });
  }

  /** A merchant asks for another account: whoever is at a bank with an earlier link agrees to nothing any more. */
  askedForAccount(shown: ScheduleSnapshot): void {
    const plan = this.#plan(shown.id);
    // What was asked for before may have been dropped.
    const terms = isShown(shown, plan.asked) ? plan.asked : (plan.live ?? plan.asked);
    this.#compare(shown, terms);
    plan.asked = { ...terms };
    if (shown.status !== 'pending_consent') return;
    plan.live = null;
    plan.acts = plan.acts.filter(({ kind }) => kind !== 'agreed');
  }

  #compare(shown: ScheduleSnapshot, terms: Terms): void {
    if (!isShown(shown, terms))
      this.contradictions.push(`${shown.id} is shown otherwise than it was asked for`);
  }

  #plan(scheduleId: string): Plan {
    const plan = this.plans.get(scheduleId);
    if (plan === undefined) throw new Error(`the book has no schedule ${scheduleId}`);
    return plan;
  }

  /** A merchant sets what the occurrence of a moment collects; null: nothing. */
  set(at: number, scheduleId: string, due: number, pence: number | null | undefined): void {
    this.#plan(scheduleId).settings.push({ at, due, pence });
  }

  collectedOnce(at: number, scheduleId: string, paymentId: string, pence: number): void {
    this.adHoc.set(paymentId, { scheduleId, pence, at });
  }

  /** A customer was sent to its bank, with what was asked for last. */
  wentToBank(scheduleId: string, bankId: string, consentId: string): void {
    const plan = this.#plan(scheduleId);
    this.#atBanks.set(consentId, { plan, terms: plan.asked });
    const { phone, merchant } = plan;
    const { merchantId } = merchant;
    this.agreements.set(consentId, {
      consentId,
      bankId,
      phone,
      merchantId,
      at: Number.POSITIVE_INFINITY,
      mostPence: 0,
    });
  }

  /** A customer has agreed at its bank; what was changed meanwhile it has to agree to again. */
  agreed(at: number, consentId: string, mostPence: number): void {
    const there = this.#atBanks.get(consentId);
    const agreement = this.agreements.get(consentId);
    if (there === undefined || agreement === undefined || agreement.at <= at) return;
    const { plan, terms } = there;
    Object.assign(agreement, { at, mostPence });
    if (plan.asked !== terms) return;
    plan.live = terms;
    plan.isShared = false;
    plan.consents.push(consentId);
    plan.acts.push({ at, kind: 'agreed', terms, until: Number.NaN });
  }

  /** It is open whether the service will ever know of an agreement. */
  unfinished(at: number, consentId: string): void {
    this.#atBanks.get(consentId)?.plan.acts.push({ at, kind: 'doubted' });
  }

  /** A customer has ended an agreement; `isSaid`: to the service itself, which knows it at once. */
  withdrawn(at: number, consentId: string, isSaid: boolean): void {
    const agreement = this.agreements.get(consentId);
    for (const plan of this.plans.values()) {
      const isOfCustomer =
        plan.isShared &&
        plan.phone === agreement?.phone &&
        plan.merchant.merchantId === agreement.merchantId;
      if (plan.consents.at(-1) === consentId)
        plan.acts.push({ at, kind: isSaid && !plan.isShared ? 'ended' : 'doubted' });
      else if (isOfCustomer) plan.acts.push({ at, kind: 'doubted' });
    }
  }

  /** The operator sets fees, which hold from the London day that begins at least an hour later. */
  feesSet(at: number, merchantId: string, fixedPence: number, basisPoints: number): void {
    const soonest = Temporal.Instant.fromEpochMilliseconds(at + 3_600_000);
    const day = soonest.toZonedDateTimeISO('Europe/London').toPlainDate().add({ days: 1 });
    const from = day.toZonedDateTime('Europe/London').epochMilliseconds;
    const known = (this.#fees.get(merchantId) ?? []).filter((fee) => fee.from !== from);
    this.#fees.set(merchantId, [...known, { from, fixedPence, basisPoints }]);
  }

  /** Returns what the operator takes of a collection. */
  feeOf(merchantId: string, pence: number, at: number): number {
    const inForce = (this.#fees.get(merchantId) ?? []).filter((fee) => fee.from <= at).at(-1);
    if (inForce === undefined) return 0;
    const share = Math.round((pence * inForce.basisPoints) / 10_000);
    return Math.min(pence, inForce.fixedPence + share);
  }
}

const TERMS = [
  'amount',
  'frequency',
  'start_date',
  'end_date',
  'non_working_day',
  'amount_mode',
] as const;

/** What holds when this is asked for: the dates begin again only where the frequency or the start is another. */
function termsOf(
  asked: AskedTerms,
  before: Terms | null,
  startAt: number | null,
  now: number,
  zone: string,
): Terms {
  const isNew =
    before === null || asked.start_date !== undefined || isOther(asked, before, startAt, now);
  const frequency = asked.frequency ?? frequencyOf(before);
  const rhythm = isNew ? beginRhythm(frequency, startAt, now, zone) : before.rhythm;
  return {
    pence: asked.amount?.value ?? before?.pence ?? 0,
    isPerOccurrence:
      asked.amount_mode === undefined
        ? (before?.isPerOccurrence ?? false)
        : asked.amount_mode === 'per_occurrence',
    rhythm,
    policy: asked.non_working_day ?? before?.policy ?? 'same',
    endAt: asked.end_date === undefined ? (before?.endAt ?? null) : milliseconds(asked.end_date),
  };
}

function frequencyOf(before: Terms | null): Frequency {
  if (before === null) throw new Error('a schedule without a frequency');
  const { type, day, interval } = before.rhythm;
  return { type, day, interval };
}

function isOther(
  { frequency }: AskedTerms,
  before: Terms,
  startAt: number | null,
  now: number,
): boolean {
  if (frequency === undefined) return false;
  const asked = beginRhythm(frequency, startAt, now, before.rhythm.zone);
  const { type, day, interval } = before.rhythm;
  return asked.type !== type || asked.day !== day || asked.interval !== interval;
}

/** Whether the API shows these terms. */
function isShown(shown: ScheduleSnapshot, terms: Terms): boolean {
  const { rhythm } = terms;
  return (
    shown.amount.value === terms.pence &&
    shown.frequency.type === rhythm.type &&
    (shown.frequency.day ?? null) === rhythm.day &&
    shown.frequency.interval === rhythm.interval &&
    milliseconds(shown.end_date) === terms.endAt &&
    shown.non_working_day === terms.policy &&
    (shown.amount_mode === 'per_occurrence') === terms.isPerOccurrence
  );
}
