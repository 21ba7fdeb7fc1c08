import Type, { type Static } from 'typebox';
import { type Caller, type Route, route } from '../platform/http/calls/route.ts';
import { mapList, pageOf } from '../platform/http/lists/page.ts';
import { Fields, IdParams, ListOf, ListQuery } from '../platform/http/schemas/schemas.ts';
import type { Asked, AskedBy, Platform } from '../platform/platform.ts';
import { ApiError } from '../platform/values/errors.ts';
import { brandingErrors } from './branding/branding.ts';
import { changeBranding, readBranding } from './branding/branding-service.ts';
import { findHolds } from './holds/hold-store.ts';
import { rangesOf } from './keys/address-range.ts';
import type { Authenticator } from './keys/authenticator.ts';
import { AllowedIps, addressErrors, KeyName, Scopes } from './keys/key-fields.ts';
import { grantOf, type KeyCreator } from './keys/key-grant.ts';
import {
  changeKeyAddresses,
  createKey,
  type NewKey,
  revokeKey,
  rotateKey,
} from './keys/key-service.ts';
import { listKeys, lockKey } from './keys/key-store.ts';
import type { Merchant } from './merchant.ts';
import { merchantErrors } from './rules.ts';
import { isStrong, presentScopes, requireProof, scopesOf } from './scope.ts';
import { readMerchant, updateMerchant } from './service.ts';
import { findPendingChange } from './settlement-account/settlement-account-store.ts';
import { findMember } from './team/store.ts';
import { findFeeTerms } from './terms/fee-store.ts';
import { nextTerms, termsAt } from './terms/fees.ts';
import {
  changesOf,
  KeyView,
  MerchantChanges,
  MerchantView,
  NewKeyView,
  viewKey,
  viewMerchant,
} from './view.ts';

/** The dependencies of the merchant's routes. */
export interface MerchantDeps {
  platform: Platform;
  authenticator: Authenticator;
}

const MERCHANT = 'Merchant';
const KEYS = 'API keys';
const LONGEST_OVERLAP_HOURS = 168;

const KeyChanges = Fields({ allowed_ips: AllowedIps }, 'Changes of an API key.');

const NewKeyBody = Fields(
  {
    allowed_ips: Type.Optional(AllowedIps),
    name: KeyName,
    scopes: Type.Optional(
      Scopes(
        'What the key may do. Nobody gives a scope they do not have. Default: everything but `keys`, as far as you may do it yourself.',
      ),
    ),
  },
  'A new API key.',
);

const RotateBody = Fields(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LONGEST_OVERLAP_HOURS,
        default: 24,
        description: 'How many hours the old key goes on working.',
      }),
    ),
  },
  'How an API key is replaced.',
);
const DEFAULT_OVERLAP_HOURS = 24;

/** Returns who creates a key: a member with their role, or a key with its own scopes. */
async function keyCreatorOf({
  tx,
  merchantId,
  actorId,
  key,
}: AskedBy & Caller): Promise<KeyCreator> {
  if (key !== undefined) return { givable: presentScopes(key), userId: key.maker?.userId ?? null };
  const member = await findMember(tx, merchantId, actorId);
  return { givable: member === null ? [] : scopesOf(member.role), userId: actorId };
}

function viewNewKey({ key, secret }: NewKey): Static<typeof NewKeyView> {
  return { ...viewKey(key), key: secret };
}

/** Checks the fields of a raw body beyond their shape, which the schema checks. */
function changeErrors(platform: Platform, body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {};
  const { settlement_account: account, ...rest } = body as Static<typeof MerchantChanges>;
  const given = isObject(account) ? { ...rest, settlement_account: account } : rest;
  return { ...merchantErrors(changesOf(given), platform.config.mode), ...brandingErrors(rest) };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

async function showMerchant(
  platform: Platform,
  { tx, now }: Asked,
  merchant: Merchant,
): Promise<Static<typeof MerchantView>> {
  const pending = await findPendingChange(tx, platform.vault, merchant.merchantId);
  const terms = await findFeeTerms(tx, merchant.merchantId);
  const branding = await readBranding(platform, tx, merchant.merchantId);
  const holds = await findHolds(tx, merchant.merchantId);
  const fees = { now: termsAt(terms, now), next: nextTerms(terms, now) };
  return viewMerchant(merchant, branding, pending, fees, holds);
}

/** An API key, or a session left open, must not be enough to redirect the money. */
function accountNotChangeableHere({ key }: Caller): ApiError {
  return new ApiError(
    'forbidden',
    key === undefined
      ? 'The settlement account is changed under Settings, Business, with your password.'
      : 'No API key can change the settlement account. An owner changes it in the dashboard, under Settings, Business.',
  );
}

/** Whether a change sends customers, or our notices to the merchant, somewhere else. */
function isSensitive(before: Merchant, wanted: Static<typeof MerchantChanges>): boolean {
  const { returnUrl, email } = changesOf(wanted);
  return (
    (returnUrl !== undefined && returnUrl !== before.returnUrl) ||
    (email !== undefined && email !== before.email)
  );
}

function merchantRoute(platform: Platform): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/merchant',
      summary: 'Get your business details and settings',
      description: 'Also whether the operator has you suspended, or holds your pay-outs.',
      tag: MERCHANT,
      operationId: 'getMerchant',
      scope: 'merchant',
      permission: 'read',
      response: MerchantView,
      handle: async (call) =>
        showMerchant(platform, call, await readMerchant(platform, call.tx, call.merchantId)),
    }),
    route({
      method: 'PUT',
      path: '/api/v1/merchant',
      summary: 'Change your business details and settings',
      description:
        'Changes only the fields sent. `settlement_account` is refused with 403 `forbidden`: an owner changes it in the dashboard.',
      tag: MERCHANT,
      operationId: 'updateMerchant',
      scope: 'merchant',
      permission: 'manage_settings',
      proof: 'sometimes',
      body: MerchantChanges,
      response: MerchantView,
      check: (body) => changeErrors(platform, body),
      errors: ['forbidden'],
      handle: async (call) => {
        const { tx, merchantId, body } = call;
        if (body.settlement_account !== undefined) throw accountNotChangeableHere(call);
        const before = await readMerchant(platform, tx, merchantId);
        if (isSensitive(before, body)) requireProof(call);
        const { colour, logo } = body;
        const merchant = await updateMerchant(platform, tx, merchantId, changesOf(body));
        await changeBranding(platform, call, {
          ...(colour === undefined ? {} : { colour }),
          ...(logo === undefined ? {} : { logo }),
        });
        return showMerchant(platform, call, merchant);
      },
    }),
  ];
}

