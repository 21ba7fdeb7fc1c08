import type { Vault } from '../platform/vault/vault.ts';
import type { AccountDetails } from './issuer.ts';

const context = (movementId: string): string => `payer:${movementId}`;

/** Seals the account that a pay-in came from, bound to its movement; null if the issuer does not report it. */
export function sealPayer(
  vault: Vault,
  movementId: string,
  payer: AccountDetails | null,
): string | null {
  return payer === null ? null : vault.seal(JSON.stringify(payer), context(movementId));
}

/** Opens a sealed payer. Throws if it was sealed for another movement. */
export function openPayer(
  vault: Vault,
  movementId: string,
  sealed: string | null,
): AccountDetails | null {
  return sealed === null
    ? null
    : (JSON.parse(vault.open(sealed, context(movementId))) as AccountDetails);
}
