import type { FastifyInstance } from 'fastify';
import type { Config } from '../../platform/config/config.ts';
import { realNow } from '../../platform/time/clock.ts';

/** RFC 9116 wants less than a year. */
const HOLDS = Temporal.Duration.from({ hours: 180 * 24 });

/**
 * Serves security.txt (RFC 9116), which says where to report a weakness, if `SECURITY_CONTACT` is set. The end of its validity
 * moves on with each day on which it is served.
 */
export function addSecurityText(
  app: FastifyInstance,
  { firm: { securityContact } }: Config,
  now: () => Temporal.Instant = realNow,
): void {
  if (securityContact === null) return;
  app.get('/.well-known/security.txt', { schema: { hide: true } }, (_request, reply) => {
    const until = now().add(HOLDS).toString().slice(0, 'yyyy-mm-dd'.length);
    return reply
      .type('text/plain; charset=utf-8')
      .send(`Contact: ${securityContact}\nExpires: ${until}T00:00:00Z\nPreferred-Languages: en\n`);
  });
}
