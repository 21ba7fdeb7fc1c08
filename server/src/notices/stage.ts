import { readMerchant } from '../merchants/service.ts';
import { claim, earliestDue } from '../platform/claim.ts';
import type { Stage } from '../platform/engine.ts';
import type { Platform } from '../platform/platform.ts';
import { isKind, kindOf } from './kinds.ts';
import { type Rendered, render } from './letter.ts';
import type { Email, Mail, Sent } from './mail.ts';
import { nextTry } from './notice.ts';
import { openContent } from './notify.ts';
import { recordTries, type Tried } from './state-store.ts';
import { letterOf, type Setting } from './words.ts';

const BATCH = 25;
/** Longer than a mail server may take for a whole batch. */
const LEASE_MS = 300_000;

interface Claimed {
  merchant_id: string;
  notice_id: string;
  kind: string;
  content: string;
  attempts: number;
}

/** Claims due notices, and reads what their letters need of their merchants. */
async function claimNotices(
  platform: Platform,
  now: Temporal.Instant,
  limit: number,
): Promise<{ claimed: Claimed[]; settings: Map<string, Setting> }> {
  return platform.db.transaction(async (tx) => {
    const claimed = await claim<Claimed>(tx, now, LEASE_MS, limit, {
      table: 'notices',
      key: ['merchant_id', 'notice_id'],
      returning: 't.merchant_id, t.notice_id, t.kind, t.content, t.attempts',
    });
    const settings = new Map<string, Setting>();
    for (const merchantId of new Set(claimed.map((c) => c.merchant_id))) {
      const { name, timeZone } = await readMerchant(platform, tx, merchantId);
      settings.set(merchantId, { baseUrl: platform.config.baseUrl, merchantName: name, timeZone });
    }
    return { claimed, settings };
  });
}

/** Returns the email of a notice. Throws if it cannot be opened or has no such kind: a defect. */
function emailOf({ vault }: Platform, notice: Claimed, setting: Setting | undefined): Email {
  if (!isKind(notice.kind) || setting === undefined) throw new Error('a notice without its words');
  const { to, facts } = openContent(vault, notice.notice_id, notice.content);
  const rendered: Rendered = render(letterOf(notice.kind, facts, setting), setting.merchantName);
  return { id: notice.notice_id, to, ...rendered };
}

function triedOf(notice: Claimed, sent: Sent, at: Temporal.Instant): Tried {
  const isFinal = sent.error !== null && sent.isFinal;
  return {
    merchantId: notice.merchant_id,
    noticeId: notice.notice_id,
    about: isKind(notice.kind) ? kindOf(notice.kind).title : notice.kind,
    error: sent.error,
    nextTry: sent.error === null || isFinal ? null : nextTry(notice.attempts + 1, at),
  };
}

/**
 * Sends due notices between two transactions. A process that crashes after the mail server accepted one sends it again, under the
 * same message id (docs/rules/notices.md#once-per-cause).
 */
export function noticesStage(platform: Platform, mail: Mail): Stage {
  const { clock, db, log } = platform;
  const attempt = async (notice: Claimed, setting: Setting | undefined): Promise<Tried> => {
    let sent: Sent;
    try {
      sent = await mail.send(emailOf(platform, notice, setting));
    } catch (error) {
      sent = { error: error instanceof Error ? error.message : String(error), isFinal: true };
    }
    const tried = triedOf(notice, sent, clock.now());
    const facts = { notice_id: notice.notice_id, kind: notice.kind, error: tried.error };
    if (tried.error !== null && tried.nextTry === null) log.report('notice.failed', facts);
    return tried;
  };
  return {
    name: 'notices.send',
    batch: BATCH,
    ...earliestDue('notices'),
    async run(now, limit) {
      const { claimed, settings } = await claimNotices(platform, now, limit);
      if (claimed.length === 0) return 0;
      const tries = await Promise.all(
        claimed.map((notice) => attempt(notice, settings.get(notice.merchant_id))),
      );
      await db.transaction((tx) => recordTries(tx, clock.now(), tries));
      return claimed.length;
    },
  };
}