/** Requires a proof of who passes on a strong key, or opens it to other addresses. */
async function proveForKey(call: AskedBy & Caller, keyId: string): Promise<void> {
  const key = await lockKey(call.tx, call.merchantId, keyId);
  if (key !== null && isStrong(key.scopes)) requireProof(call);
}

function newKeyRoutes(deps: MerchantDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/api_keys',
      summary: 'Create an API key',
      description:
        'Only this response has the key itself. Refused for scopes that you do not have yourself.',
      tag: KEYS,
      operationId: 'createApiKey',
      scope: 'keys',
      permission: 'manage_keys',
      proof: 'sometimes',
      body: NewKeyBody,
      check: addressErrors,
      response: NewKeyView,
      errors: ['forbidden'],
      handle: async (call) => {
        const { name, scopes, allowed_ips } = call.body;
        const grant = grantOf(await keyCreatorOf(call), scopes, rangesOf(allowed_ips ?? null));
        if (isStrong(grant.scopes)) requireProof(call);
        return viewNewKey(
          await createKey(deps.platform, call, name, `created with ${call.actorId}`, grant),
        );
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/api_keys/:id/rotate',
      summary: 'Replace an API key',
      description:
        'The new key has the same name, scopes and addresses; only this response has the key itself. The old one goes on working for `overlap_hours`. Refused for scopes that you do not have yourself.',
      tag: KEYS,
      operationId: 'rotateApiKey',
      scope: 'keys',
      permission: 'manage_keys',
      proof: 'sometimes',
      params: IdParams,
      body: RotateBody,
      response: NewKeyView,
      errors: ['not_found', 'forbidden'],
      handle: async (call) => {
        const giver = await keyCreatorOf(call);
        const hours = call.body.overlap_hours ?? DEFAULT_OVERLAP_HOURS;
        const overlap = Temporal.Duration.from({ hours });
        await proveForKey(call, call.params.id);
        return viewNewKey(await rotateKey(deps, call, call.params.id, overlap, giver));
      },
    }),
  ];
}

function keyChangeRoute({ authenticator }: MerchantDeps): Route {
  return route({
    method: 'PUT',
    path: '/api/v1/api_keys/:id',
    summary: 'Change where an API key may be used from',
    description:
      'It takes effect within five seconds. The key itself and its scopes stay as they are.',
    tag: KEYS,
    operationId: 'updateApiKey',
    scope: 'keys',
    permission: 'manage_keys',
    proof: 'sometimes',
    params: IdParams,
    body: KeyChanges,
    check: addressErrors,
    response: KeyView,
    errors: ['not_found'],
    handle: async (call) => {
      const ranges = rangesOf(call.body.allowed_ips);
      await proveForKey(call, call.params.id);
      return viewKey(await changeKeyAddresses(authenticator, call, call.params.id, ranges));
    },
  });
}

function otherKeyRoutes(deps: MerchantDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/api_keys',
      summary: 'List your API keys',
      description: 'The newest first, revoked and expired ones included. None shows its secret.',
      tag: KEYS,
      operationId: 'listApiKeys',
      scope: 'keys',
      permission: 'manage_keys',
      query: ListQuery,
      response: ListOf(KeyView),
      handle: async (call) =>
        mapList(await listKeys(call.tx, call.merchantId, pageOf(call)), viewKey),
    }),
    route({
      method: 'DELETE',
      path: '/api/v1/api_keys/:id',
      summary: 'Revoke an API key at once',
      description:
        'It stops working at once, and cannot be restored. Revoking it again changes nothing.',
      tag: KEYS,
      operationId: 'revokeApiKey',
      scope: 'keys',
      permission: 'manage_keys',
      proof: 'never',
      params: IdParams,
      response: KeyView,
      errors: ['not_found'],
      handle: async (call) => {
        const reason = `revoked with ${call.actorId}`;
        return viewKey(await revokeKey(deps, call, call.params.id, reason));
      },
    }),
  ];
}

/** Returns the routes of the merchant's details and its API keys. */
export function merchantRoutes(deps: MerchantDeps): Route[] {
  return [
    ...merchantRoute(deps.platform),
    ...newKeyRoutes(deps),
    keyChangeRoute(deps),
    ...otherKeyRoutes(deps),
  ];
}
