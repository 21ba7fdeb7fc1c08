import { inline, serviceLogo } from '../../notices/inline-logo.ts';
import { render, serviceBranding } from '../../notices/letter.ts';
import type { Mail } from '../../notices/mail.ts';
import { nextTry } from '../../notices/notice.ts';
import { earliestDue } from '../../platform/engine/claim.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import type { Platform } from '../../platform/platform.ts';
import { errorMessage } from '../../platform/values/thrown.ts';
import { letterOf, openNotice } from './notice.ts';
import { type ClaimedNotice, claimNotices, recordTry } from './store.ts';

const BATCH = 25;
/** Longer than a mail server may take for a whole batch. */
const LEASE_MS = 300_000;

type Outcome = { error: string | null; isFinal: boolean };

/** Sends operators' notices by email, and writes those without a reader to the log. */
export function operatorNoticesStage(platform: Platform, mail: Mail | null): Stage {
  const { db, clock } = platform;
  return {
    name: 'operators.notices',
    batch: BATCH,
    ...earliestDue('operator_notices'),
    async run(now, limit) {
      const claimed = await db.transaction((tx) => claimNotices(tx, now, LEASE_MS, limit));
      for (const notice of claimed) {
        const { error, isFinal } = await send(platform, mail, notice);
        const isOver = error === null || isFinal;
        const again = isOver ? null : nextTry(notice.attempts + 1, clock.now());
        if (error !== null && again === null)
          platform.log.report('notice.failed', { notice_id: notice.noticeId, error });
        await db.transaction((tx) => recordTry(tx, notice.noticeId, { error, nextTry: again }));
      }
      return claimed.length;
    },
  };
}

async function send(
  { vault, log, config: { brand, baseUrl } }: Platform,
  mail: Mail | null,
  { noticeId: id, content }: ClaimedNotice,
): Promise<Outcome> {
  try {
    const notice = openNotice(vault, id, content);
    if (notice.to === null) {
      log.report('operators.changed', { change: notice.what, subject: notice.subject });
      return { error: null, isFinal: true };
    }
    if (mail === null)
      return { error: 'This service has no mail server any more.', isFinal: false };
    const image = serviceLogo(brand);
    const look = inline(serviceBranding(brand, baseUrl), image);
    const letter = render(letterOf(notice, brand), look);
    const sent = await mail.send({ id, to: notice.to, ...letter, ...(image && { image }) });
    return sent.error === null ? { error: null, isFinal: true } : sent;
  } catch (error) {
    return { error: errorMessage(error), isFinal: true };
  }
}
