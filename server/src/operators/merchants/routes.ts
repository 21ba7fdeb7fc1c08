import Type, { type Static } from 'typebox';
import type { NewMerchant } from '../../merchants/merchant.ts';
import { merchantErrors } from '../../merchants/rules.ts';
import { changeScheme } from '../../merchants/terms/scheme-service.ts';
import { changesOf, MERCHANT_FIELDS, type MerchantChanges } from '../../merchants/view.ts';
import { mapList, pageOf } from '../../platform/http/lists/page.ts';
import {
  Fields,
  Id,
  IdParams,
  Instant,
  ListOf,
  ListQuery,
  NamedObject,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { operatorActor } from '../../platform/state/actor.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { actingOperator } from '../access/acting.ts';
import { ADMIN_REASON, type AdminRoute, adminRoute } from '../admin/route.ts';
import { releaseOf } from '../requests/kinds.ts';
import { askFor } from '../requests/service.ts';
import { RequestView, viewRequest } from '../requests/view.ts';
import { feeRoutes } from './fee-routes.ts';
import { SCHEME_FIELDS, schemeOf } from './scheme-view.ts';
import { type StartedMerchant, setHold, showMerchant, startMerchant } from './service.ts';
import { listMerchants } from './store.ts';
import { AdminMerchantView, ListedMerchantView, viewListedMerchant } from './view.ts';

const tag = 'Merchants';

const NewMerchantBody = Fields({
  name: MERCHANT_FIELDS.name,
  legal_name: Type.Optional(MERCHANT_FIELDS.legal_name),
  email: MERCHANT_FIELDS.email,
  website: MERCHANT_FIELDS.website,
  address: MERCHANT_FIELDS.address,
  terms: MERCHANT_FIELDS.terms,
  settlement_account: MERCHANT_FIELDS.settlement_account,
  time_zone: Type.Optional(MERCHANT_FIELDS.time_zone),
  return_url: Type.Optional(MERCHANT_FIELDS.return_url),
  owner: Type.Optional(
    Fields(
      {
        email: Type.String({ maxLength: 254 }),
        name: Type.String({ minLength: 1, maxLength: 100 }),
      },
      'The first owner: the answer has the link by which they set a password.',
    ),
  ),
});

const NewMerchantView = NamedObject('StartedMerchant', {
  merchant: AdminMerchantView,
  api_key: Type.String({ description: 'The first API key, which is never shown again.' }),
  owner: OrNull(
    NamedObject('FirstOwner', {
      id: Id('usr'),
      email: Type.String(),
      url: Type.String({ description: 'Hand it to the owner; it works once.' }),
      expires_at: Instant,
    }),
  ),
});

const viewOwner = (owner: StartedMerchant['owner']) =>
  owner === null
    ? null
    : {
        id: owner.userId,
        email: owner.email,
        url: owner.url,
        expires_at: formatInstant(owner.expiresAt),
      };

/** The endpoints of merchants. */
export function merchantRoutes(platform: Platform): AdminRoute[] {
  return [
    ...readRoutes(platform),
    createRoute(platform),
    ...holdRoutes(platform),
    ...feeRoutes(platform),
    releaseRoute(platform),
    schemeRoute(platform),
  ];
}

const readRoutes = (platform: Platform): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/merchants',
    summary: 'List and search merchants',
    tag,
    operationId: 'listMerchants',
    command: 'merchant list',
    query: Fields({
      ...ListQuery.properties,
      q: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'An id, or a part of the name or email address.',
        }),
      ),
      hold: Type.Optional(OneOf(['suspended', 'pay_outs'], 'Only those with this hold.')),
    }),
    response: ListOf(ListedMerchantView),
    handle: async (call) =>
      mapList(await listMerchants(call.tx, call.query, pageOf(call)), viewListedMerchant),
  }),
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/merchants/:id',
    summary: 'Read a merchant',
    tag,
    operationId: 'getMerchant',
    command: 'merchant show',
    params: IdParams,
    response: AdminMerchantView,
    errors: ['not_found'],
    handle: ({ tx, params }) => showMerchant(platform, tx, params.id),
  }),
];

