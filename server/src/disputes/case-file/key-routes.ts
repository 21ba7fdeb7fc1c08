import type { PlainRoutes } from '../../platform/http/calls/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { KEYS_PATH, publicKeys } from './keys.ts';

/** Publishes the keys that case files are signed with, for whoever verifies one: docs/rules/disputes.md#verifying-one. */
export function caseFileKeyRoutes({ vault }: Pick<Platform, 'vault'>): PlainRoutes {
  return (app) => {
    app.get(KEYS_PATH, { schema: { hide: true } }, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').send({ keys: publicKeys(vault) }),
    );
  };
}
