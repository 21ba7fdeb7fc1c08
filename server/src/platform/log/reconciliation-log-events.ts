import { error, type LogEvent, warn } from './log-event.ts';

/** Events of the comparison with the issuer. */
export const RECONCILIATION_LOG_EVENTS = {
  'reconciliation.differences': error(
    'Our books and the issuer differ, or could not be compared',
    '[Reconcile](../guides/operators.md#reconcile-with-the-issuer) that date',
  ),
  'reconciliation.failed': error(
    'Could not reconcile; the engine retries',
    'Read `err`; the engine retries after 15 minutes',
  ),
  'reconciliation.movement_unread': warn(
    'A movement that was never notified cannot be read at the issuer; it stays a difference',
    'Read `err`, and ask the issuer what `movement_id` is',
  ),
  'reconciliation.notice_lost': warn(
    'A notice of the issuer was lost; acting on its statement',
    'Nothing: the statement says the same. Ask the issuer why the notice did not come',
  ),
  'safeguarding.differs': warn(
    'What is owed and what is held differ, could not be compared, or the issuer has paid for a recalled pay-in',
    'Answer [the day](../guides/compliance.md#the-day) before it ends',
  ),
  'safeguarding.failed': error(
    'The safeguarding run could not be made; the engine retries',
    'Read `err`; the engine retries within an hour',
  ),
  'safeguarding.breaches': error(
    'Something was not done by its time, and is in the register of breaches',
    'Explain [each](../guides/compliance.md#the-register-of-breaches), and tell whoever has to know',
  ),
} as const satisfies Record<string, LogEvent>;
