import type { FastifyInstance } from 'fastify';
import { isKind } from '../../notices/kinds.ts';
import { render } from '../../notices/letter.ts';
import { SAMPLE_FACTS } from '../../notices/samples.ts';
import { readSetting } from '../../notices/setting.ts';
import { letterOf } from '../../notices/words.ts';
import { notFound } from '../../platform/errors.ts';
import type { Guard } from '../../platform/http/mount.ts';
import type { Platform } from '../../platform/platform.ts';

/** Adds an email as it looks, with made-up facts, for a frame of our own pages: it runs nothing and leads nowhere. */
export function addPreview(app: FastifyInstance, platform: Platform, onRequest: Guard[]): void {
  const { origin } = new URL(platform.config.baseUrl);
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src ${origin}`,
    "frame-ancestors 'self'",
    'sandbox allow-same-origin',
  ].join('; ');
  app.get<{ Params: { kind: string } }>(
    '/dashboard/api/notices/kinds/:kind/preview',
    { schema: { hide: true }, config: { limitedBy: 'dashboard' }, onRequest },
    async ({ caller, params: { kind } }, reply) => {
      if (!isKind(kind)) throw notFound('kind of email');
      const merchantId = caller?.merchantId ?? '';
      const setting = await platform.db.forMerchant(merchantId, (tx) =>
        readSetting(platform, tx, merchantId),
      );
      return reply
        .headers({
          'cache-control': 'no-store',
          'content-security-policy': policy,
          'x-frame-options': 'SAMEORIGIN',
        })
        .type('text/html; charset=utf-8')
        .send(render(letterOf(kind, SAMPLE_FACTS[kind], setting), setting).html);
    },
  );
}
