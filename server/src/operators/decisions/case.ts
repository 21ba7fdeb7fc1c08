import type { Overdue } from '../../laws/invariants/overdue-store.ts';
import { compareInstants } from '../../platform/values/instants.ts';
import { toDecimal } from '../../platform/values/money.ts';

/** What a decision is about, as the list names it. */
export const DECISION_KINDS = [
  'unallocated_money',
  'payment',
  'settlement',
  'refund',
  'fee_transfer',
  'cover',
  'consent',
  'wallet',
  'bank_deletion',
  'delivery',
  'notice',
  'request',
  'account_change',
  'difference',
  'hold',
  'bank',
] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/** What an operator may do about a case; the first of a case is the one that fits it best. */
export const ACTS = [
  'allocate',
  'accept',
  'return',
  'pay_on',
  'credit',
  'fail',
  'confirm',
  'ask',
  'done',
  'not_done',
  'agree',
  'take_back',
  'resolve',
  'trust',
] as const;
export type Act = (typeof ACTS)[number];

/** The sections that say what to do, below `docs/guides/`, each with its step in a sentence. */
export const STEPS = {
  money: {
    section: 'runbook#money-came-that-no-payment-waits-for',
    step: 'Apply it to the payment that it is for. Otherwise have the issuer send it away first, and record that.',
  },
  later_attempt: {
    section: 'runbook#money-came-that-no-payment-waits-for',
    step: 'Wait: it pays automatically once the later attempt has failed. If that has no outcome, decide about the payment.',
  },
  another_amount: {
    section: 'runbook#another-amount-came-than-was-asked-for',
    step: 'Accept what came, or have the issuer return it; only then mark the payment as failed.',
  },
  came_back: {
    section: 'runbook#money-came-back',
    step: 'Ask why it came back, then send it again by hand, or return it to whom it belongs.',
  },
  payment: {
    section: 'runbook#the-outcome-of-a-payment-is-not-known-for-a-day',
    step: 'Ask the bank about its end-to-end ID. If the bank has paid, the pay-in ends it; if it never has, mark it as failed.',
  },
  account: {
    section: 'runbook#a-pay-out-comes-back',
    step: 'Check the account with the merchant, then confirm it, or have it changed.',
  },
  amount: {
    section: 'runbook#the-issuer-has-paid-out-another-amount',
    step: 'Agree with the issuer and the merchant about what went out; once it is taken back, ask the issuer again.',
  },
  overdue: {
    section: 'runbook#what-is-overdue',
    step: 'Ask the issuer or the bank, and end it with their word.',
  },
  stage: {
    section: 'runbook#recollectstagebehind',
    step: 'Nobody decides these: find out why the stage that sends them does not run.',
  },
  pair: {
    section: 'operators#operators-and-their-api',
    step: 'Check by a channel that you know that it is meant, then agree as a second operator.',
  },
  account_change: {
    section: 'operators#change-a-settlement-account',
    step: 'Ask the merchant by a channel that you know, compare every digit, then agree on the merchant’s page.',
  },
  difference: {
    section: 'operators#reconcile-with-the-issuer',
    step: 'Find the cause with the issuer, then resolve the difference with it.',
  },
  hold: {
    section: 'operators#suspend-a-merchant-hold-pay-outs-stop-a-bank',
    step: 'Release the pay-outs once the reason is gone.',
  },
  bank: {
    section: 'runbook#consents-vanish-at-a-bank',
    step: 'Ask the bank whether the consents are over. If they are, trust it again.',
  },
} as const;
export type Step = keyof typeof STEPS;

/** A thing that waits for an operator. Instants are business time. */
export interface Case {
  kind: DecisionKind;
  /** Of what it is about: `una_…`, `pay_…`; the name of a difference; the id of a bank. */
  id: string;
  /** What has happened, in words. */
  what: string;
  /** A code of it. */
  reason: string;
  since: Temporal.Instant;
  /** The money that waits; null: none, or how much is not one number. */
  amountPence: number | null;
  expectedPence: number | null;
  arrivedPence: number | null;
  merchantId: string | null;
  customerId: string | null;
  scheduleId: string | null;
  paymentId: string | null;
  /** Of the payment. */
  dueDate: Temporal.Instant | null;
  bankId: string | null;
  /** Who decided first and why, where a second operator must agree, or gave the hold. */
  first: { by: string; reason: string; act: Act | null; paymentId: string | null } | null;
  step: Step;
  acts: readonly Act[];
}

/** What a case lacks unless its source says otherwise. */
export const BARE = {
  amountPence: null,
  expectedPence: null,
  arrivedPence: null,
  merchantId: null,
  customerId: null,
  scheduleId: null,
  paymentId: null,
  dueDate: null,
  bankId: null,
  first: null,
  acts: [],
} as const;

const pounds = (pence: number): string => `£${toDecimal(pence)}`;

