import { isDeepStrictEqual } from 'node:util';
import { openProfile } from '../customers/sealed.ts';
import { claim, earliestDue } from '../platform/claim.ts';
import type { Stage } from '../platform/engine.ts';
import type { Platform } from '../platform/platform.ts';
import { type Address, findAddresses } from './customer-store.ts';
import { inline, readInlineLogos } from './inline-logo.ts';
import { isKind, kindOf } from './kinds.ts';
import { render } from './letter.ts';
import type { Email, InlineImage, Mail, Sent } from './mail.ts';
import { nextTry } from './notice.ts';
import { type Content, openContent, sealContent } from './notify.ts';
import type { Setting } from './sentences.ts';
import { readSetting } from './setting.ts';
import { recordTries, type Tried } from './state-store.ts';
import { letterOf, lookOf } from './words.ts';

const BATCH = 25;
const NO_ADDRESS: Sent = { error: 'The customer has no email address any more.', isFinal: true };
/** Longer than a mail server may take for a whole batch. */
const LEASE_MS = 300_000;

interface Claimed {
  merchant_id: string;
  notice_id: string;
  kind: string;
  schedule_id: string | null;
  customer_id: string | null;
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
    for (const merchantId of new Set(claimed.map((c) => c.merchant_id))) {
      settings.set(merchantId, await readSetting(platform, tx, merchantId));
    }
    const toCustomers = claimed.flatMap(({ merchant_id, customer_id }) =>
      customer_id === null ? [] : [{ merchant_id, customer_id }],
    );
    const found = toCustomers.length === 0 ? [] : await findAddresses(tx, toCustomers);
    const addresses = new Map(found.map((row) => [row.customer_id, row]));
    const senders = toCustomers.map(({ merchant_id }) => merchant_id);
    return { claimed, settings, addresses, logos: await readInlineLogos(tx, senders, settings) };
  });
}

/** Returns the content of a notice; one to a customer goes to the address that is known of them now, or to none. */
function contentOf(
  { vault }: Platform,
  { addresses }: Batch,
  notice: Claimed,
): { content: Content; resealed: string | null } {
  const content = openContent(vault, notice.notice_id, notice.content);
  if (notice.customer_id === null) return { content, resealed: null };
  const address = addresses.get(notice.customer_id);
  const known =
    address && openProfile({ vault }, notice.merchant_id, { ...address, reference: null });
  const to = { name: known?.name ?? '', email: known?.email ?? '' };
  if (isDeepStrictEqual(to, content.to)) return { content, resealed: null };
  const changed = { ...content, to };
  return { content: changed, resealed: sealContent(vault, notice.notice_id, changed) };
}

/** Returns the email of a notice. Throws if it has no such kind: a defect. */
function emailOf({ settings, logos }: Batch, notice: Claimed, { to, facts }: Content): Email {
  const setting = settings.get(notice.merchant_id);
  if (!isKind(notice.kind) || setting === undefined) throw new Error('a notice without its words');
  const image = logos.get(notice.merchant_id);
  const look = inline(lookOf(notice.kind, setting), image);
  const rendered = render(letterOf(notice.kind, facts, setting), look);
  const email = { id: notice.notice_id, to, ...rendered };
  if (notice.customer_id === null) return email;
  const { merchantName: fromName, merchantEmail } = setting;
  return {
    ...email,
    fromName,
    ...(merchantEmail === '' ? {} : { replyTo: merchantEmail }),
    ...(image === undefined ? {} : { image }),
  };
}

/** A try, and the content if it changed. */
type Outcome = Sent & { resealed: string | null };

function triedOf(notice: Claimed, sent: Outcome, at: Temporal.Instant): Tried {
  const isFinal = sent.error !== null && sent.isFinal;
  return {
    merchantId: notice.merchant_id,
    noticeId: notice.notice_id,
    scheduleId: notice.schedule_id,
    content: sent.resealed,
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
  const send = async (batch: Batch, notice: Claimed): Promise<Outcome> => {
    try {
      const { content, resealed } = contentOf(platform, batch, notice);
      if (content.to.email === '') return { ...NO_ADDRESS, resealed };
      const email = emailOf(batch, notice, content);
      return { ...(await mail.send(email)), resealed };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { error: message, isFinal: true, resealed: null };
    }
  };
  const attempt = async (batch: Batch, notice: Claimed): Promise<Tried> => {
    const sent = await send(batch, notice);
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
      const batch = await claimNotices(platform, now, limit);
      const { claimed } = batch;
      if (claimed.length === 0) return 0;
      const tries = await Promise.all(claimed.map((notice) => attempt(batch, notice)));
      await db.transaction((tx) => recordTries(tx, clock.now(), tries));
      return claimed.length;
    },
  };
}
