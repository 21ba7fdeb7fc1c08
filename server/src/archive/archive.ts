import { openEventBody } from '../platform/state/events.ts';
import { isBefore } from '../platform/values/instants.ts';
import type { Vault } from '../platform/vault/vault.ts';
import { redactEvent } from '../privacy/redact.ts';

/** What is archived as one, with all its history: docs/rules/retention.md#the-archive. */
export type Kind = 'payment' | 'settlement' | 'notice';

export const KINDS: readonly Kind[] = ['payment', 'settlement', 'notice'];

/** The tables that are archived, in the order in which their rows are deleted. */
export const ARCHIVED = [
  'delivery_attempts',
  'deliveries',
  'events_without_endpoint',
  'events',
  'state_changes',
  'notices',
] as const;
export type Archived = (typeof ARCHIVED)[number];

/** The primary key of each, after `merchant_id`. */
export const KEY_OF: Readonly<Record<Archived, readonly string[]>> = {
  delivery_attempts: ['delivery_id', 'number'],
  deliveries: ['delivery_id'],
  events_without_endpoint: ['event_id'],
  events: ['event_id'],
  state_changes: ['change_id'],
  notices: ['notice_id'],
};

/** The columns of the moments at which something happened to a row. */
const MOMENTS: Readonly<Record<Archived, readonly string[]>> = {
  delivery_attempts: ['at'],
  deliveries: ['created_at', 'first_at', 'finished_at', 'due_at'],
  events_without_endpoint: [],
  events: ['created_at'],
  state_changes: ['at'],
  notices: ['created_at', 'ended_at', 'due_at'],
};

export type Row = Readonly<Record<string, unknown>>;

/** A row of a table, and the version of it that was read. */
export interface Line {
  table: Archived;
  /** The payment, settlement or notice whose history it is. */
  subject: string;
  row: Row;
  version: string;
}

/** Whether all that happened to a row happened before a moment. */
export function isLineBefore({ table, row }: Line, horizon: Temporal.Instant): boolean {
  return MOMENTS[table].every((column) => {
    const at = row[column];
    return typeof at !== 'string' || isBefore(Temporal.Instant.from(at), horizon);
  });
}

/** What an archive keeps of a notice: not to whom it went, nor what it said. */
const OF_A_NOTICE = new Set([
  'merchant_id',
  'notice_id',
  'kind',
  'cause_id',
  'status',
  'attempts',
  'created_at',
  'ended_at',
  'schedule_id',
  'customer_id',
]);

const REFUND_REASON = 'asked for: ';

/**
 * Returns a row as the archive keeps it: without what an erasure would take away, because the files are never changed
 * (docs/rules/privacy.md#the-archive).
 */
export function withoutPerson(vault: Vault, { table, row }: Line): Row {
  switch (table) {
    case 'events': {
      const body = openEventBody(vault, String(row.event_id), String(row.body));
      return { ...row, body: redactEvent(body, { metadata: true }) };
    }
    case 'deliveries':
      return { ...row, first_response_body: row.first_response_body === null ? null : '' };
    case 'delivery_attempts':
      return { ...row, response_body: null };
    case 'notices':
      return Object.fromEntries(Object.entries(row).filter(([column]) => OF_A_NOTICE.has(column)));
    case 'state_changes': {
      const isWritten = String(row.object_id).startsWith('ref_') && row.from_state === null;
      const reason = String(row.reason);
      return isWritten && reason.startsWith(REFUND_REASON) ? { ...row, reason: 'asked for' } : row;
    }
    case 'events_without_endpoint':
      return row;
  }
}

/** Why nothing is archived, or no more of it. */
export class ArchiveRefused extends Error {}

/** The fewest months that stay in the database: refunds, returned pay-outs and late evidence come within them. */
export const MIN_MONTHS = 3;

/** Returns the moment before which history is archived: the first of a month, in UTC, so many months back. */
export function horizonOf(now: Temporal.Instant, months: number): Temporal.Instant {
  const today = now.toZonedDateTimeISO('UTC').toPlainDate();
  return startOf(today.with({ day: 1 }).subtract({ months }));
}

/** Returns when a month begins, in UTC. */
export function startOf(month: Temporal.PlainDate): Temporal.Instant {
  return month.toZonedDateTime('UTC').toInstant();
}

/** Returns the months from the one of `first` up to `horizon`, oldest first. */
export function monthsUpTo(
  first: Temporal.Instant,
  horizon: Temporal.Instant,
): Temporal.PlainDate[] {
  const months: Temporal.PlainDate[] = [];
  let month = first.toZonedDateTimeISO('UTC').toPlainDate().with({ day: 1 });
  while (isBefore(startOf(month), horizon)) {
    months.push(month);
    month = month.add({ months: 1 });
  }
  return months;
}
