import type { OpenBankingConfig } from './config.ts';
import { keySigner, type SigningKey } from './signer.ts';
import { serviceSigner } from './signing-service.ts';

/** Returns the key of a connection: the file's, or that of its signing service. */
export function signingKeyOf(
  config: Pick<OpenBankingConfig, 'bankId' | 'signingJwk' | 'signingService'>,
): SigningKey {
  const { signingJwk, signingService } = config;
  if (signingService !== undefined)
    return { kid: signingService.kid, signer: serviceSigner(config.bankId, signingService) };
  return { kid: signingJwk.kid ?? '', signer: keySigner(signingJwk) };
}
