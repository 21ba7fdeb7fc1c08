import type { ExpectedBook, Plan } from './book.ts';
import { firstPaymentFindings } from './first-payments.ts';
import { EVERYWHERE } from './incidents.ts';
import { type Act, type Expected, isNear, occurrencesOf } from './plan.ts';

/** A payment at a bank, from the bank's own books. */
export interface Debit {
  bankId: string;
  consentId: string;
  /** The payment that it is for, as its order named it. */
  paymentId: string;
  pence: number;
  at: number;
  /** The payer does not have the money back, and the bank did not refuse it. */
  isKept: boolean;
}

/** What merchants call a payment: of which schedule and moment it is. */
export interface Name {
  paymentId: string;
  scheduleId: string;
  due: number;
  isAdHoc: boolean;
  /** It is the first payment of its schedule, which is ad hoc too. */
  isFirst: boolean;
}

/** What was told to a merchant's receiver: `<schedule> <due>` of what was skipped. */
export interface ReportedSkips {
  skipped: ReadonlySet<string>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** So long after its moment an undisturbed occurrence may be collected, and by a minute's difference of clocks before it. */
const PROMPT_MS = 20 * MINUTE;
const MAX_EARLY_MS = 61_000;
/** What went wrong so long before may still hold something up: banks ask to be left alone for up to two hours. */
const AFTER_EFFECT_MS = 3 * HOUR;
/** So long after its moment an occurrence has a payment. */
const OPENED = HOUR;
/** So long after the customer agreed it may take to hold, and while something is in the way, up to a day. */
const AFTER_CONSENT_MS = 15 * MINUTE;
const DEADLINE_MS = 70 * MINUTE;
const LONGEST = 24 * HOUR;

/** What was collected, of whom, how much and when, held against what should have been. */
export class Collections {
  readonly #book: ExpectedBook;
  /** How many occurrences were compared without any allowance. */
  sharp = 0;
  lenient = 0;

  constructor(book: ExpectedBook) {
    this.#book = book;
  }

