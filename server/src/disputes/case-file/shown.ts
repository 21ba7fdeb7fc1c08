import type { SignedAnswer } from '../../banks/signed-answer.ts';
import type { StoredControlParameters } from '../../consents/consent.ts';
import { isKind, kindOf } from '../../notices/kinds.ts';
import { openContent } from '../../notices/notify.ts';
import type { Setting } from '../../notices/sentences.ts';
import { letterOf } from '../../notices/words.ts';
import { instructionId } from '../../payments/payment/payment.ts';
import type { Platform } from '../../platform/platform.ts';
import { openEventBody } from '../../platform/state/events.ts';
import { isByText } from '../../platform/state/notify.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { toSeries } from '../../schedules/books/store.ts';
import { describeLimits } from '../../schedules/limits/describe-limits.ts';
import { describeAmount, describeSeries } from '../../schedules/terms/describe.ts';
import type { EntryRow } from '../../wallets/entries-store.ts';
import type { ArchivedRow } from './archived.ts';
import type { Answered } from './bank-answers.ts';
import type {
  DatedTerms,
  LimitChange,
  OrderedAttempt,
  ProvedChange,
  ProvedConsent,
  ProvedEvent,
  ProvedNotice,
  SentOrder,
} from './evidence-store.ts';

/** How each piece of evidence reads in a case file. */

const DATE = { day: 'numeric', month: 'long', year: 'numeric' } as const;

/** Formats "5 March 2026", in a time zone. */
const day = (at: Temporal.Instant, timeZone: string): string =>
  at.toZonedDateTimeISO(timeZone).toLocaleString('en-GB', DATE);

const money = (value: number, currency: string) => ({ value, currency });

/** A version of the terms, as the customer's page shows them. */
export function shownTerms(row: DatedTerms) {
  const { amountPence, currency, amountMode, timeZone } = row;
  const upTo = amountMode === 'per_occurrence' ? 'Up to ' : '';
  return {
    version: row.version,
    created_at: formatInstant(row.createdAt),
    amount: money(amountPence, currency),
    amount_mode: amountMode,
    first_at: formatInstant(row.firstAt),
    ends_at: formatInstant(row.endAt),
    in_words: [
      `${upTo}${describeAmount(amountPence, currency)} ${describeSeries(toSeries(row))}`,
      `The first on ${day(row.firstAt, timeZone)}`,
      row.endAt === null ? 'No end date' : `The last by ${day(row.endAt, timeZone)}`,
    ],
  };
}

const limits = (params: StoredControlParameters | null) =>
  params === null ? null : { parameters: params, in_words: describeLimits(params) };

/** A consent: what was agreed at the bank, and which terms its page showed. */
export function shownConsent(
  row: ProvedConsent,
  changes: readonly LimitChange[],
  bankName: (bankId: string) => string,
) {
  return {
    id: row.consentId,
    status: row.status,
    terms_version: row.termsVersion,
    bank: row.bankId === null ? null : { id: row.bankId, name: bankName(row.bankId) },
    bank_consent_id: row.bankConsentId,
    paying_account_ending: row.payingAccountEnding,
    asked_at: formatInstant(row.createdAt),
    granted_at: formatInstant(row.grantedAt),
    ended_at: formatInstant(row.endedAt),
    limits: limits(row.controlParameters),
    limit_changes: changes
      .filter(({ consentId }) => consentId === row.consentId)
      .map(({ at, before, after }) => ({ at: formatInstant(at), before, after })),
  };
}

/** An attempt: each order of it that left, and what the bank said. */
export function shownOrder(row: OrderedAttempt, paymentId: string, orders: readonly SentOrder[]) {
  return {
    attempt: row.number,
    instruction_id: instructionId(paymentId, row.number),
    consent_id: row.consentId,
    started_at: formatInstant(row.startedAt),
    sent: orders
      .filter(({ attempt }) => attempt === row.number)
      .map(({ call, sentAt, takenBackAt }) => ({
        call,
        sent_at: formatInstant(sentAt),
        taken_back_at: formatInstant(takenBackAt),
      })),
    answer: {
      bank_payment_id: row.bankPaymentId,
      bank_status: row.bankStatus,
      error:
        row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
    },
    outcome: row.status,
    ended_at: formatInstant(row.finishedAt),
    pay_in: row.payInId === null ? null : { id: row.payInId, found_by: row.payInBy },
  };
}

