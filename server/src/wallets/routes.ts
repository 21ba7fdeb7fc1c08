import type { PlainRoutes } from '../platform/http/route.ts';
import { receiveNotification } from '../platform/inbox.ts';
import type { Platform } from '../platform/platform.ts';
import { type Issuer, type IssuerNotification, IssuerSignatureError } from './issuer.ts';

/** The source of the issuer's notifications in the inbox. */
export const ISSUER_SOURCE = 'issuer';

/** What of a notification is kept: hints and ids, no account numbers. */
export type StoredNotice = { externalReference: string } & (
  | { kind: 'payin'; movementId: string; endToEndId: string; amountPence: number }
  | { kind: 'movement'; movementId: string }
  | { kind: 'wallet' }
);

function toStored(n: IssuerNotification): StoredNotice {
  const { externalReference } = n;
  switch (n.kind) {
    case 'payin.received': {
      const { movementId, endToEndId, amountPence } = n.payIn;
      return { kind: 'payin', externalReference, movementId, endToEndId, amountPence };
    }
    case 'movement.changed':
      return { kind: 'movement', externalReference, movementId: n.movement.movementId };
    case 'wallet.changed':
      return { kind: 'wallet', externalReference };
  }
}

/** Where the e-money issuer pushes its signed notices: stored under their own id first, acted on later. */
export function issuerNotificationRoutes(platform: Platform, issuer: Issuer): PlainRoutes {
  return (app) => {
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.post<{ Body: Buffer }>('/notifications/issuer', async (request, reply) => {
      try {
        const notice = issuer.parseNotification(request.headers, request.body);
        await platform.db.transaction((tx) =>
          receiveNotification(tx, platform.clock.now(), {
            source: ISSUER_SOURCE,
            notificationId: notice.eventId,
            body: JSON.stringify(toStored(notice)),
          }),
        );
      } catch (error) {
        if (!(error instanceof IssuerSignatureError)) throw error;
        platform.log.warn({ err: error }, 'a notification of the issuer was refused');
        return reply.code(401).send();
      }
      platform.wake();
      return reply.code(204).send();
    });
  };
}