  /** What is wrong, a line each. */
  findings(
    names: readonly Name[],
    debits: readonly Debit[],
    told: ReportedSkips,
    now: number,
  ): string[] {
    this.sharp = 0;
    this.lenient = 0;
    const named = Map.groupBy(names, ({ scheduleId }) => scheduleId);
    const made = Map.groupBy(debits, ({ paymentId }) => paymentId);
    const wrong = [...this.#book.contradictions];
    for (const plan of this.#book.plans.values()) {
      const own = named.get(plan.scheduleId) ?? [];
      wrong.push(...this.#ofPlan(plan, own, made, told, now));
    }
    for (const name of names)
      if (!this.#book.plans.has(name.scheduleId))
        wrong.push(`${name.paymentId} is of ${name.scheduleId}, which nobody made`);
    return wrong;
  }

  /** The acts with the time in which each agreement takes hold. */
  #actsOf({ acts, consents, phone }: Plan): Act[] {
    const { unrest } = this.#book;
    const inTheWay = ['issuer', phone, EVERYWHERE, ...consents, ...this.#banksOf(consents)];
    return acts.map((act) => {
      if (act.kind !== 'agreed' || !Number.isNaN(act.until)) return act;
      let until = act.at + AFTER_CONSENT_MS;
      for (;;) {
        const last = unrest.lastIn(inTheWay, act.at, until);
        const longer = last === null ? until : Math.min(last + DEADLINE_MS, act.at + LONGEST);
        if (longer <= until) return { ...act, until };
        until = longer;
      }
    });
  }

  #banksOf(consents: readonly string[]): string[] {
    return consents.map((id) => this.#book.agreements.get(id)?.bankId ?? '');
  }

  #ofPlan(
    plan: Plan,
    names: readonly Name[],
    made: ReadonlyMap<string, Debit[]>,
    told: ReportedSkips,
    now: number,
  ): string[] {
    const wrong: string[] = [];
    const acts = this.#actsOf(plan);
    const expected = new Map(occurrencesOf(acts, plan.settings, now).map((e) => [e.due, e]));
    const payments = new Map(names.filter((n) => !n.isAdHoc).map((n) => [n.due, n]));
    for (const occurrence of expected.values())
      wrong.push(...this.#missing(plan, acts, occurrence, payments, told, now));
    for (const name of names) {
      const debits = made.get(name.paymentId) ?? [];
      const agreed = name.isAdHoc ? this.#askedOnce(plan, name) : expected.get(name.due);
      const about = `${name.paymentId} of ${plan.scheduleId} for ${instant(name.due)}`;
      const found = this.#ofPayment(plan, acts, { name, debits, agreed }, now);
      wrong.push(...found.map((line) => `${about}: ${line}`));
    }
    return [...wrong, ...firstPaymentFindings(plan, acts, names, made, now)];
  }

  /** What a merchant asked for besides the occurrences; whatever was done until then may have ended it. */
  #askedOnce(
    { scheduleId, acts, firstPence }: Plan,
    { paymentId, due, isFirst }: Name,
  ): Expected | undefined {
    if (isFirst && firstPence !== null) return { due, pence: [firstPence], isCertain: false };
    const asked = this.#book.adHoc.get(paymentId);
    if (asked?.scheduleId !== scheduleId) return undefined;
    const mayEnd = ({ at, kind }: Act): boolean =>
      kind === 'doubted' || (at >= asked.at && at <= due);
    const isCertain = !acts.some(mayEnd);
    return { due, pence: [asked.pence], isCertain };
  }

  #ofPayment(
    plan: Plan,
    acts: readonly Act[],
    payment: { name: Name; debits: readonly Debit[]; agreed: Expected | undefined },
    now: number,
  ): string[] {
    const { name, debits, agreed } = payment;
    const pence = agreed?.pence ?? [];
    const isOpen = isNear(acts, name.due) || isNearSetting(plan, name.due);
    const wrong = pence.length === 0 && !isOpen ? ['nobody agreed to it'] : [];
    for (const debit of debits) {
      if (!pence.includes(debit.pence) && !isOpen)
        wrong.push(`its bank took ${debit.pence}, agreed are ${pence}`);
      if (debit.at < name.due - MAX_EARLY_MS)
        wrong.push(`its bank took it at ${instant(debit.at)}, too early`);
      wrong.push(...this.#person(plan, debit));
    }
    return agreed?.isCertain ? [...wrong, ...this.#late(plan, acts, name, debits, now)] : wrong;
  }

  /** An occurrence has a payment, or its merchant was told that it is skipped. */
  #missing(
    plan: Plan,
    acts: readonly Act[],
    { due, pence, isCertain }: Expected,
    payments: ReadonlyMap<number, Name>,
    { skipped }: ReportedSkips,
    now: number,
  ): string[] {
    const about = `${plan.scheduleId}, ${instant(due)}`;
    if (!isCertain || isNearSetting(plan, due) || due > now - OPENED) return [];
    if (this.#isHeld(plan, acts, due, now)) return [];
    if (pence.length > 0) return payments.has(due) ? [] : [`${about}: it was never collected`];
    if (payments.has(due)) return [`${about}: it was collected, though it is left out`];
    const isTold = skipped.has(`${plan.scheduleId} ${due}`) || due > now - LONGEST * 2;
    return isTold ? [] : [`${about}: its merchant was never told that it is left out`];
  }

  /** Whether the merchant was suspended at a moment, and is still, or something was done before it was resumed. */
  #isHeld({ merchant }: Plan, acts: readonly Act[], due: number, now: number): boolean {
    const name = [suspended(merchant.merchantId)];
    const end = this.#book.unrest.lastIn(name, due - 2 * MINUTE, due + 2 * MINUTE);
    if (end === null) return false;
    return end > now - AFTER_EFFECT_MS || acts.some(({ at }) => at >= due && at <= end + HOUR);
  }

  /** A debit is of the customer of its schedule, who has agreed to as much at this bank before. */
  #person({ phone, merchant }: Plan, { consentId, bankId, pence, at }: Debit): string[] {
    const agreement = this.#book.agreements.get(consentId);
    if (agreement === undefined || agreement.at > at + MAX_EARLY_MS)
      return ['it was taken before its customer had agreed'];
    if (agreement.phone !== phone || agreement.merchantId !== merchant.merchantId)
      return [`it was taken of ${agreement.phone}, and is of ${phone}`];
    if (agreement.bankId !== bankId) return ['it was taken at another bank'];
    return pence > agreement.mostPence
      ? [`it took ${pence}, its customer has agreed to ${agreement.mostPence} at most`]
      : [];
  }

  /** What nothing disturbs is taken at once, and stays taken. */
  #late(
    plan: Plan,
    acts: readonly Act[],
    { paymentId, due }: Name,
    debits: readonly Debit[],
    now: number,
  ): string[] {
    if (due > now - PROMPT_MS) return [];
    const { unrest } = this.#book;
    const { merchantId } = plan.merchant;
    const consents = [...plan.consents, ...this.#consentsOf(plan)];
    const own = [paymentId, plan.phone, ...consents];
    const around = [...this.#banksOf(consents), suspended(merchantId), EVERYWHERE];
    const isStopped = acts.some(
      (act) => act.kind !== 'agreed' && act.at >= due - PROMPT_MS && act.at <= due + PROMPT_MS,
    );
    const isAround = unrest.touches(around, due - PROMPT_MS, due + PROMPT_MS);
    if (isStopped || isAround || unrest.touches(own, due - AFTER_EFFECT_MS, due + PROMPT_MS)) {
      this.lenient += 1;
      return [];
    }
    this.sharp += 1;
    const isPrompt = debits.some(({ at }) => at <= due + PROMPT_MS);
    if (!isPrompt)
      return [`nothing was in the way, and it was not taken by ${instant(due + PROMPT_MS)}`];
    if (unrest.touches(own, due - AFTER_EFFECT_MS, now)) return [];
    return debits.some(({ isKept }) => isKept)
      ? []
      : ['nothing was in the way, and it is not paid'];
  }

  #consentsOf({ isShared, phone, merchant: { merchantId } }: Plan): string[] {
    if (!isShared) return [];
    return [...this.#book.agreements.values()]
      .filter((one) => one.phone === phone && one.merchantId === merchantId)
      .map(({ consentId }) => consentId);
  }
}

/** The name under which the suspension of a merchant is noted. */
export const suspended = (merchantId: string): string => `${merchantId} suspended`;

const isNearSetting = ({ settings }: Plan, due: number): boolean =>
  settings.some((one) => one.due === due && one.at > due - 6 * MINUTE);

export const instant = (at: number): string =>
  Temporal.Instant.fromEpochMilliseconds(at).toString();