/** What a bank says when the file is made, as it signed it. */
export function shownAnswer(
  { kind, about, bankId, id, message, problem }: Answered,
  bankName: (bankId: string) => string,
) {
  return {
    kind,
    about,
    bank: { id: bankId, name: bankName(bankId) },
    bank_id: id,
    problem,
    message: message === null ? null : messageOf(message),
  };
}

const messageOf = ({ body, signature, key, keysAt }: SignedAnswer) => ({
  body,
  signature,
  key,
  keys_at: keysAt,
});

/** Where a piece of evidence was read. */
type Source = 'database' | 'archive';

/** A change of state. */
export const shownChange = (row: ProvedChange) => ({
  id: String(row.changeId),
  at: formatInstant(row.at),
  about: row.objectId,
  from: row.fromState,
  to: row.toState,
  reason: row.reason,
  by: row.actor,
  read_from: 'database' as Source,
});

/** An event, with the body that was signed and sent. */
export const shownEvent = ({ vault }: Pick<Platform, 'vault'>, row: ProvedEvent) => ({
  id: row.eventId,
  at: formatInstant(row.createdAt),
  kind: row.kind,
  about: row.subjectId,
  body: openEventBody(vault, row.eventId, row.body),
  read_from: 'database' as Source,
});

/** A notice to the customer, with what it said; null where the archive has kept that it was sent, and not what it said. */
export function shownNotice(
  { vault }: Pick<Platform, 'vault'>,
  row: ProvedNotice,
  setting: Setting,
) {
  const { to, facts } = openContent(vault, row.noticeId, row.content);
  const letter = isKind(row.kind) ? letterOf(row.kind, facts, setting) : null;
  return {
    id: row.noticeId,
    at: formatInstant(row.createdAt),
    kind: row.kind,
    title: titleOf(row.kind),
    by: isByText(to) ? ('text' as const) : ('email' as const),
    status: row.status,
    ended_at: formatInstant(row.endedAt),
    said: letter === null ? null : [letter.subject, ...letter.lines],
    read_from: 'database' as Source,
  };
}

const titleOf = (kind: string): string => (isKind(kind) ? kindOf(kind).title : kind);

/** A line of the ledger. */
export const shownEntry = (row: EntryRow, currency: string) => ({
  id: row.transferId,
  at: formatInstant(row.at),
  kind: row.kind,
  from: { account: row.debitAccountId, kind: row.debitKind },
  to: { account: row.creditAccountId, kind: row.creditKind },
  amount: money(row.amountPence, currency),
});

const text = (value: unknown): string => (value === null ? '' : String(value));
const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));
const instant = (value: unknown): string => formatInstant(Temporal.Instant.from(String(value)));
const instantOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : instant(value);

/** A change of state of the archive. */
export const archivedChange = ({ row }: ArchivedRow): ReturnType<typeof shownChange> => ({
  id: text(row.change_id),
  at: instant(row.at),
  about: text(row.object_id),
  from: textOrNull(row.from_state),
  to: text(row.to_state),
  reason: text(row.reason),
  by: text(row.actor),
  read_from: 'archive',
});

/** An event of the archive, without what named a person. */
export const archivedEvent = ({ row }: ArchivedRow): ReturnType<typeof shownEvent> => ({
  id: text(row.event_id),
  at: instant(row.created_at),
  kind: text(row.kind),
  about: text(row.subject_id),
  body: text(row.body),
  read_from: 'archive',
});

/** A notice of the archive. */
export const archivedNotice = ({
  row,
}: ArchivedRow): Omit<ReturnType<typeof shownNotice>, 'by'> & { by: null } => ({
  id: text(row.notice_id),
  at: instant(row.created_at),
  kind: text(row.kind),
  title: titleOf(text(row.kind)),
  by: null,
  status: text(row.status),
  ended_at: instantOrNull(row.ended_at),
  said: null,
  read_from: 'archive',
});
