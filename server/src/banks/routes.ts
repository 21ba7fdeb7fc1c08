import type { PlainRoutes } from '../platform/http/route.ts';
import { makeInbox } from '../platform/inbox.ts';
import type { Platform } from '../platform/platform.ts';
import { type Bank, NotificationInvalid } from './bank.ts';

/** The source of a bank's notifications in the inbox. */
const bankSource = (bankId: string): string => `bank:${bankId}`;

/**
 * Where banks push their signed notices (event notification API of the standard): checked, stored under their own id,
 * answered with 202, and acted on later.
 */
export function bankNotificationRoutes(
  platform: Platform,
  banks: ReadonlyMap<string, Bank>,
): PlainRoutes {
  const receive = makeInbox(platform);
  return (app) => {
    app.addContentTypeParser('application/jwt', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    app.post<{ Params: { bank_id: string }; Body: string }>(
      '/notifications/banks/:bank_id',
      async (request, reply) => {
        const bank = banks.get(request.params.bank_id);
        if (bank === undefined || typeof request.body !== 'string') return reply.code(404).send();
        try {
          const { jti, resources } = await bank.verifyNotification(request.body);
          await receive({
            source: bankSource(bank.bankId),
            notificationId: jti,
            body: JSON.stringify({ resources }),
          });
        } catch (error) {
          if (!(error instanceof NotificationInvalid)) throw error;
          platform.log.warn({ bank_id: bank.bankId, err: error }, 'a notification was refused');
          return reply.code(400).send();
        }
        platform.wake();
        const interaction = request.headers['x-fapi-interaction-id'];
        if (typeof interaction === 'string') reply.header('x-fapi-interaction-id', interaction);
        return reply.code(202).send();
      },
    );
  };
}
