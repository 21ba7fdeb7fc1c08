import { channelsOf } from '../../customers/reach.ts';
import { findOn } from '../../notices/customer-store.ts';
import { isKind, kindOf, NOTICE_KINDS, type NoticeKind } from '../../notices/kinds.ts';
import { render } from '../../notices/letter.ts';
import { openContent } from '../../notices/notify.ts';
import { SAMPLE_FACTS } from '../../notices/samples.ts';
import type { Setting } from '../../notices/sentences.ts';
import { readSetting } from '../../notices/setting.ts';
import { findOff, listNotices, type NoticeRow, setKind } from '../../notices/store.ts';
import { sentenceOf, textOf } from '../../notices/text-words.ts';
import { brandingOf, letterOf } from '../../notices/words.ts';
import type { Page } from '../../platform/http/lists/page.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { isByText } from '../../platform/state/notify.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { ApiError, notFound } from '../../platform/values/errors.ts';
import {
  type DaysAhead,
  findDaysAhead,
  setDaysAhead,
} from '../../schedules/books/announce-store.ts';
import type { KindItem, KindList, NoticeItem, NoticeList } from './view.ts';

/** What is shown of a phone number. */
const LAST_DIGITS = 4;

/** The kinds that are sent some days ahead, and of what they tell. */
const ADVANCE: { readonly [Kind in NoticeKind]?: keyof DaysAhead } = {
  payment_changes: 'changes',
  payment_coming: 'coming',
};
const DEFAULT_DAYS_AHEAD = 3;

const ROLE_WORDS = {
  owner: 'Owners',
  developer: 'developers',
  finance: 'finance',
  read_only: 'read-only members',
} as const;

function readersOf(kind: NoticeKind): string {
  const { roles, isForCustomers } = kindOf(kind);
  if (isForCustomers) return 'The customer';
  return roles.length === 0 ? 'The person' : roles.map((role) => ROLE_WORDS[role]).join(' and ');
}

function viewKind(
  kind: NoticeKind,
  isOn: boolean,
  setting: Setting,
  daysAhead: Partial<DaysAhead>,
): KindItem {
  const advance = ADVANCE[kind];
  const { title, about, isOptional, isForCustomers } = kindOf(kind);
  const { subject, text } = render(
    letterOf(kind, SAMPLE_FACTS[kind], setting),
    brandingOf(kind, setting),
  );
  return {
    kind,
    title,
    about,
    readers: readersOf(kind),
    is_for_customers: isForCustomers,
    is_optional: isOptional,
    is_on: isOn,
    days_ahead: advance === undefined ? null : (daysAhead[advance] ?? DEFAULT_DAYS_AHEAD),
    preview: { subject, text },
    text_message: isForCustomers ? textOf(kind, SAMPLE_FACTS[kind], setting) : null,
  };
}

/** Returns every kind of email, whether it is on, and how it reads with made-up facts. */
export async function showKinds(platform: Platform, asked: Asked): Promise<KindList> {
  const { tx, merchantId } = asked;
  const { hasEmail, hasTexts } = channelsOf(platform.config);
  const setting = await readSetting(platform, tx, merchantId);
  const off = await findOff(tx, [merchantId]);
  const on = await findOn(tx, [merchantId]);
  const daysAhead = await findDaysAhead(tx, merchantId);
  const isOn = (kind: NoticeKind): boolean => {
    const key = `${merchantId}:${kind}`;
    return kindOf(kind).isOnAtFirst ? !off.has(key) : on.has(key);
  };
  return {
    is_sent: hasEmail,
    is_texted: hasTexts,
    kinds: NOTICE_KINDS.map((kind) => viewKind(kind, isOn(kind), setting, daysAhead)),
  };
}

/** Turns a kind on or off. Throws 404 `not_found`, and 403 `forbidden` if it protects the account. */
export async function switchKind(
  platform: Platform,
  asked: Asked,
  kind: string,
  { is_on: isOn, days_ahead: days = DEFAULT_DAYS_AHEAD }: { is_on: boolean; days_ahead?: number },
): Promise<KindItem> {
  const { tx, now, merchantId } = asked;
  if (!isKind(kind)) throw notFound('kind of email');
  if (!kindOf(kind).isOptional)
    throw new ApiError('forbidden', 'This email protects the account and is always sent.');
  const { isOnAtFirst } = kindOf(kind);
  if (await setKind(tx, merchantId, { kind, isOnAtFirst }, isOn)) {
    const [from, to] = isOn ? ['off', 'on'] : ['on', 'off'];
    const reason = `email: ${kindOf(kind).title}`;
    await recordChanges(tx, now, [
      { merchantId, objectId: merchantId, scheduleId: null, from, to, reason },
    ]);
  }
  const advance = ADVANCE[kind];
  if (advance !== undefined) await setDaysAhead(tx, now, merchantId, advance, isOn ? days : null);
  const setting = await readSetting(platform, tx, merchantId);
  return viewKind(kind, isOn, setting, advance === undefined ? {} : { [advance]: days });
}

/** Returns a page of a merchant's emails and text messages, newest first, without their links. Throws 400 `after`. */
export async function showNotices(
  platform: Platform,
  asked: Asked,
  page: Page,
): Promise<NoticeList> {
  const setting = await readSetting(platform, asked.tx, asked.merchantId);
  const found = await listNotices(asked.tx, asked.merchantId, page);
  return { ...found, data: found.data.flatMap((row) => viewNotice(platform, row, setting)) };
}

function viewNotice({ vault }: Platform, row: NoticeRow, setting: Setting): NoticeItem[] {
  if (!isKind(row.kind)) return []; // of a version that knew more kinds
  const { to, facts } = openContent(vault, row.noticeId, row.content);
  const letter = letterOf(row.kind, facts, setting);
  return [
    {
      id: row.noticeId,
      title: kindOf(row.kind).title,
      ...(isByText(to)
        ? {
            by: 'text',
            to: { name: to.name, address: `number ending in ${to.phone.slice(-LAST_DIGITS)}` },
            lines: [sentenceOf(row.kind, facts, setting)],
          }
        : { by: 'email', to: { name: to.name, address: to.email }, lines: [...letter.lines] }),
      subject: letter.subject,
      status: row.status,
      attempts: row.attempts,
      error: row.error,
      created_at: formatInstant(row.createdAt),
      ended_at: formatInstant(row.endedAt),
    },
  ];
}
