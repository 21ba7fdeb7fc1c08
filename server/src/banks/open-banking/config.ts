import type { JWK } from 'jose';
import { BankDefect, type LimitPeriod, type VrpType } from '../bank.ts';
import type { FundsCheck } from '../funds-check.ts';

/** Both are allowed by FAPI 1.0 Advanced; the registration with the bank says which it is. */
export type TokenAuth = 'private_key_jwt' | 'tls_client_auth';

/** A program that signs for us over HTTP (docs/guides/banks.md#signing-by-another-program). */
export interface SigningService {
  /** `https://…`, `http://` on this machine, or `unix:/path/of/a/socket`. */
  url: string;
  kid: string;
  /** Sent as a bearer token. */
  token?: string;
}

/** One bank connection. No part of it may be logged. */
export interface OpenBankingConfig {
  bankId: string;
  name: string;
  /** The bank's authorisation server; https. */
  issuer: string;
  /** The base of the payment resources, up to and including `/pisp`; https. */
  resourceBase: string;
  /** Our registration with this bank. */
  clientId: string;
  /** Our organisation and software ids in the bank's directory. */
  orgId: string;
  softwareId: string;
  /** The organisation id with which the bank signs its messages, and the address of its public keys. */
  bankOrgId: string;
  bankJwksUri: string;
  vrpType: VrpType;
  /** What else the scheme leaves to the agreement with this bank. Default: `DEFAULT_SCHEME`. */
  scheme?: SchemeFields;
  /** PEM texts: the authority that we trust for this bank, our transport certificate and its key. */
  tls: { ca: string; cert: string; key: string };
  /**
   * How we prove who we are at the token endpoint, as registered with the bank. Default `private_key_jwt`, a signature for each
   * token; with `tls_client_auth` the certificate of the connection is enough.
   */
  tokenAuth?: TokenAuth;
  /** When the bank is asked whether the funds are there. Default `after_lack_of_funds`. */
  fundsCheck?: FundsCheck;
  /** Whom the requests that the customer's browser delivers are for, where that is the bank's group. Default: `issuer`. */
  requestAudience?: string;
  /** The periods that the bank takes for a limit. Default: all of the standard. */
  periods?: readonly LimitPeriod[];
  /** After how many months without a payment the bank ends a consent. Default: it does not. */
  endsUnusedAfterMonths?: number;
  /** Our private PS256 key, with `kid`; empty where a signing service has it. */
  signingJwk: JWK;
  /** The program that signs for us, so that the private key is never here. */
  signingService?: SigningService;
  /** For one call, from start to end. Default 10 000. */
  timeoutMs?: number;
  /** Allows plain http on loopback for the bank's customer pages. Nothing else is relaxed. */
  sandbox?: boolean;
}

/** Fields of consents and payments that the agreement with a bank may fix. Consents that exist keep those they were made with. */
export interface SchemeFields {
  /** What a consent allows. A payment of ours always says that no customer is there: the lists must allow it. */
  psuAuthenticationMethods: readonly string[];
  /** Null: consents and payments do not say it, for a bank that refuses them otherwise. */
  psuInteractionTypes: readonly string[] | null;
  /** Null: payments do not name one. */
  localInstrument: string | null;
}

export const DEFAULT_SCHEME: SchemeFields = {
  psuAuthenticationMethods: ['UK.OBIE.SCANotRequired'],
  psuInteractionTypes: ['OffSession'],
  localInstrument: 'UK.OBIE.FPS',
};

export const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Throws `BankDefect` unless every address that we call is https and the signing key has an id, so that a wrong configuration
 * fails at start and not at the first collection.
 */
export function checkConfig(config: OpenBankingConfig): void {
  for (const key of ['issuer', 'resourceBase', 'bankJwksUri'] as const) {
    if (URL.parse(config[key])?.protocol !== 'https:') {
      throw new BankDefect(`bank ${config.bankId}: ${key} must be an https address`, 'config');
    }
  }
  if (!config.signingService && !config.signingJwk.kid) {
    throw new BankDefect(`bank ${config.bankId}: signingJwk must have a kid`, 'config');
  }
}
