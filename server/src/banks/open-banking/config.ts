import type { JWK } from 'jose';
import { BankDefect, type VrpType } from '../bank.ts';

/** One bank connection. Nothing of it may be logged. */
export interface OpenBankingConfig {
  bankId: string;
  name: string;
  /** The bank's authorisation server; https. */
  issuer: string;
  /** Where the payment resources live, up to and including `/pisp`; https. */
  resourceBase: string;
  /** Our registration with this bank. */
  clientId: string;
  /** Our organisation and software ids, as the bank's directory knows them. */
  orgId: string;
  softwareId: string;
  /** The organisation id that the bank signs its messages with, and where its public keys are. */
  bankOrgId: string;
  bankJwksUri: string;
  vrpType: VrpType;
  /** PEM texts: the authority that we trust for this bank, our transport certificate and its key. */
  tls: { ca: string; cert: string; key: string };
  /** Our private PS256 key, with `kid`. */
  signingJwk: JWK;
  /** For one call, start to end. Default 10 000. */
  timeoutMs?: number;
  /** Lets the customer's pages of the bank be plain http on loopback. Nothing else is relaxed. */
  sandbox?: boolean;
}

export const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Throws `BankDefect` unless every address that we call is https and the signing key has a name, so that a mistake in
 * the configuration shows at start and not at the first collection.
 */
export function checkConfig(config: OpenBankingConfig): void {
  for (const key of ['issuer', 'resourceBase', 'bankJwksUri'] as const) {
    if (URL.parse(config[key])?.protocol !== 'https:') {
      throw new BankDefect(`bank ${config.bankId}: ${key} must be an https address`, 'config');
    }
  }
  if (!config.signingJwk.kid) {
    throw new BankDefect(`bank ${config.bankId}: signingJwk must have a kid`, 'config');
  }
}

/** Whether a customer's browser may be sent there: https, or in the sandbox http to this machine. */
export function isAllowedPage(url: URL, sandbox: boolean): boolean {
  if (url.protocol === 'https:') return true;
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return sandbox && url.protocol === 'http:' && loopback;
}
