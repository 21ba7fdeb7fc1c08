import type { PlainRoutes } from '../platform/http/calls/route.ts';
import type { Inbox } from '../platform/inbox.ts';
import { makeSampledReport } from '../platform/log/sampled-report.ts';
import type { Platform } from '../platform/platform.ts';
import { ApiError, invalid, notFound } from '../platform/values/errors.ts';
import { errorMessage } from '../platform/values/thrown.ts';
import { BankUnavailable, type NoticeReceiver, NotificationInvalid } from './bank.ts';

/** The source of a bank's notifications in the inbox. */
const bankSource = (bankId: string): string => `bank:${bankId}`;

/**
 * Returns the error for the sender; null if this is not a refusal. Without the bank's keys we cannot tell whether a notice is
 * genuine.
 */
function refusalOf(error: unknown): ApiError | null {
  if (error instanceof BankUnavailable)
    return new ApiError('service_unavailable', 'The keys of the bank cannot be read now.');
  if (error instanceof NotificationInvalid)
    return invalid({ body: 'is not a notification that this bank signed for us' });
  return null;
}

/** Genuine notices are not rate-limited; unsigned or forged ones are. */
const UNPROVEN = { config: { limitedBy: 'failures', work: 'collections' } } as const;

/** Returns the path to which a bank was told to push: a proxy may have changed that of the request. */
const pathOf = ({ config }: Platform, { bankId }: NoticeReceiver): string =>
  new URL(`${config.baseUrl}/notifications/banks/${bankId}`).pathname;

/** What takes notices, by id: banks, and the connections that send those of all banks behind them. */
export interface NoticeReceivers {
  readonly banks: ReadonlyMap<string, NoticeReceiver>;
  readonly receivers: ReadonlyMap<string, NoticeReceiver>;
}

/**
 * Returns the routes to which banks push their signed notices (event notification API of the standard). A notice is verified,
 * stored under its own id, acted on where that needs no more than our database, and acknowledged with 202.
 */
export function bankNotificationRoutes(
  platform: Platform,
  { banks, receivers }: NoticeReceivers,
  receive: Inbox,
): PlainRoutes {
  const report = makeSampledReport(platform.log);
  return (app) => {
    const types = ['application/jwt', 'application/json'];
    app.addContentTypeParser(types, { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    app.post<{ Params: { bank_id: string }; Body?: Buffer }>(
      '/notifications/banks/:bank_id',
      UNPROVEN,
      async (request, reply) => {
        const { bank_id: id } = request.params;
        const bank: NoticeReceiver | undefined = receivers.get(id) ?? banks.get(id);
        if (bank === undefined) await app.rateLimits.failure(request, reply);
        if (bank === undefined) throw notFound('bank');
        try {
          const { jti, bankId, resources } = await bank.verifyNotification({
            path: pathOf(platform, bank),
            headers: request.headers,
            body: request.body ?? Buffer.alloc(0),
          });
          await receive({
            source: bankSource(bankId ?? bank.bankId),
            notificationId: jti,
            body: JSON.stringify({ resources }),
          });
        } catch (error) {
          const refusal = refusalOf(error);
          if (refusal === null) throw error;
          await app.rateLimits.failure(request, reply);
          report('bank.notification_refused', bank.bankId, {
            bank_id: bank.bankId,
            reason: errorMessage(error),
          });
          throw refusal;
        }
        platform.wake();
        const interaction = request.headers['x-fapi-interaction-id'];
        if (typeof interaction === 'string') reply.header('x-fapi-interaction-id', interaction);
        return reply.code(202).send();
      },
    );
  };
}
