import type { Static } from 'typebox';
import { type Caller, type Route, route } from '../platform/http/calls/route.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import { ApiError } from '../platform/values/errors.ts';
import { brandingErrors } from './branding/branding.ts';
import { changeBranding, readBranding } from './branding/branding-service.ts';
import { findHolds } from './holds/hold-store.ts';
import { type KeyDeps, keyRoutes } from './keys/key-routes.ts';
import type { Merchant } from './merchant.ts';
import { merchantErrors } from './rules.ts';
import { requireProof } from './scope.ts';
import { readMerchant, updateMerchant } from './service.ts';
import { findPendingChange } from './settlement-account/settlement-account-store.ts';
import { findFeeTerms } from './terms/fee-store.ts';
import { nextTerms, termsAt } from './terms/fees.ts';
import { changesOf, MerchantChanges, MerchantView, viewMerchant } from './view.ts';

const MERCHANT = 'Merchant';
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

/** Returns the routes of the merchant's details and its API keys. */
export function merchantRoutes(deps: KeyDeps): Route[] {
  return [...merchantRoute(deps.platform), ...keyRoutes(deps)];
}
