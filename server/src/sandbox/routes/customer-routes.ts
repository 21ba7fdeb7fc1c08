import Type from 'typebox';
import { waitsForCustomer } from '../../consents/confirm.ts';
import { openLink, openLinks, readLink } from '../../consents/service.ts';
import { findConsent } from '../../consents/store.ts';
import { type Route, routeWithOwnTransactions } from '../../platform/http/calls/route.ts';
import { Fields, IdParams, OneOf, OrNull, Text } from '../../platform/http/schemas/schemas.ts';
import { ApiError, notFound } from '../../platform/values/errors.ts';
import { findSchedule } from '../../schedules/books/store.ts';
import { UnexpectedPage } from '../browser.ts';
import { type Play, playCustomer } from '../player.ts';
import { findAccount } from './account-routes.ts';
import type { SandboxDeps } from './deps.ts';

const DEFAULT_ACCOUNT = 'alex';

const Decision = Fields(
  {
    decision: OneOf(['grant', 'deny'], '`grant`: the customer agrees. `deny`: they say no.'),
    account: Type.Optional(
      Type.String({
        maxLength: 64,
        default: DEFAULT_ACCOUNT,
        description:
          'Who decides: the login of a customer of the sandbox, such as `alex`, or an account number.',
      }),
    ),
    bank_id: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'At which bank. Default: the first one of the sandbox.',
      }),
    ),
  },
  'How the customer decides.',
);

const Decided = Type.Object(
  {
    consent_status: Text('The outcome of the consent: `granted`, `denied`, `rejected` …'),
    schedule_status: Text('The status that the schedule has now.'),
    returned_to: OrNull(
      Type.String(),
      'Where the customer was sent at the end, which is your `return_url`. Null: they are on a page of the portal.',
    ),
  },
  { description: 'The outcome of a consent, and of its schedule.' },
);

/** Returns the routes that play the customer, who decides on a schedule's consent. */
export function customerRoutes(deps: SandboxDeps): Route[] {
  return [
    routeWithOwnTransactions({
      method: 'POST',
      path: '/sandbox/schedules/:id/consent',
      summary: 'Let a customer of the sandbox decide on a consent',
      description:
        'Goes through the pages of the portal and of the bank as the customer’s browser would, also where the bank wants a ' +
        'granted consent to be confirmed again. Refused where no consent of the schedule waits for the customer.',
      tag: 'Sandbox',
      operationId: 'decideSandboxConsent',
      scope: null,
      permission: 'use_sandbox',
      proof: 'never',
      params: IdParams,
      body: Decision,
      response: Decided,
      errors: ['not_found', 'consent_decided'],
      handle: async ({ merchantId, params, body }) => {
        const { control, bankUrl } = deps.partners;
        const bankId = body.bank_id ?? (await control.banks())[0]?.bank_id ?? '';
        const { consentUrl, isConfirming } = await linkOf(deps, merchantId, params.id);
        const account = await findAccount(control, bankId, body.account ?? DEFAULT_ACCOUNT);
        const { returnedTo } = await play({
          consentUrl,
          isConfirming,
          decision: body.decision,
          bankId,
          login: account.login,
          accountNumber: account.account_number,
          origins: [deps.platform.config.baseUrl, bankUrl],
        });
        return {
          ...(await outcome(deps, merchantId, params.id, consentUrl)),
          returned_to: returnedTo,
        };
      },
    }),
  ];
}

/**
 * Returns the link with which the schedule's customer decides, or confirms again. Throws 404 `not_found`, 409 `consent_decided`
 * if there is none.
 */
async function linkOf(
  { platform }: SandboxDeps,
  merchantId: string,
  scheduleId: string,
): Promise<{ consentUrl: string; isConfirming: boolean }> {
  return platform.db.read(async (tx) => {
    const schedule = await findSchedule(tx, merchantId, scheduleId);
    if (schedule === null) throw notFound('schedule');
    const now = platform.clock.now();
    const links = await openLinks(platform, { tx, now, merchantId }, [scheduleId]);
    const link = links.get(scheduleId);
    if (link !== undefined) return { consentUrl: link, isConfirming: false };
    const granted = await findConsent(tx, merchantId, schedule.consentId ?? '');
    if (granted === null || !waitsForCustomer(granted))
      throw new ApiError(
        'consent_decided',
        'No consent of this schedule waits for its customer: they have decided, or its link has expired.',
      );
    const consentUrl = openLink(platform, merchantId, granted.consentId, granted.link);
    return { consentUrl, isConfirming: true };
  });
}

/** Plays the customer. An unexpected page is reported as it is: it may be the bank's documented behaviour. */
async function play(what: Play): ReturnType<typeof playCustomer> {
  try {
    return await playCustomer(what);
  } catch (error) {
    if (error instanceof UnexpectedPage) throw new ApiError('service_unavailable', error.message);
    throw error;
  }
}

async function outcome(
  { platform }: SandboxDeps,
  merchantId: string,
  scheduleId: string,
  consentUrl: string,
) {
  const consent = await readLink(platform, consentUrl.slice(consentUrl.lastIndexOf('/') + 1));
  const schedule = await platform.db.read((tx) => findSchedule(tx, merchantId, scheduleId));
  return {
    consent_status: consent?.status ?? 'unknown',
    schedule_status: schedule?.status ?? 'unknown',
  };
}