const createRoute = (platform: Platform): AdminRoute =>
  adminRoute({
    method: 'POST',
    role: 'payments',
    path: '/merchants',
    summary: 'Create a merchant',
    description:
      'Creates its wallet, a first API key, which is shown once, and the first owner, if one is named.',
    tag,
    operationId: 'createMerchant',
    command: 'merchant create',
    body: NewMerchantBody,
    response: NewMerchantView,
    check: (body) =>
      merchantErrors(
        changesOf(Object(body) as Static<typeof MerchantChanges>),
        platform.config.mode,
      ),
    async handle({ tx, now, operator, body: { owner = null, ...fields } }) {
      const input = changesOf(fields) as Omit<NewMerchant, 'legalName'>;
      const started = await startMerchant(
        { platform, tx, now },
        { legalName: input.name, ...input },
        { owner, by: operatorActor(operator.name), reason: `created by ${operator.name}` },
      );
      return {
        merchant: await showMerchant(platform, tx, started.merchant.merchantId),
        api_key: started.secret,
        owner: viewOwner(started.owner),
      };
    },
  });

const HOLDS = [
  ['suspend', 'suspended', true, 'Suspend a merchant: no new schedules, no payment orders'],
  ['resume', 'suspended', false, 'Resume a suspended merchant'],
  ['hold_pay_outs', 'pay_outs', true, "Hold a merchant's pay-outs: settlements wait"],
  ['release_pay_outs', 'pay_outs', false, "Release a merchant's pay-outs"],
] as const;

const OPERATION_IDS = {
  suspend: 'suspendMerchant',
  resume: 'resumeMerchant',
  hold_pay_outs: 'holdPayOuts',
  release_pay_outs: 'releasePayOuts',
} as const;

const holdRoutes = (platform: Platform): AdminRoute[] =>
  HOLDS.map(([verb, kind, isHeld, summary]) =>
    adminRoute({
      method: 'POST',
      role: 'payments',
      path: `/merchants/:id/${verb}`,
      summary,
      description: 'A merchant that is in that state already stays as it is.',
      tag,
      operationId: OPERATION_IDS[verb],
      command: `merchant ${verb.split('_', 1)[0]}`,
      params: IdParams,
      body: Fields({ reason: ADMIN_REASON }),
      response: AdminMerchantView,
      errors: ['not_found', 'operation_refused'],
      async handle({ tx, now, operator, params, body }) {
        const word = { by: operator.name, reason: body.reason, isHeld };
        await setHold(platform, { tx, now, merchantId: params.id }, kind, word);
        return showMerchant(platform, tx, params.id);
      },
    }),
  );

const releaseRoute = (platform: Platform): AdminRoute =>
  adminRoute({
    method: 'POST',
    role: 'payments',
    path: '/merchants/:id/release_pay_outs/ask',
    summary: 'Ask for the release of pay-outs that only two operators release',
    description:
      'They are held because another account was asked for soon after operators had let an owner in again.',
    tag,
    operationId: 'askReleasePayOuts',
    command: 'request release-pay-outs',
    params: IdParams,
    body: Fields({ reason: ADMIN_REASON }),
    response: RequestView,
    errors: ['not_found', 'operation_refused'],
    async handle({ tx, now, operator, params, body: { reason } }) {
      const work = { platform, tx, now };
      const asking = await releaseOf(work, params.id, reason);
      return viewRequest(await askFor(work, actingOperator(operator), asking));
    },
  });

const schemeRoute = (platform: Platform): AdminRoute =>
  adminRoute({
    method: 'PUT',
    role: 'payments',
    path: '/merchants/:id/scheme',
    summary: 'Change what the payment scheme knows of a merchant',
    description:
      'Only the fields sent are changed. New consents carry them; existing consents keep their original details.',
    tag,
    operationId: 'updateScheme',
    command: 'merchant scheme',
    params: IdParams,
    body: Fields({ ...Type.Partial(Fields(SCHEME_FIELDS)).properties, reason: ADMIN_REASON }),
    response: AdminMerchantView,
    errors: ['not_found'],
    async handle({ tx, now, params, body: { reason, ...fields } }) {
      await changeScheme({ tx, now, merchantId: params.id }, schemeOf(fields), reason);
      return showMerchant(platform, tx, params.id);
    },
  });
