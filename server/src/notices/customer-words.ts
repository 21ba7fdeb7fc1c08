import { whyNotPaid } from '../payments/payment/why-not-paid.ts';
import type { NoticeKind } from './kinds.ts';
import type { Letter } from './letter.ts';
import type { Facts, Setting, Words } from './sentences.ts';

type CustomerKind = Extract<
  NoticeKind,
  | 'consent_link'
  | 'consent_given'
  | 'payments_ended'
  | 'approve_terms'
  | 'confirm_again'
  | 'consent_unused'
  | 'payment_changes'
  | 'payment_coming'
  | 'payment_failed'
  | 'refund_paid'
  | 'dispute_ended'
>;

/** Formats "Thursday 5 March 2026", in the merchant's time zone. */
function day(instant: string, timeZone: string): string {
  const local = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone);
  const parts = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  return local.toLocaleString('en-GB', parts).replace(',', '');
}

const button = (label: string, url: string | undefined): Pick<Letter, 'button'> =>
  url === undefined ? {} : { button: { label, url } };

const LONGEST_IN_SUBJECT = 60;

/** Returns what the payments are for, at a subject's length: a customer may pay one merchant for several things. */
function forWhat({ description = '' }: Facts): string {
  if (description.length <= LONGEST_IN_SUBJECT) return `for “${description}”`;
  const kept = description.slice(0, LONGEST_IN_SUBJECT).replace(/[\ud800-\udbff]$/, '');
  return `for “${kept}…”`;
}

const toPage = ({ url }: Facts) => button('See your payments', url);

function whatChanges(f: Facts, { merchantName, timeZone }: Setting): string {
  const on = day(f.due_date ?? '', timeZone);
  const what = `for “${f.description}”`;
  const usually = f.usual === undefined ? '' : ` instead of the usual ${f.usual}`;
  switch (f.change) {
    case 'terms':
      return `From ${on}, ${merchantName} will collect ${f.price} ${what}.`;
    case 'set':
      return `On ${on}, ${merchantName} will collect ${f.amount}${usually} ${what}.`;
    case 'skipped':
      return `On ${on}, ${merchantName} will collect nothing ${what}.`;
    default:
      return f.usual === undefined
        ? `On ${on}, ${merchantName} will collect nothing ${what}, unless it sets an amount again.`
        : `On ${on}, ${merchantName} will collect the usual ${f.usual} ${what} after all.`;
  }
}

/** Returns the subject and the first sentence of what was agreed to: payments, new terms, or another account. */
function whatWasAgreed(f: Facts, name: string): [string, string] {
  const what = `${f.price}, for “${f.description}”`;
  const once = f.once === undefined ? '' : `${f.once} once, and then `;
  switch (f.about) {
    case 'terms':
      return [
        `You agreed to the new terms of ${name} ${forWhat(f)}`,
        `${name} now collects ${what}.`,
      ];
    case 'account':
      return [
        `You now pay ${name} ${forWhat(f)} from another account`,
        `${name} collects ${what}, from the account you chose.`,
      ];
    case 'covered':
      return [
        `Your permission for ${name} also covers “${f.description}”`,
        `${name} can now collect ${once}${what}. It is covered by the permission you gave.`,
      ];
    default:
      return [`You agreed to payments to ${name}`, `${name} can now collect ${once}${what}.`];
  }
}

/** Who ended the payments, by the reason of the event. */
const ENDED_BY: Readonly<Record<string, (f: Facts, merchantName: string) => string>> = {
  'cancelled by the merchant': (f, name) =>
    `${name} has ended the payments for “${f.description}”.`,
  withdrawn_on_portal: (f) =>
    `You withdrew your permission for “${f.description}” on your payment page.`,
  withdrawn_at_bank: (f) => `Your permission for “${f.description}” was withdrawn at your bank.`,
  expired_at_bank: (f) =>
    `Your bank has told us that your permission for “${f.description}” has expired.`,
};

