import { isDeepStrictEqual } from 'node:util';
import { channelsOf, readerOf } from '../customers/reach.ts';
import type { Config } from '../platform/config/config.ts';
import { claim, earliestDue } from '../platform/engine/claim.ts';
import type { Stage } from '../platform/engine/stage.ts';
import type { Platform } from '../platform/platform.ts';
import { errorMessage } from '../platform/values/thrown.ts';
import { type Address, findAddresses } from './customer-store.ts';
import { readInlineLogos } from './inline-logo.ts';
import { isKind, kindOf } from './kinds.ts';
import type { InlineImage, Mail, Sent } from './mail.ts';
import { type Message, messageOf } from './message.ts';
import { BY_TEXT, nextTry } from './notice.ts';
import { type Content, openContent, sealContent } from './notify.ts';
import type { Setting } from './sentences.ts';
import { readSetting } from './setting.ts';
import { recordTries, type Tried } from './state-store.ts';
import type { Texts } from './texts.ts';

const BATCH = 25;
const NO_MAIL_SERVER: Sent = { error: 'This service has no mail server any more.', isFinal: false };
const NO_GATEWAY: Sent = { error: 'This service sends no text messages any more.', isFinal: false };
/** A newer version, which runs beside this one, wrote it: it sends it in its turn. */
const UNKNOWN_KIND: Sent = { error: 'This version has no words for it.', isFinal: false };
/** Longer than a mail server and a gateway may take for a whole batch. */
const LEASE_MS = 300_000;

interface Claimed {
  merchantId: string;
  noticeId: string;
  kind: string;
  scheduleId: string | null;
  customerId: string | null;
  content: string;
  attempts: number;
}

/** Claimed notices, and what their letters need of their merchants and customers. */
interface Batch {
  claimed: Claimed[];
  settings: Map<string, Setting>;
  /** The customers as they are now, by id. */
  addresses: Map<string, Address>;
  /** The logos for emails to customers, by merchant. */
  logos: Map<string, InlineImage>;
}

async function claimNotices(
  platform: Platform,
  now: Temporal.Instant,
  limit: number,
): Promise<Batch> {
  return platform.db.transaction(async (tx) => {
    const claimed = await claim<Claimed>(tx, now, LEASE_MS, limit, {
      table: 'notices',
      key: ['merchant_id', 'notice_id'],
      returning:
        't.merchant_id, t.notice_id, t.kind, t.schedule_id, t.customer_id, t.content, t.attempts',
    });
    const settings = new Map<string, Setting>();
    for (const merchantId of new Set(claimed.map((c) => c.merchantId))) {
      settings.set(merchantId, await readSetting(platform, tx, merchantId));
    }
    const toCustomers = claimed.flatMap(({ merchantId, customerId }) =>
      customerId === null ? [] : [{ merchantId, customerId }],
    );
    const found = toCustomers.length === 0 ? [] : await findAddresses(tx, toCustomers);
    const addresses = new Map(found.map((row) => [row.customerId, row]));
    const senders = toCustomers.map(({ merchantId }) => merchantId);
    return { claimed, settings, addresses, logos: await readInlineLogos(tx, senders, settings) };
  });
}

/** What a notice says and to whom; `resealed` if its reader has changed. */
interface Opened {
  content: Content;
  resealed: string | null;
}

/** Returns the content of a notice; one to a customer goes to where they are reached now. Null: they are not. */
function contentOf(platform: Platform, { addresses }: Batch, notice: Claimed): Opened | null {
  const { vault } = platform;
  const content = openContent(vault, notice.noticeId, notice.content);
  if (notice.customerId === null) return { content, resealed: null };
  const address = addresses.get(notice.customerId);
  const to = address === undefined ? null : readerOf(platform, notice.merchantId, address);
  if (to === null) return null;
  if (isDeepStrictEqual(to, content.to)) return { content, resealed: null };
  const changed = { ...content, to };
  return { content: changed, resealed: sealContent(vault, notice.noticeId, changed) };
}

/** A try, by what, and the content if it changed. */
type Outcome = Sent & { by: 'email' | 'text'; resealed: string | null };

/** What a customer who cannot be reached has not, in a sentence. */
function noAddress(config: Config): Sent {
  const missing = channelsOf(config).hasTexts
    ? 'neither an email address nor a mobile number'
    : 'no email address';
  return { error: `The customer has ${missing} any more.`, isFinal: true };
}

function triedOf(notice: Claimed, sent: Outcome, at: Temporal.Instant): Tried {
  const isFinal = sent.error !== null && sent.isFinal;
  return {
    merchantId: notice.merchantId,
    noticeId: notice.noticeId,
    scheduleId: notice.scheduleId,
    content: sent.resealed,
    about: aboutOf(notice.kind, sent.by),
    error: sent.error,
    nextTry: sent.error === null || isFinal ? null : nextTry(notice.attempts + 1, at),
  };
}

/** What a notice is about, for the audit trail: of a text message it says so. */
function aboutOf(kind: string, by: 'email' | 'text'): string {
  const about = isKind(kind) ? kindOf(kind).title : kind;
  return by === 'text' ? `${BY_TEXT}${about}` : about;
}

/** What sends emails and text messages; null: nothing does. */
export interface Senders {
  mail: Mail | null;
  texts: Texts | null;
}

function sendMessage({ mail, texts }: Senders, message: Message): Promise<Sent> | Sent {
  if (message.by === 'text') return texts?.send(message.text) ?? NO_GATEWAY;
  return mail?.send(message.email) ?? NO_MAIL_SERVER;
}

/**
 * Sends due notices between two transactions. A process that crashes after the mail server or the gateway accepted one sends it
 * again, under the same message id (docs/rules/notices.md#once-per-cause).
 */
export function noticesStage(platform: Platform, senders: Senders): Stage {
  const { clock, db, log } = platform;
  const send = async (batch: Batch, notice: Claimed): Promise<Outcome> => {
    let by: Outcome['by'] = 'email';
    const { kind } = notice;
    if (!isKind(kind)) return { ...UNKNOWN_KIND, by, resealed: null };
    try {
      const opened = contentOf(platform, batch, notice);
      if (opened === null) return { ...noAddress(platform.config), by, resealed: null };
      const { content, resealed } = opened;
      const message = messageOf({
        id: notice.noticeId,
        kind,
        isToCustomer: notice.customerId !== null,
        content,
        setting: batch.settings.get(notice.merchantId),
        image: batch.logos.get(notice.merchantId),
      });
      by = message.by;
      return { ...(await sendMessage(senders, message)), by, resealed };
    } catch (error) {
      return { error: errorMessage(error), isFinal: true, by, resealed: null };
    }
  };
  const attempt = async (batch: Batch, notice: Claimed): Promise<Tried> => {
    const sent = await send(batch, notice);
    const tried = triedOf(notice, sent, clock.now());
    const facts = { notice_id: notice.noticeId, kind: notice.kind, error: tried.error };
    if (tried.error !== null && tried.nextTry === null) log.report('notice.failed', facts);
    return tried;
  };
  return {
    name: 'notices.send',
    batch: BATCH,
    ...earliestDue('notices'),
    async run(now, limit) {
      const batch = await claimNotices(platform, now, limit);
      const { claimed } = batch;
      if (claimed.length === 0) return 0;
      const tries = await Promise.all(claimed.map((notice) => attempt(batch, notice)));
      await db.transaction((tx) => recordTries(tx, clock.now(), tries));
      return claimed.length;
    },
  };
}
