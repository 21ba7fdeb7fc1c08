import { releaseOf } from '../../../operators/requests/kinds.ts';
import type { OperatorRequest } from '../../../operators/requests/request.ts';
import { agreeWith, askFor, withdraw } from '../../../operators/requests/service.ts';
import { listRequests } from '../../../operators/requests/store.ts';
import { viewRequest } from '../../../operators/requests/view.ts';
import type { Config } from '../../../platform/config/config.ts';
import { change, withPlatform } from '../session/offline.ts';
import { actingOf, requireKey } from '../session/operator.ts';

const PAGE = { limit: 1000, offset: 0 };

/** Formats a request that waits, and says where a second operator agrees. */
export const shownRequest = (request: OperatorRequest): object => ({
  request: viewRequest(request),
  next:
    'It waits for a second operator, who agrees in the console, or with: ' +
    `recollect --key-file <path> request agree ${request.requestId} --reason "…"`,
});

/** `request list`. */
export function listRequestsCommand(config: Config, { all }: { all?: true }): Promise<object[]> {
  return withPlatform(config, ({ db, vault, clock }) =>
    db.read(async (tx) => {
      const which = { onlyWaiting: all !== true, now: clock.now() };
      return (await listRequests(tx, vault, which, PAGE)).rows.map(viewRequest);
    }),
  );
}

/**
 * `request agree` and `request take-back`. Throws ConfigError where nobody has proved who agrees, 404 `not_found`, 409
 * `operation_refused`.
 */
export async function decideRequestCommand(
  config: Config,
  verb: 'agree' | 'take-back',
  id: string,
  reason: string,
): Promise<object> {
  if (verb === 'agree') requireKey(config);
  const decide = verb === 'agree' ? agreeWith : withdraw;
  return viewRequest(await change(config, (work) => decide(work, actingOf(config), id, reason)));
}

/** `request release-pay-outs`. Throws 404 `not_found`, 409 `operation_refused`. */
export function askReleaseCommand(
  config: Config,
  merchantId: string,
  reason: string,
): Promise<object> {
  return change(config, async (work) => {
    const asking = await releaseOf(work, merchantId, reason);
    return shownRequest(await askFor(work, actingOf(config), asking));
  });
}