/** The sentences of what customers get. They promise no more than the portal does. */
export const CUSTOMER_WORDS: Readonly<Record<CustomerKind, Words>> = {
  consent_link: (f, { merchantName }) => ({
    subject: `${merchantName} would like to collect payments from you`,
    lines: [
      `${merchantName} would like to collect ${f.price} from your bank account, for “${f.description}”.`,
      'Check the details, then approve them with your bank. Nothing is collected for it before you do.',
    ],
    ...button('Check the details', f.url),
  }),
  consent_given: (f, { merchantName, timeZone }) => {
    const [subject, what] = whatWasAgreed(f, merchantName);
    const from = f.account_ending === undefined ? '' : ` ending in ${f.account_ending}`;
    const next =
      f.next_at === undefined ? '' : `The next payment is due on ${day(f.next_at, timeZone)}`;
    const last = f.ends_at === undefined ? '' : `the last one by ${day(f.ends_at, timeZone)}`;
    const dates = [next, last].filter((text) => text !== '').join(', ');
    return {
      subject,
      lines: [
        what,
        ...(dates === '' ? [] : [`${dates}.`]),
        `Payments come from your account${from} at ${f.bank}. They appear on your bank statement as ${f.reference}.`,
        ...(f.limits === undefined
          ? []
          : [`Your bank refuses any payment above these limits. ${f.limits}`]),
        'You can stop at any time: withdraw your permission on your payment page, or in your bank’s app or online banking.',
        ...(f.about === 'covered' ? ['That ends everything that it covers.'] : []),
        `You do not need to ask ${merchantName} first.`,
        'If you did not agree to this, withdraw it now and tell your bank.',
      ],
      ...toPage(f),
    };
  },
  payments_ended: (f, { merchantName }) => ({
    subject: `Your payments to ${merchantName} ${forWhat(f)} have ended`,
    lines: [
      ENDED_BY[f.reason ?? '']?.(f, merchantName) ??
        `Your payments for “${f.description}” have ended.`,
      f.under_way === undefined
        ? 'Nothing more will be collected for it.'
        : `We had already asked your bank for ${f.under_way}, which may still be taken. ` +
          'After that, nothing more will be collected for it.',
      `To pay again, ask ${merchantName} for a new link. This does not cancel any contract you have with them.`,
    ],
    ...button('See the details', f.url),
  }),
  approve_terms: (f, { merchantName }) => ({
    subject:
      f.another_account === undefined
        ? `${merchantName} asks you to approve new terms`
        : `${merchantName} asks from which account you want to pay ${forWhat(f)}`,
    lines: [
      f.another_account === undefined
        ? `${merchantName} would like to change the payments for “${f.description}”.`
        : `You can pay for “${f.description}” from another account. Choose it, and approve the payments with its bank.`,
      ...(f.old_price === f.price
        ? []
        : [`Your payment changes from ${f.old_price} to ${f.price}.`]),
      f.another_account === undefined
        ? 'Check the details, then approve them with your bank. Nothing changes before you do.'
        : 'Until you do, payments continue from your present account.',
    ],
    ...button(f.another_account === undefined ? 'Check the new terms' : 'Choose an account', f.url),
  }),
  confirm_again: (f, { merchantName }) => ({
    subject: `Your bank wants you to confirm your payments to ${merchantName} ${forWhat(f)} again`,
    lines: [
      `Your bank wants you to confirm your permission for “${f.description}” again. What you agreed to stays the same.`,
      'Nothing is collected for it until you do.',
    ],
    ...button('Confirm at your bank', f.url),
  }),
  consent_unused: (f, { merchantName, timeZone }) => ({
    subject: `Your permission for ${merchantName} to collect ${forWhat(f)} is about to expire`,
    lines: [
      `${f.bank} will end your permission for “${f.description}” on ${day(f.ends_at ?? '', timeZone)} because it hasn’t been used.`,
      'To keep it, approve the payments again: choose “Pay from another account”. You can pick the same account.',
    ],
    ...button('Keep my permission', f.url),
  }),
  payment_changes: (f, setting) => ({
    subject: `A change to your payments to ${setting.merchantName}`,
    lines: [
      whatChanges(f, setting),
      ...(f.change === 'terms' ? [`Until then it is ${f.old_price}.`] : []),
    ],
    ...toPage(f),
  }),
  payment_coming: (f, { merchantName, timeZone }) => {
    const on = day(f.due_date ?? '', timeZone);
    return {
      subject: `${merchantName} will collect ${f.amount} on ${on}, ${forWhat(f)}`,
      lines: [
        `On ${on}, ${merchantName} will collect ${f.amount} for “${f.description}”.`,
        'You do not need to do anything. Please make sure that there is enough money in your account.',
      ],
      ...toPage(f),
    };
  },
  payment_failed: (f, { merchantName, timeZone }) => ({
    subject: `Your payment of ${f.amount} to ${merchantName} did not go through`,
    lines: [
      `We could not collect ${f.amount} for “${f.description}”. ${whyNotPaid(f.code ?? '')}`,
      f.next_retry_at === undefined
        ? `We won’t try this payment again. Please contact ${merchantName} about paying it.`
        : `Next attempt: ${day(f.next_retry_at, timeZone)}.`,
    ],
    ...toPage(f),
  }),
  refund_paid: (f, { merchantName, timeZone }) => ({
    subject: `${merchantName} refunded you ${f.amount}`,
    lines: [
      `${merchantName} refunded ${f.amount} of a payment for “${f.description}”.`,
      `The money was sent on ${day(f.completed_at ?? '', timeZone)} to the account you paid from.`,
    ],
    ...toPage(f),
  }),
  dispute_ended: (f, { merchantName, timeZone }) => {
    const what = `the payment of ${f.amount} due on ${day(f.due_date ?? '', timeZone)} for “${f.description}”`;
    if (f.outcome === 'rejected')
      return {
        subject: `${merchantName} has answered about a payment ${forWhat(f)}`,
        lines: [
          `You told us about ${what}. ${merchantName} says that nothing is due back.`,
          `Their answer: ${f.answer}`,
          'If you do not agree, your payment page says where you can complain.',
        ],
        ...toPage(f),
      };
    return {
      subject: `You get ${f.returned} back from ${merchantName}`,
      lines: [
        `You told us about ${what}.`,
        f.outcome === 'returned'
          ? `Your bank has taken ${f.returned} back for you.`
          : `${merchantName} gives ${f.returned} back, to the account you paid from.`,
      ],
      ...toPage(f),
    };
  },
};
