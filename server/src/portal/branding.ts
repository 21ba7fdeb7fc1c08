import type { FastifyInstance } from 'fastify';
import { findLogo } from '../merchants/branding/branding-store.ts';
import type { Platform } from '../platform/platform.ts';
import { notFound } from '../platform/values/errors.ts';

const MERCHANT_ID = /^mer_[0-9A-Za-z]{22}$/;
const HASH = /^[0-9a-f]{32}$/;
const SHEET = /^([0-9a-f]{6})\.css$/;
/** The addresses change with what they show. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const PLAIN = { schema: { hide: true } } as const;

/** Serves merchants' logos, and a sheet of style for each colour: our pages allow no inline style. */
export function addBranding(scope: FastifyInstance, { db }: Pick<Platform, 'db'>): void {
  scope.get<{ Params: { merchantId: string; hash: string } }>(
    '/logos/:merchantId/:hash',
    PLAIN,
    async ({ params: { merchantId, hash } }, reply) => {
      const isName = MERCHANT_ID.test(merchantId) && HASH.test(hash);
      const found = isName
        ? await db.forMerchant(merchantId, (tx) => findLogo(tx, merchantId, hash), {
            onlyReads: true,
          })
        : null;
      if (found === null) throw notFound('logo');
      return reply.header('cache-control', FOR_EVER).type(found.logoType).send(found.logo);
    },
  );
  scope.get<{ Params: { sheet: string } }>('/colours/:sheet', PLAIN, async ({ params }, reply) => {
    const [, colour] = SHEET.exec(params.sheet) ?? [];
    if (colour === undefined) throw notFound('colour');
    return reply
      .header('cache-control', FOR_EVER)
      .type('text/css; charset=utf-8')
      .send(sheetOf(`#${colour}`));
  });
}

/** On a dark page a dark button needs an edge to be seen. */
const sheetOf = (colour: string): string => `:root {
  --brand: ${colour};
  --on-brand: #ffffff;
  --brand-deep: color-mix(in srgb, ${colour} 85%, #000000);
  --brand-edge: color-mix(in srgb, ${colour} 40%, #ffffff);
}
`;
