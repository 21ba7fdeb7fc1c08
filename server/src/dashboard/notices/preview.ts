import type { FastifyInstance, FastifyReply } from 'fastify';
import { isKind, type NoticeKind } from '../../notices/kinds.ts';
import { type Letter, render } from '../../notices/letter.ts';
import { openContent } from '../../notices/notify.ts';
import { SAMPLE_FACTS } from '../../notices/samples.ts';
import type { Facts, Setting } from '../../notices/sentences.ts';
import { readSetting } from '../../notices/setting.ts';
import { findNotice } from '../../notices/store.ts';
import { brandingOf, letterOf } from '../../notices/words.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Permission } from '../../platform/http/calls/access.ts';
import { refuseUnstorable } from '../../platform/http/calls/inputs.ts';
import type { Platform } from '../../platform/platform.ts';
import { isByText } from '../../platform/state/notify.ts';
import { notFound } from '../../platform/values/errors.ts';
import type { Guards } from '../gate.ts';

/** What is shown: an email's kind and facts. */
interface PreviewedNotice {
  kind: NoticeKind;
  facts: Facts;
  /** Whether its link is shown too. */
  hasLink: boolean;
}

/** Adds emails as they look, for a frame of our own pages: nothing in them runs, and they lead nowhere. */
export function addPreviews(app: FastifyInstance, platform: Platform, guards: Guards): void {
  const add = (
    path: string,
    operationId: string,
    permission: Permission,
    find: (tx: Tx, merchantId: string, name: string) => Promise<PreviewedNotice>,
  ) =>
    app.get<{ Params: { name: string } }>(
      `/dashboard/api/notices${path}`,
      {
        schema: { hide: true },
        config: { limitedBy: 'dashboard' },
        onRequest: guards({ operationId, method: 'GET', permission }),
      },
      async ({ caller, params }, reply) => {
        refuseUnstorable({ params, query: {}, body: undefined });
        const merchantId = caller?.merchantId ?? '';
        const html = await platform.db.forMerchant(merchantId, async (tx) => {
          const shown = await find(tx, merchantId, params.name);
          return htmlOf(shown, await readSetting(platform, tx, merchantId));
        });
        return sendFramed(platform, reply, html);
      },
    );
  add('/kinds/:name/preview', 'listNoticeKinds', 'read', async (_tx, _merchantId, kind) => {
    if (!isKind(kind)) throw notFound('kind of email');
    return { kind, facts: SAMPLE_FACTS[kind], hasLink: true };
  });
  add('/:name/preview', 'readNotice', 'manage_settings', async (tx, merchantId, id) => {
    const row = await findNotice(tx, merchantId, id);
    if (row === null || !isKind(row.kind)) throw notFound('email');
    const { to, facts } = openContent(platform.vault, id, row.content);
    if (isByText(to)) throw notFound('email');
    return { kind: row.kind, facts, hasLink: false };
  });
}

function htmlOf({ kind, facts, hasLink }: PreviewedNotice, setting: Setting): string {
  const { button, ...letter } = letterOf(kind, facts, setting);
  const shown: Letter = hasLink && button !== undefined ? { ...letter, button } : letter;
  return render(shown, brandingOf(kind, setting)).html;
}

function sendFramed({ config }: Platform, reply: FastifyReply, html: string): FastifyReply {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src ${new URL(config.baseUrl).origin}`,
    "frame-ancestors 'self'",
    'sandbox allow-same-origin',
  ].join('; ');
  return reply
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'x-frame-options': 'SAMEORIGIN',
    })
    .type('text/html; charset=utf-8')
    .send(html);
}