/** Compares what was asked for with what came: "Expected £29.99, arrived £29.98 (1p short)". */
export function comparison(expected: number, arrived: number): string {
  const by = Math.abs(expected - arrived);
  const size = by < 100 ? `${by}p` : pounds(by);
  const difference = by === 0 ? '' : ` (${size} ${arrived < expected ? 'short' : 'too much'})`;
  return `Expected ${pounds(expected)}, arrived ${pounds(arrived)}${difference}`;
}

/** Returns the kind of what has a noun in the table of lives. */
const kindOf = (noun: string): DecisionKind => {
  const kind = KINDS_OF_NOUNS[noun];
  if (kind === undefined) throw new Error(`no kind of decision is about ${noun}`);
  return kind;
};

/** The kinds of the nouns that can be overdue: `laws/invariants/lives.ts`. */
export const KINDS_OF_NOUNS: Readonly<Record<string, DecisionKind>> = {
  'unallocated items': 'unallocated_money',
  payments: 'payment',
  settlements: 'settlement',
  refunds: 'refund',
  'fee transfers': 'fee_transfer',
  covers: 'cover',
  consents: 'consent',
  wallets: 'wallet',
  'bank deletions': 'bank_deletion',
  deliveries: 'delivery',
  notices: 'notice',
};

/** What is overdue in each state, and what an operator's word can record about it. */
const OVERDUE: Readonly<Record<string, readonly [what: string, ...acts: Act[]]>> = {
  'consents pending': ['The customer has not decided about a consent', 'not_done'],
  'consents authorising': ['The customer has not come back from the bank', 'not_done'],
  'consents authorised': ['The wallet of a new consent is not open', 'not_done'],
  'bank deletions waiting': ['The bank has not confirmed that it deleted a consent', 'done'],
  'wallets planned': ['The issuer has not opened a wallet'],
  'wallets reserved': ['The issuer has not opened a wallet'],
  'wallets closing': ['The issuer has not closed a wallet', 'done'],
  'refunds waiting': ['A refund waits for the merchant’s money', 'not_done'],
  'refunds pending': ['A refund was not ordered', 'not_done'],
  'refunds asked': ['It is not known whether the issuer has a refund', 'done', 'not_done'],
  'refunds track': ['The issuer has not paid a refund', 'done', 'not_done'],
  'settlements pending': ['A pay-out was not ordered', 'not_done'],
  'settlements asked': ['It is not known whether the issuer has a pay-out', 'done', 'not_done'],
  'settlements track': ['The issuer has not paid a settlement out', 'done', 'not_done'],
  'settlements differs': ['The issuer has another amount of a pay-out', 'done', 'not_done'],
  'settlements failed': ['A pay-out failed, and its money has not gone out since'],
  'fee transfers waiting': ['The issuer has not transferred fees', 'done'],
  'covers owed': ['The merchant has not repaid a recalled pay-in'],
  'covers netted': ['The issuer has not received the cover of a recall', 'done'],
  'deliveries pending': ['Webhook deliveries are overdue'],
  'notices pending': ['Notices are overdue'],
};

/** The states of which the table has words. */
export const OVERDUE_STATES: readonly string[] = Object.keys(OVERDUE);

/** What nobody decides one by one: a stage sends it, and is to be mended. */
const OF_STAGES: readonly DecisionKind[] = ['delivery', 'notice'];

/** Returns the cases of what is overdue. What its stage has to send is one case for each kind. */
export function overdueCases(rows: readonly Overdue[]): Case[] {
  const cases = rows.map(overdueCase);
  const single = cases.filter(({ kind }) => !OF_STAGES.includes(kind));
  const gathered = OF_STAGES.flatMap((kind): Case[] => {
    const some = cases.filter((one) => one.kind === kind);
    const [oldest] = some;
    if (oldest === undefined) return [];
    const what = `${oldest.what}: ${some.length}`;
    return [{ ...oldest, id: kind, what, merchantId: null, step: 'stage' }];
  });
  return [...single, ...gathered];
}

function overdueCase({ noun, state, merchantId, id, bankId, since }: Overdue): Case {
  const [what, ...acts] = OVERDUE[`${noun} ${state}`] ?? [`${noun} ${state}`];
  const kind = kindOf(noun);
  const about = { id, merchantId, bankId };
  return { ...BARE, ...about, kind, what, reason: state, since, step: 'overdue', acts };
}

/** The orders of the list. */
export const CASE_SORTS = ['since', '-amount'] as const;
export type CaseSort = (typeof CASE_SORTS)[number];

/** Returns the cases that pass, the one that has waited longest first, or the one with the most money. */
export function sortCases(cases: readonly Case[], sort: CaseSort): Case[] {
  const age = (a: Case, b: Case): number => compareInstants(a.since, b.since);
  const money = (a: Case, b: Case): number => (b.amountPence ?? -1) - (a.amountPence ?? -1);
  const names = (a: Case, b: Case): number => (`${a.kind} ${a.id}` < `${b.kind} ${b.id}` ? -1 : 1);
  return cases.toSorted(
    (a, b) => (sort === '-amount' ? money(a, b) : 0) || age(a, b) || names(a, b),
  );
}
