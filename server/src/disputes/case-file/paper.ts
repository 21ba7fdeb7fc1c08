import type { PaperDocument, PaperPart } from '../../platform/documents/pdf.ts';
import { describeAmount } from '../../schedules/terms/describe.ts';
import { REASON_WORDS } from '../words.ts';
import type { CaseFile } from './gather.ts';

type Facts = Extract<PaperPart, { kind: 'facts' }>['facts'];
type Row = readonly string[];

const heading = (text: string): PaperPart => ({ kind: 'heading', text });
const text = (words: string): PaperPart => ({ kind: 'text', text: words });
const facts = (all: Facts): PaperPart => ({ kind: 'facts', facts: all });
const pounds = ({ value, currency }: { value: number; currency: string }): string =>
  describeAmount(value, currency);

/** Returns a table, or a sentence where it would be empty. */
function table(
  columns: Extract<PaperPart, { kind: 'table' }>['columns'],
  rows: readonly Row[],
  none: string,
): PaperPart {
  return rows.length === 0 ? text(none) : { kind: 'table', columns, rows };
}

/** Returns a case file for people: the same as its JSON, in words where it has some. */
export function paperOf(file: CaseFile): PaperDocument {
  const when = momentIn(file.merchant.time_zone);
  return {
    title: `Case file: payment of ${pounds(file.payment.amount)} to ${file.merchant.name}`,
    author: file.service.name,
    madeAt: Temporal.Instant.from(file.made_at),
    parts: [
      text(
        `Made by ${file.service.name} on ${when(file.made_at)}. Times are those of ${file.merchant.time_zone}. ` +
          'The same is in case.json. The signature in index.sig holds for both: see docs/rules/disputes.md of the service.',
      ),
      ...disputeParts(file, when),
      ...partyParts(file, when),
      ...agreementParts(file, when),
      ...orderParts(file, when),
      ...noticeParts(file, when),
      ...moneyParts(file, when),
      ...historyParts(file, when),
    ],
  };
}

type When = (at: string | null) => string;

/** Formats "5 March 2026, 09:00:00"; null: a dash. */
function momentIn(timeZone: string): When {
  return (at) =>
    at === null
      ? '–'
      : Temporal.Instant.from(at)
          .toZonedDateTimeISO(timeZone)
          .toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'medium' })
          .replace(' at ', ', ');
}

function disputeParts({ dispute }: CaseFile, when: When): PaperPart[] {
  const by = dispute.raised_by === 'customer' ? 'The customer, on their page' : 'The merchant';
  return [
    heading('The dispute'),
    facts([
      ['Dispute', dispute.id],
      ['Raised by', by],
      ['Raised', when(dispute.created_at)],
      ['Reason', REASON_WORDS[dispute.reason]],
      ['Note', dispute.note ?? ''],
      ['Amount', pounds(dispute.amount)],
      ['To be answered by', when(dispute.deadline)],
      ['Status', dispute.status],
      ['Given back', pounds(dispute.returned)],
      ['Refund', dispute.refund_id ?? ''],
      ['Answer', dispute.answer ?? ''],
      ['Ended', when(dispute.ended_at)],
    ]),
  ];
}

function partyParts({ payment, merchant, customer, service }: CaseFile, when: When): PaperPart[] {
  const { erased_at: erasedAt } = customer;
  const who: Facts =
    erasedAt === null
      ? [
          ['Customer', customer.name ?? ''],
          ['Email', customer.email ?? ''],
          ["Merchant's reference", customer.reference ?? ''],
        ]
      : [['Customer', `Personal data were erased on ${when(erasedAt)}`]];
  return [
    heading('The payment, and who is party to it'),
    facts([
      ['Payment', payment.id],
      ['Amount', pounds(payment.amount)],
      ['Due', when(payment.due_date)],
      ['Completed', when(payment.completed_at)],
      ['Merchant', `${merchant.legal_name || merchant.name} (${merchant.id})`],
      ...who,
      ['Customer ID', customer.id],
      ['Payment initiated by', `${service.firm.name}, FCA ${service.firm.fca_reference}`],
      ['E-money issuer', `${service.issuer.name}, FCA ${service.issuer.fca_reference}`],
    ]),
  ];
}

function agreementParts({ schedule, terms, consents }: CaseFile, when: When): PaperPart[] {
  return [
    heading('What was agreed'),
    facts([
      ['For', schedule.description],
      ['On the bank statement', schedule.statement_reference],
      ['Schedule', schedule.id],
    ]),
    table(
      [{ header: 'Version' }, { header: 'Asked for', share: 2 }, { header: 'As shown', share: 4 }],
      terms.map((one) => [String(one.version), when(one.created_at), one.in_words.join('. ')]),
      'The terms are not known.',
    ),
    heading('The consent at the bank'),
    ...consents.map((one) =>
      facts([
        ['Consent', one.id],
        ['To version', String(one.terms_version)],
        ['Status', one.status],
        ['Asked for', when(one.asked_at)],
        ['Authenticated at', one.bank?.name ?? ''],
        ['Granted', when(one.granted_at)],
        ['Ended', when(one.ended_at)],
        ["Bank's ID of it", one.bank_consent_id ?? ''],
        [
          'Account',
          one.paying_account_ending === null ? '' : `ending in ${one.paying_account_ending}`,
        ],
        ['Limits', one.limits?.in_words.join(' ') ?? ''],
      ]),
    ),
  ];
}

