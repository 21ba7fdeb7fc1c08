import type { Incidents } from './book/incidents.ts';
import type { Chance } from './chance.ts';
import type { History } from './history.ts';

/** How likely each trouble is. All 0 in a calm week. */
export const LIKELIHOOD = {
  /** A call never reaches the partner. */
  lostBefore: 0.03,
  /** The partner did what it was asked to; its answer is lost. */
  lostAfter: 0.03,
  /** A partner is down for some hours of a day. */
  outage: 0.06,
  /** ... and a bank. */
  bankOutage: 0.12,
  /** A gateway answers in the place of a bank, with an HTTP error and nothing else. */
  gatewayAnswers: 0.02,
  /** A bank refuses a payment. */
  refusal: 0.07,
  /** A bank does not take the signature of a payment, and reads nothing of it. */
  signatureRefused: 0.02,
  /** A bank wants the customer to authenticate again before it takes another order. */
  asksAgain: 0.03,
  /** A customer withdraws at the bank while the outcome of a call for a payment is unknown here. */
  withdrawnThen: 0.15,
  /** A bank says with an answer that it takes no more for some minutes. */
  isFull: 0.01,
  /** The account has not enough. */
  noFunds: 0.06,
  /** The operator stops a bank during a funds check. */
  stoppedMeanwhile: 0.06,
  /** ... or holds a merchant's pay-outs when the answer to one is lost. */
  heldWhenLost: 0.6,
  /** A bank settles a payment later. */
  late: 0.25,
  /** ... and one that it has just said no to, because it looks at it more closely. */
  closerLook: 0.5,
  /** ... and then it fails. */
  lateFailure: 0.2,
  /** A bank takes the money at once and sends it on later. */
  debitedFirst: 0.3,
  /** A bank debits the payer, and the creditor's side sends the money back. */
  creditReturned: 0.02,
  /** A bank says that it has credited what arrives hours later, or never. */
  creditedFirst: 0.03,
  /** Money arrives a penny short. */
  shortPayIn: 0.015,
  /** A process stands still when a bank has just said no, and has not written it down. */
  stallAtNo: 0.2,
  /** On a day, what the engines wrote in one step is lost, and the database is as it was before. */
  databaseLost: 0.25,
  noticeLost: 0.1,
  noticeRepeated: 0.15,
  transferRefused: 0.02,
  /** An issuer whose transfers take time lets one wait. */
  transferTakesTime: 0.3,
  payOutFails: 0.08,
  /** A pay-out that had settled comes back, hours or days later. */
  payOutReturned: 0.06,
  /** The payer's bank takes a pay-in back, hours or days later. */
  payInRecalled: 0.02,
  /** A customer lowers the limits of a consent at the bank. */
  limitsLowered: 0.05,
  consentRejected: 0.03,
  receiverFails: 0.08,
  receiverHangs: 0.03,
} as const;

export type Trouble = keyof typeof LIKELIHOOD;

/** They hold nothing up, and nothing fails of them. */
const HARMLESS_TROUBLES: ReadonlySet<Trouble> = new Set([
  'late',
  'closerLook',
  'debitedFirst',
  'noticeLost',
  'noticeRepeated',
  'receiverFails',
  'receiverHangs',
  'limitsLowered',
  'asksAgain',
]);
/** Payments, settlements, refunds, consents and movements by name; of an attempt or order the payment that it is for. */
const NAME = /^((?:pay|set|ref)_\w+|bc-.+|[a-f0-9]{40}|iw-.+|mv-.+|in-\d+)/;

/** A partner is away. */
export interface Outage {
  from: Temporal.Instant;
  until: Temporal.Instant;
  /** No request leaves for it: its name is not found, or connections are refused. */
  isUnreachable: boolean;
}

const LONGEST_OUTAGE_HOURS = 9;
/** Of a day: nine o'clock, when most collections fall due. */
const EARLY_MINUTE = 9 * 60;
const LAST_MINUTE = 24 * 60 - 1;
/** So that what is tried again and again comes to an end. */
const LIKELIEST = 0.6;

