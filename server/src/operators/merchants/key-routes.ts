import Type, { type Static } from 'typebox';
import { rangesOf } from '../../merchants/keys/address-range.ts';
import { AllowedIps, KeyName, keyErrors, Scopes } from '../../merchants/keys/key-fields.ts';
import { createKey, revokeKey } from '../../merchants/keys/key-service.ts';
import { listKeys } from '../../merchants/keys/key-store.ts';
import { KeyView, viewKey } from '../../merchants/keys/key-view.ts';
import type { ApiKey } from '../../merchants/keys/keys.ts';
import { DEFAULT_SCOPES } from '../../merchants/scope.ts';
import { readMerchant } from '../../merchants/service.ts';
import { mapList, pageOf } from '../../platform/http/lists/page.ts';
import {
  Fields,
  IdParams,
  ListOf,
  ListQuery,
  NamedObject,
  OneOf,
} from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { ADMIN_REASON, type AdminRoute, adminRoute } from '../admin/route.ts';

const tag = 'API keys';

const MerchantKeyView = NamedObject('MerchantApiKey', {
  ...KeyView.properties,
  mode: OneOf(['test', 'live'], 'The service that it is for.'),
});

/** Returns a merchant's key as operators see it. */
const viewMerchantKey = (
  { config, clock }: Pick<Platform, 'config' | 'clock'>,
  key: ApiKey,
): Static<typeof MerchantKeyView> => ({
  ...viewKey(key, clock.now()),
  mode: config.mode === 'live' ? 'live' : 'test',
});

/** What the endpoints of merchants' keys work with. */
export interface MerchantKeyDeps {
  platform: Platform;
  /** Makes this process forget what it has cached about a key. */
  distrustKey: (keyId: string) => void;
}

/** The endpoints of merchants' API keys. */
export const merchantKeyRoutes = (deps: MerchantKeyDeps): AdminRoute[] => [
  listRoute(deps),
  createRoute(deps),
  revokeRoute(deps),
];

const listRoute = ({ platform }: MerchantKeyDeps): AdminRoute =>
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/merchants/:id/api_keys',
    summary: "List a merchant's API keys, newest first",
    description: 'Revoked ones too. The keys themselves are never shown.',
    tag,
    operationId: 'listMerchantApiKeys',
    command: 'key list',
    params: IdParams,
    query: ListQuery,
    response: ListOf(MerchantKeyView),
    errors: ['not_found'],
    async handle(call) {
      const { tx, params } = call;
      await readMerchant(platform, tx, params.id);
      const keys = await listKeys(tx, params.id, pageOf(call));
      return mapList(keys, (key) => viewMerchantKey(platform, key));
    },
  });

const createRoute = ({ platform }: MerchantKeyDeps): AdminRoute =>
  adminRoute({
    method: 'POST',
    role: 'security',
    path: '/merchants/:id/api_keys',
    summary: 'Create an API key for a merchant',
    description:
      'The key is in this answer and in no later one. It ends with nobody’s membership. The owners are told by email.',
    tag,
    operationId: 'createMerchantApiKey',
    command: 'key create',
    params: IdParams,
    body: Fields({
      name: KeyName,
      scopes: Type.Optional(Scopes('What the key may do. Default: everything but `keys`.')),
      allowed_ips: Type.Optional(AllowedIps),
      reason: ADMIN_REASON,
    }),
    check: keyErrors,
    response: NamedObject('NewMerchantApiKey', {
      ...MerchantKeyView.properties,
      key: Type.String({ description: 'The key itself. It is shown this once.' }),
    }),
    errors: ['not_found'],
    async handle({ tx, now, params, body }) {
      await readMerchant(platform, tx, params.id);
      const { name, scopes = DEFAULT_SCOPES, allowed_ips = null, reason } = body;
      const grant = { scopes, madeBy: null, allowedIps: rangesOf(allowed_ips) };
      const asked = { tx, now, merchantId: params.id };
      const { key, secret } = await createKey(platform, asked, name, reason, grant);
      return { ...viewMerchantKey(platform, key), key: secret };
    },
  });

const revokeRoute = ({ platform, distrustKey }: MerchantKeyDeps): AdminRoute =>
  adminRoute({
    method: 'POST',
    role: 'security',
    path: '/merchants/:id/api_keys/:key_id/revoke',
    summary: "Revoke a merchant's API key at once",
    description:
      'Other processes follow within five seconds. A key that is revoked already stays as it is. The owners are told by email.',
    tag,
    operationId: 'revokeMerchantApiKey',
    command: 'key revoke',
    params: Type.Object({ id: Type.String(), key_id: Type.String() }),
    body: Fields({ reason: ADMIN_REASON }),
    response: MerchantKeyView,
    errors: ['not_found'],
    async handle({ tx, now, params, body }) {
      const deps = { platform, authenticator: { distrust: distrustKey } };
      const asked = { tx, now, merchantId: params.id };
      return viewMerchantKey(platform, await revokeKey(deps, asked, params.key_id, body.reason));
    },
  });
