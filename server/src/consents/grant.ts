import type { AccountDetails, Grant } from '../banks/bank.ts';
import type { Platform } from '../platform/platform.ts';
import type { ConsentRef } from './consent.ts';
import { sealContext } from './service.ts';

/** Seals a grant for storage, as JSON. */
export function sealGrant(
  platform: Platform,
  ref: Pick<ConsentRef, 'merchantId' | 'consentId'>,
  grant: Grant,
): string {
  const text = JSON.stringify({ ...grant, expiresAt: grant.expiresAt.toString() });
  return platform.vault.seal(text, sealContext(ref.merchantId, ref.consentId, 'grant'));
}

/** Returns the initiation as it was sent to the bank, byte for byte. */
export function openInitiation(
  { vault }: Pick<Platform, 'vault'>,
  merchantId: string,
  consentId: string,
  stored: string,
): string {
  // Older rows hold the initiation unsealed.
  return stored.startsWith('{')
    ? stored
    : vault.open(stored, sealContext(merchantId, consentId, 'initiation'));
}

/** Opens a stored grant. */
export function openGrant(
  platform: Platform,
  merchantId: string,
  consentId: string,
  sealed: string,
): Grant {
  const grant = JSON.parse(
    platform.vault.open(sealed, sealContext(merchantId, consentId, 'grant')),
  ) as {
    accessToken: string;
    refreshToken: string | null;
    expiresAt: string;
    boundTo?: string;
  };
  return {
    ...grant,
    expiresAt: Temporal.Instant.from(grant.expiresAt),
    boundTo: grant.boundTo ?? null,
  };
}

/** Opens the account that pays under a consent. */
export function openPayingAccount(
  { vault }: Pick<Platform, 'vault'>,
  { merchantId, consentId }: Pick<ConsentRef, 'merchantId' | 'consentId'>,
  sealed: string,
): AccountDetails {
  return JSON.parse(
    vault.open(sealed, sealContext(merchantId, consentId, 'paying_account')),
  ) as AccountDetails;
}
