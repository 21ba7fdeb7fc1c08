import { type StateMachine, statuses } from '../platform/state/state-machine.ts';

export type NoticeStatus = 'pending' | 'sent' | 'failed' | 'kept';

/** The states of a notice to one reader. One that cannot be sent here is kept, to be read in the dashboard's mailbox. */
export const NOTICES: StateMachine<NoticeStatus> = {
  noun: 'notices',
  table: 'notices',
  key: ['merchant_id', 'notice_id'],
  states: statuses('pending', 'sent', 'failed', 'kept'),
  begins: ['pending', 'kept'],
  edges: [
    { from: 'pending', to: 'sent', why: 'the mail server or the gateway accepted it' },
    { from: 'pending', to: 'pending', why: 'the mail server or the gateway did not accept it yet' },
    { from: 'pending', to: 'failed', why: 'it was refused for good, or the last try failed' },
  ],
};

/** Begins the reason of a text message's entries in the audit trail, which otherwise are of an email. */
export const BY_TEXT = 'Text message: ';

/** Minutes to wait after failure 1, 2, 3 and so on: docs/rules/notices.md#retries. */
const RETRY_MINUTES: readonly number[] = [1, 5, 15, 60, 240, 720];

/** Returns when a notice is retried after its `failures`-th failure; null: never, it has failed. */
export function nextTry(failures: number, failedAt: Temporal.Instant): Temporal.Instant | null {
  const minutes = RETRY_MINUTES[failures - 1];
  return minutes === undefined ? null : failedAt.add({ minutes });
}
