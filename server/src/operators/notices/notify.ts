import type { Work } from '../../platform/platform.ts';
import type { EmailReader } from '../../platform/state/notify.ts';
import { realNow } from '../../platform/time/clock.ts';
import { listPresent } from '../access/books/store.ts';
import { type NoticeContent, sealNotice } from './notice.ts';
import { insertNotice } from './store.ts';

/** What operators are told. */
export type OperatorNotice = Omit<NoticeContent, 'to'>;

/**
 * Tells every operator of `security` who has an address by email, and the log, in the transaction of what
 * happened: a new operator, key, address or role, and what two operators do. It holds no secret.
 */
export async function notifySecurity(work: Work, notice: OperatorNotice): Promise<void> {
  const readers = await listPresent(work.tx, realNow(), 'security');
  await write(work, { ...notice, to: null });
  for (const { name, email } of readers)
    if (email !== null) await notifyOperator(work, { name, email }, notice);
}

/** Writes an email to one operator. */
export function notifyOperator(work: Work, to: EmailReader, notice: OperatorNotice): Promise<void> {
  return write(work, { ...notice, to });
}

async function write({ platform, tx, now }: Work, content: NoticeContent): Promise<void> {
  const { ids, vault, config } = platform;
  const noticeId = ids.next('ntc', now);
  const isSent = content.to === null || config.smtpUrl !== null;
  await insertNotice(tx, now, {
    noticeId,
    content: sealNotice(vault, noticeId, content),
    dueAt: isSent ? now : null,
  });
}
