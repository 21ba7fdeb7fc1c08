import { readMerchant } from '../../merchants/service.ts';
import { isKind, kindOf, NOTICE_KINDS, type NoticeKind } from '../../notices/kinds.ts';
import { openContent } from '../../notices/notify.ts';
import { SAMPLE_FACTS } from '../../notices/samples.ts';
import { findOff, listNotices, type NoticeRow, setKind } from '../../notices/store.ts';
import { letterOf, type Setting } from '../../notices/words.ts';
import { recordChanges } from '../../platform/audit-trail.ts';
import { formatInstant } from '../../platform/calendar.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import { decodeCursor, encodeCursor, pageOf } from '../cursor-list.ts';
import type { KindItem, KindList, NoticeItem, NoticeList } from './view.ts';

const ORDER = 'notices';

const ROLE_WORDS = {
  owner: 'Owners',
  developer: 'developers',
  finance: 'finance',
  read_only: 'read-only members',
} as const;

async function settingOf(platform: Platform, { tx, merchantId }: Asked): Promise<Setting> {
  const { name, timeZone } = await readMerchant(platform, tx, merchantId);
  return { baseUrl: platform.config.baseUrl, merchantName: name, timeZone };
}

function viewKind(kind: NoticeKind, isOn: boolean, setting: Setting): KindItem {
  const { title, about, roles, isOptional } = kindOf(kind);
  const { subject, lines, button, footer } = letterOf(kind, SAMPLE_FACTS[kind], setting);
  return {
    kind,
    title,
    about,
    readers:
      roles.length === 0 ? 'The person' : roles.map((role) => ROLE_WORDS[role]).join(' and '),
    is_optional: isOptional,
    is_on: isOn,
    preview: { subject, lines: [...lines], button: button?.label ?? null, footer },
  };
}

/** Returns every kind of email, whether it is on, and how it reads with made-up facts. */
export async function showKinds(platform: Platform, asked: Asked): Promise<KindList> {
  const { tx, merchantId } = asked;
  const setting = await settingOf(platform, asked);
  const off = await findOff(tx, [merchantId]);
  return {
    is_sent: platform.config.smtpUrl !== null,
    kinds: NOTICE_KINDS.map((kind) => viewKind(kind, !off.has(`${merchantId}:${kind}`), setting)),
  };
}

/** Turns a kind on or off. Throws 404 `not_found`, and 403 `forbidden` if it protects the account. */
export async function switchKind(
  platform: Platform,
  asked: Asked,
  kind: string,
  isOn: boolean,
): Promise<KindItem> {
  const { tx, now, merchantId } = asked;
  if (!isKind(kind)) throw notFound('kind of email');
  if (!kindOf(kind).isOptional)
    throw new ApiError('forbidden', 'This email protects the account and is always sent.');
  if (await setKind(tx, merchantId, kind, isOn)) {
    const [from, to] = isOn ? ['off', 'on'] : ['on', 'off'];
    const reason = `email: ${kindOf(kind).title}`;
    await recordChanges(tx, now, [
      { merchantId, objectId: merchantId, scheduleId: null, from, to, reason },
    ]);
  }
  return viewKind(kind, isOn, await settingOf(platform, asked));
}

/** Returns a page of a merchant's emails, newest first, without their links. Throws 400 `cursor`. */
export async function showNotices(
  platform: Platform,
  asked: Asked,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<NoticeList> {
  const keyset = decodeCursor(cursor, ORDER, ['text']);
  const setting = await settingOf(platform, asked);
  const found = await listNotices(asked.tx, asked.merchantId, keyset?.[0] ?? null, limit + 1);
  const { rows, next_cursor } = pageOf(found, limit, (last) =>
    encodeCursor(ORDER, [last.notice_id]),
  );
  return { data: rows.flatMap((row) => viewNotice(platform, row, setting)), next_cursor };
}

function viewNotice({ vault }: Platform, row: NoticeRow, setting: Setting): NoticeItem[] {
  if (!isKind(row.kind)) return []; // of a version that knew more kinds
  const { to, facts } = openContent(vault, row.notice_id, row.content);
  const { subject, lines } = letterOf(row.kind, facts, setting);
  return [
    {
      id: row.notice_id,
      title: kindOf(row.kind).title,
      to,
      subject,
      lines: [...lines],
      status: row.status,
      attempts: row.attempts,
      error: row.error,
      created_at: formatInstant(row.created_at),
      ended_at: formatInstant(row.ended_at),
    },
  ];
}
