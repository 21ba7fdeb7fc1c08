import Type, { type Static } from 'typebox';
import { type Caller, type Route, route } from '../../platform/http/calls/route.ts';
import { mapList, pageOf } from '../../platform/http/lists/page.ts';
import { Fields, IdParams, ListOf, ListQuery } from '../../platform/http/schemas/schemas.ts';
import type { Asked, AskedBy, Platform } from '../../platform/platform.ts';
import { orNotFound } from '../../platform/values/errors.ts';
import { isStrong, presentScopes, requireProof, scopesOf } from '../scope.ts';
import { findMember } from '../team/store.ts';
import { rangesOf } from './address-range.ts';
import type { Authenticator } from './authenticator.ts';
import {
  AllowedIps,
  KeyLimitsInput,
  KeyName,
  keyErrors,
  requestedLimits,
  Scopes,
} from './key-fields.ts';
import { grantOf, type KeyCreator } from './key-grant.ts';
import {
  changeKeyAddresses,
  changeKeyLimits,
  createKey,
  type NewKey,
  revokeKey,
  rotateKey,
} from './key-service.ts';
import { findKey, listKeys, lockKey } from './key-store.ts';
import { KeyView, NewKeyView, viewKey } from './key-view.ts';

/** The dependencies of the routes of API keys. */
export interface KeyDeps {
  platform: Platform;
  authenticator: Authenticator;
}

const KEYS = 'API keys';
const LONGEST_OVERLAP_HOURS = 168;

const KeyChanges = Fields(
  { allowed_ips: Type.Optional(AllowedIps), limits: Type.Optional(KeyLimitsInput) },
  'Changes of an API key. A field that is left out stays as it is.',
);

const NewKeyBody = Fields(
  {
    allowed_ips: Type.Optional(AllowedIps),
    limits: Type.Optional(KeyLimitsInput),
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

function viewNewKey({ key, secret }: NewKey, { now }: Asked): Static<typeof NewKeyView> {
  return { ...viewKey(key, now), key: secret };
}

/** Requires a proof of who passes on a strong key, or opens it to other addresses. */
async function proveForKey(call: AskedBy & Caller, keyId: string): Promise<void> {
  const key = await lockKey(call.tx, call.merchantId, keyId);
  if (key !== null && isStrong(key.scopes)) requireProof(call);
}

function newKeyRoutes(deps: KeyDeps): Route[] {
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
      check: keyErrors,
      response: NewKeyView,
      errors: ['forbidden'],
      handle: async (call) => {
        const { name, scopes, allowed_ips, limits = null } = call.body;
        const grant = grantOf(await keyCreatorOf(call), scopes, rangesOf(allowed_ips ?? null));
        if (isStrong(grant.scopes)) requireProof(call);
        const wanted = { ...grant, limits: requestedLimits(limits) };
        return viewNewKey(
          await createKey(deps.platform, call, name, `created with ${call.actorId}`, wanted),
          call,
        );
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/api_keys/:id/rotate',
      summary: 'Replace an API key',
      description:
        'The new key has the same name, scopes, addresses and limits; only this response has the key itself. The old one goes on working for `overlap_hours`. Refused for scopes that you do not have yourself.',
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
        return viewNewKey(await rotateKey(deps, call, call.params.id, overlap, giver), call);
      },
    }),
  ];
}

function keyChangeRoute({ authenticator }: KeyDeps): Route {
  return route({
    method: 'PUT',
    path: '/api/v1/api_keys/:id',
    summary: 'Change the addresses or the limits of an API key',
    description:
      'It takes effect within five seconds; other limits for a key that has some, at once. The key itself and its scopes stay as they are.',
    tag: KEYS,
    operationId: 'updateApiKey',
    scope: 'keys',
    permission: 'manage_keys',
    proof: 'sometimes',
    params: IdParams,
    body: KeyChanges,
    check: keyErrors,
    response: KeyView,
    errors: ['not_found'],
    handle: async (call) => {
      const { params, body, now } = call;
      await proveForKey(call, params.id);
      if (body.allowed_ips !== undefined)
        await changeKeyAddresses(authenticator, call, params.id, rangesOf(body.allowed_ips));
      if (body.limits !== undefined)
        await changeKeyLimits(authenticator, call, params.id, requestedLimits(body.limits));
      return viewKey(
        orNotFound(await lockKey(call.tx, call.merchantId, params.id), 'API key'),
        now,
      );
    },
  });
}

function otherKeyRoutes(deps: KeyDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/api_key',
      summary: 'Get the API key that you use',
      description: 'What it may do, its limits, and how much of them is used today.',
      tag: KEYS,
      operationId: 'getOwnApiKey',
      scope: 'any',
      permission: 'read',
      response: KeyView,
      errors: ['not_found'],
      async handle({ tx, now, merchantId, actorId, key }) {
        const found = orNotFound(await findKey(tx, merchantId, actorId), 'API key');
        const scopes = key === undefined ? found.key.scopes : presentScopes(key);
        return viewKey({ ...found.key, scopes }, now);
      },
    }),
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
        mapList(await listKeys(call.tx, call.merchantId, pageOf(call)), (key) =>
          viewKey(key, call.now),
        ),
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
        return viewKey(await revokeKey(deps, call, call.params.id, reason), call.now);
      },
    }),
  ];
}

/** Returns the routes of API keys. */
export function keyRoutes(deps: KeyDeps): Route[] {
  return [...newKeyRoutes(deps), keyChangeRoute(deps), ...otherKeyRoutes(deps)];
}