function orderParts({ orders, bank_answers: answers }: CaseFile, when: When): PaperPart[] {
  return [
    heading('Orders to the bank, and its answers'),
    table(
      [
        { header: 'Order', share: 3 },
        { header: 'Sent', share: 2 },
        { header: 'Answer of the bank', share: 3 },
        { header: 'Pay-in', share: 2 },
      ],
      orders.map(({ instruction_id: id, sent, answer, outcome, pay_in: payIn }) => [
        id,
        sent.map(({ sent_at: at }) => when(at)).join('; '),
        [answer.bank_payment_id, answer.bank_status, answer.error?.message, outcome]
          .filter((one) => one !== null && one !== undefined)
          .join(', '),
        payIn?.id ?? '',
      ]),
      'No order was sent.',
    ),
    heading('What the banks say now'),
    table(
      [
        { header: 'About', share: 3 },
        { header: 'Bank', share: 2 },
        { header: "Bank's ID of it", share: 3 },
        { header: 'Signed answer', share: 2 },
      ],
      answers.map(({ about, bank, bank_id: id, message, problem }) => [
        about,
        bank.name,
        id,
        message === null ? UNSIGNED[problem ?? 'no_answer'] : 'in case.json, with its key',
      ]),
      'The banks were not asked.',
    ),
  ];
}

const UNSIGNED = {
  no_answer: 'none came',
  not_signed: 'this bank signs none',
} as const;

function noticeParts({ notices, events }: CaseFile, when: When): PaperPart[] {
  return [
    heading('What the customer was told'),
    table(
      [{ header: 'When', share: 2 }, { header: 'Notice', share: 5 }, { header: 'Outcome' }],
      notices.map((one) => [
        when(one.at),
        one.said === null ? one.title : `${one.title}. ${one.said.join(' ')}`,
        `${one.status}${one.by === null ? '' : `, by ${one.by}`}`,
      ]),
      'No notice to the customer is on record.',
    ),
    heading('What the merchant was told'),
    table(
      [
        { header: 'When', share: 2 },
        { header: 'Event', share: 2 },
        { header: 'About', share: 3 },
      ],
      events.map((one) => [when(one.at), one.kind, one.about]),
      'No event is on record.',
    ),
  ];
}

function moneyParts({ refunds, ledger, payment }: CaseFile, when: When): PaperPart[] {
  const back = payment.taken_back;
  return [
    heading('Money'),
    table(
      [
        { header: 'When', share: 2 },
        { header: 'Line', share: 2 },
        { header: 'From', share: 3 },
        { header: 'To', share: 3 },
        { header: 'Amount', isNumber: true },
      ],
      ledger.map((one) => [
        when(one.at),
        one.kind,
        `${one.from.kind} ${one.from.account}`,
        `${one.to.kind} ${one.to.account}`,
        pounds(one.amount),
      ]),
      'The ledger has no line of it.',
    ),
    ...refunds.map((one) =>
      facts([
        ['Refund', one.id],
        ['Amount', pounds(one.amount)],
        ['Status', one.status],
        ['Asked for', when(one.created_at)],
        ['Paid', when(one.completed_at)],
      ]),
    ),
    ...(back === null
      ? []
      : [text(`The payer's bank took back ${pounds(back.amount)} on ${when(back.at)}.`)]),
  ];
}

function historyParts({ withdrawals, changes, archived_before: before }: CaseFile, when: When) {
  const columns = [
    { header: 'When', share: 2 },
    { header: 'What', share: 3 },
    { header: 'Change', share: 2 },
    { header: 'Why', share: 3 },
    { header: 'By', share: 2 },
  ];
  const rows = (some: CaseFile['changes']): string[][] =>
    some.map((one) => [
      when(one.at),
      one.about,
      one.from === null ? one.to : `${one.from} to ${one.to}`,
      one.reason,
      one.by,
    ]);
  return [
    heading('Withdrawals'),
    table(columns, rows(withdrawals), 'Nobody has withdrawn the permission or ended the schedule.'),
    heading('Every change on record'),
    table(columns, rows(changes), 'No change is on record.'),
    ...(before === null
      ? []
      : [text(`What happened before ${when(before)} may have been read from the archive.`)]),
  ];
}