/** Makes trouble as the seed says; none in a calm time. */
export class Troubles {
  readonly chance: Chance;
  readonly history: History;
  readonly now: () => Temporal.Instant;
  readonly unrest: Incidents;
  /** No more trouble: everything is healthy. */
  isCalm = false;
  readonly #calls = new Map<string, number>();

  constructor(around: {
    chance: Chance;
    history: History;
    now: () => Temporal.Instant;
    unrest: Incidents;
  }) {
    this.chance = around.chance;
    this.history = around.history;
    this.now = around.now;
    this.unrest = around.unrest;
  }

  /** Something goes wrong for these from now on, for some minutes. */
  disturb(names: readonly string[], minutes = 0): void {
    const now = this.now().epochMilliseconds;
    this.unrest.note(names, now, now + minutes * 60_000);
  }

  disturbForEver(name: string): void {
    this.disturb([name], Number.POSITIVE_INFINITY);
  }

  /** Each seed has a weather of its own: some troubles are rare in it, others come all the time. */
  #likelihood(trouble: Trouble): number {
    const weather = this.chance.pick([0.3, 1, 1, 2, 4], 'weather', trouble);
    return Math.min(LIKELIEST, LIKELIHOOD[trouble] * weather);
  }

  /** How often this was asked, this time included. */
  countOf(...about: readonly string[]): number {
    const name = about.join(' ');
    const count = (this.#calls.get(name) ?? 0) + 1;
    this.#calls.set(name, count);
    return count;
  }

  /** Whether this trouble strikes here; counted where it does. */
  strikes(trouble: Trouble, ...about: readonly (string | number)[]): boolean {
    if (this.isCalm || !this.chance.happens(this.#likelihood(trouble), trouble, ...about))
      return false;
    this.history.count(trouble);
    if (!HARMLESS_TROUBLES.has(trouble)) this.disturb(namesIn(about));
    return true;
  }

  /** Whether a partner is down now: on some days, for some hours, from some minute on. */
  isDown(partner: string): boolean {
    return this.#outageAt(partner, 'outage') !== null;
  }

  /** The outage of a bank that there is now; null: none. */
  outageNow(bankId: string): Outage | null {
    return this.#outageAt(bankId, 'bankOutage');
  }

  #outageAt(partner: string, trouble: Trouble): Outage | null {
    if (this.isCalm) return null;
    const now = this.now();
    const today = now.toZonedDateTimeISO('UTC').startOfDay();
    for (const day of [today, today.subtract({ days: 1 })]) {
      const outage = this.outageOn(partner, day, trouble);
      if (outage !== null && isWithin(now, outage)) return outage;
    }
    return null;
  }

  /** The outage of a partner that begins on a day; many begin just before most collections fall due. */
  outageOn(
    partner: string,
    day: Temporal.ZonedDateTime,
    trouble: Trouble = 'bankOutage',
  ): Outage | null {
    const about = [partner, 'outage', day.toPlainDate().toString()] as const;
    if (!this.chance.happens(this.#likelihood(trouble), ...about)) return null;
    const isEarly = this.chance.happens(0.4, ...about, 'early');
    const [first, last] = isEarly ? [EARLY_MINUTE - 20, EARLY_MINUTE] : [0, LAST_MINUTE];
    const from = day.toInstant().add({ minutes: this.chance.whole(first, last, ...about, 'from') });
    const minutes = this.chance.whole(10, LONGEST_OUTAGE_HOURS * 60, ...about, 'minutes');
    const isUnreachable = this.chance.happens(0.5, ...about, 'unreachable');
    return { from, until: from.add({ minutes }), isUnreachable };
  }
}

/** Whom something concerns that is about these: a consent is known to its bank under a name made of its key. */
function namesIn(about: readonly (string | number)[]): string[] {
  const texts = about.flatMap((word) => (typeof word === 'string' ? word.split(',') : []));
  const names = texts.flatMap((text) => NAME.exec(text)?.[1] ?? []);
  return names.flatMap((name) => (/^[a-f0-9]{40}$/.test(name) ? [name, `bc-${name}`] : [name]));
}

const isWithin = (now: Temporal.Instant, { from, until }: Outage): boolean =>
  Temporal.Instant.compare(from, now) <= 0 && Temporal.Instant.compare(now, until) < 0;
