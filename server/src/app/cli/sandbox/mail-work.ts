import { isKind } from '../../../notices/kinds.ts';
import { render, serviceBranding } from '../../../notices/letter.ts';
import { openContent } from '../../../notices/notify.ts';
import { readSetting } from '../../../notices/setting.ts';
import { listKept } from '../../../notices/store.ts';
import { brandingOf, letterOf } from '../../../notices/words.ts';
import { openNotice, letterOf as operatorLetter } from '../../../operators/notices/notice.ts';
import { listNotices } from '../../../operators/notices/store.ts';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import type { Tx } from '../../../platform/db/db.ts';
import type { Platform } from '../../../platform/platform.ts';
import { isByText } from '../../../platform/state/notify.ts';
import { formatInstant } from '../../../platform/time/calendar.ts';
import { withPlatform } from '../session/offline.ts';

const MAX = 50;

interface PrintedEmail {
  at: string;
  to: string;
  subject: string;
  text: string;
}

/**
 * `sandbox mail`: the latest emails, newest first, or those to one address, as they would be sent. Throws
 * ConfigError in live mode: they let people in.
 */
export function sandboxMailCommand(config: Config, address?: string): Promise<PrintedEmail[]> {
  if (config.mode === 'live')
    throw new ConfigError('MODE is live: emails go to whom they are for, and are shown to nobody');
  return withPlatform(config, (platform) =>
    platform.db.read(async (tx) => {
      const all = [...(await toOperators(platform, tx)), ...(await toPeople(platform, tx))];
      return all
        .filter(({ to }) => address === undefined || to === address.trim().toLowerCase())
        .sort((a, b) => (a.at < b.at ? 1 : -1))
        .slice(0, MAX);
    }),
  );
}

async function toOperators(
  { vault, config: { brand, baseUrl } }: Platform,
  tx: Tx,
): Promise<PrintedEmail[]> {
  const rows = await listNotices(tx, MAX);
  return rows.flatMap(({ noticeId: id, content, createdAt: at }) => {
    const notice = openNotice(vault, id, content);
    if (notice.to === null) return [];
    const { subject, text } = render(
      operatorLetter(notice, brand),
      serviceBranding(brand, baseUrl),
    );
    return [{ at: formatInstant(at), to: notice.to.email, subject, text }];
  });
}

async function toPeople(platform: Platform, tx: Tx): Promise<PrintedEmail[]> {
  const shown: PrintedEmail[] = [];
  for (const row of await listKept(tx, MAX)) {
    const { to, facts } = openContent(platform.vault, row.noticeId, row.content);
    if (isByText(to) || !isKind(row.kind)) continue;
    const setting = await readSetting(platform, tx, row.merchantId);
    const { subject, text } = render(
      letterOf(row.kind, facts, setting),
      brandingOf(row.kind, setting),
    );
    shown.push({ at: formatInstant(row.createdAt), to: to.email, subject, text });
  }
  return shown;
}
