import { type PlainRoutes, type Route, route } from '../platform/http/calls/route.ts';
import { pageOf } from '../platform/http/lists/page.ts';
import { ListOf, ListQuery } from '../platform/http/schemas/schemas.ts';
import type { Inbox } from '../platform/inbox.ts';
import { makeSampledReport } from '../platform/log/sampled-report.ts';
import type { Platform } from '../platform/platform.ts';
import { ApiError } from '../platform/values/errors.ts';
import { type Issuer, type IssuerNotification, IssuerSignatureError } from './issuer.ts';
import { sealPayer } from './payer.ts';
import { showWallets, WalletAnswer } from './view.ts';

/** The source of the issuer's notifications in the inbox. */
export const ISSUER_SOURCE = 'issuer';

/** What is kept of a notification: hints and ids; the payer's account is sealed. */
export type StoredNotice = { externalReference: string } & (
  | {
      kind: 'payin';
      movementId: string;
      endToEndId: string | null;
      amountPence: number;
      /** When the issuer received the money. */
      at?: string;
      payer?: string | null;
    }
  /** `reference` is the order's; absent in notifications that were stored long ago. */
  | { kind: 'movement'; movementId: string; reference?: string }
  | {
      kind: 'returned' | 'recalled';
      movementId: string;
      originalMovementId: string;
      amountPence: number;
      reason: { code: string; message: string };
    }
  | { kind: 'wallet' }
);

function toStored({ vault }: Platform, n: IssuerNotification): StoredNotice {
  const { externalReference } = n;
  switch (n.kind) {
    case 'payin.received': {
      const { movementId, endToEndId, amountPence } = n.payIn;
      const payer = sealPayer(vault, movementId, n.payIn.payer);
      const at = n.at.toString();
      return { kind: 'payin', externalReference, movementId, endToEndId, amountPence, at, payer };
    }
    case 'movement.changed': {
      const { movementId, reference } = n.movement;
      return { kind: 'movement', externalReference, movementId, reference };
    }
    case 'wallet.changed':
      return { kind: 'wallet', externalReference };
    case 'payout.returned':
    case 'payin.recalled': {
      const { movementId, originalMovementId, amountPence } = n.movement;
      return {
        kind: n.kind === 'payout.returned' ? 'returned' : 'recalled',
        externalReference,
        movementId,
        originalMovementId: originalMovementId ?? '',
        amountPence,
        reason: n.reason,
      };
    }
  }
}

/** Genuine notifications are never limited; those without a valid signature are counted. */
const UNPROVEN = { config: { limitedBy: 'failures', work: 'collections' } } as const;

/** The route to which the e-money issuer sends its signed notifications; each is acknowledged when it is stored. */
export function issuerNotificationRoutes(
  platform: Platform,
  issuer: Issuer,
  receive: Inbox,
): PlainRoutes {
  const report = makeSampledReport(platform.log);
  return (app) => {
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    app.post<{ Body?: Buffer }>('/notifications/issuer', UNPROVEN, async (request, reply) => {
      try {
        const notice = await issuer.parseNotification(
          request.headers,
          request.body ?? Buffer.alloc(0),
        );
        if (notice === null) return reply.code(204).send();
        await receive({
          source: ISSUER_SOURCE,
          notificationId: notice.eventId,
          body: JSON.stringify(toStored(platform, notice)),
        });
      } catch (error) {
        if (!(error instanceof IssuerSignatureError)) throw error;
        await app.rateLimits.failure(request, reply);
        report('issuer.notification_refused', '', { reason: error.message });
        throw new ApiError('unauthorized', 'The signature is not right.');
      }
      platform.wake();
      return reply.code(204).send();
    });
  };
}

/** Returns the route that lists the wallets with their balances in our ledger. */
export function walletRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/wallets',
      summary: 'List wallets and what is in them',
      description: 'Your own wallet first, then those of your customers, the newest first.',
      tag: 'Wallets',
      operationId: 'listWallets',
      scope: 'settlements',
      permission: 'read',
      query: ListQuery,
      response: ListOf(WalletAnswer),
      handle: (call) => showWallets(call.tx, call.merchantId, pageOf(call)),
    }),
  ];
}
