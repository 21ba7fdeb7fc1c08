import { rangeErrors, rangesOf } from '../../../merchants/address-range.ts';
import { makeAuthenticator } from '../../../merchants/authenticator.ts';
import { createKey, revokeKey } from '../../../merchants/key-service.ts';
import { listKeys } from '../../../merchants/key-store.ts';
import { DEFAULT_SCOPES } from '../../../merchants/scope.ts';
import { readMerchant } from '../../../merchants/service.ts';
import { viewMerchantKey } from '../../../operators/merchants/key-routes.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Scope } from '../../../platform/http/calls/access.ts';
import { invalid } from '../../../platform/values/errors.ts';
import { change, withPlatform } from '../session/offline.ts';

const MOST_LISTED = 1000;

/** Options of `key create`. */
export interface KeyOptions {
  name: string;
  reason: string;
  scopes?: Scope[];
  allowedIps?: string[];
}

/** `key list`. Throws 404 `not_found`. */
export function listKeysCommand(config: Config, merchantId: string): Promise<object[]> {
  return withPlatform(config, (platform) =>
    platform.db.read(async (tx) => {
      await readMerchant(platform, tx, merchantId);
      const { keys } = await listKeys(tx, merchantId, { limit: MOST_LISTED, offset: 0 });
      return keys.map((key) => viewMerchantKey(platform, key));
    }),
  );
}

/** `key create`. Throws 400 `invalid_request`, 404 `not_found`. */
export async function createKeyCommand(
  config: Config,
  merchantId: string,
  { name, reason, scopes = [...DEFAULT_SCOPES], allowedIps = [] }: KeyOptions,
): Promise<{ api_key: string }> {
  const wrong = rangeErrors(allowedIps);
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  return change(config, async ({ platform, tx, now }) => {
    await readMerchant(platform, tx, merchantId);
    const grant = { scopes, madeBy: null, allowedIps: rangesOf(allowedIps) };
    const { secret } = await createKey(platform, { tx, now, merchantId }, name, reason, grant);
    return { api_key: secret };
  });
}

/** `key revoke`. Throws 404 `not_found`. */
export async function revokeKeyCommand(
  config: Config,
  merchantId: string,
  keyId: string,
  reason: string,
): Promise<void> {
  await change(config, ({ platform, tx, now }) => {
    const deps = { platform, authenticator: makeAuthenticator(platform) };
    return revokeKey(deps, { tx, now, merchantId }, keyId, reason);
  });
}
