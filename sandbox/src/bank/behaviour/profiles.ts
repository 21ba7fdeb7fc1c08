/** How one bank answers where the standard leaves it open, or banks do otherwise: by contracts and guides that they publish. */
export interface Profile {
  /** The only way in which clients prove who they are at the token endpoint; null: as they registered. */
  tokenAuth: 'private_key_jwt' | 'tls_client_auth' | null;
  /** A refresh token of `single_use` is replaced by each use, and its second use ends the whole grant. */
  refreshTokens: 'kept' | 'single_use' | 'none';
  accessTokenLength: number;
  idTokenAtRefresh: boolean;
  /** Whom the `sub` of an id_token names. */
  subject: 'customer' | 'consent';
  /** Where in the customer's return address the answer is. */
  returnsIn: 'fragment' | 'query';
  /** How many consents in force a customer has with one client: the oldest is evicted. */
  mostConsents: number;
  /** The release of the standard whose optional members it leaves out: Links, Meta, the debtor's name. */
  release: '4.0.0' | '4.0.1';
  /** Whether `Links.Self` is an address of this bank; otherwise it leads to another host. */
  linksToItself: boolean;
  /** Whether the answer about a payment names the account that pays. */
  namesPayer: boolean;
  /** The status for an idempotency key that was used with another body. */
  duplicateKeyStatus: 400 | 422;
  /** Calls in so many seconds, which its headers tell of; null: as many as come. */
  rateLimit: { calls: number; seconds: number } | null;
  /** What its ids begin with, where they are long; null: they are short. */
  longIds: string | null;
}

const UNLIMITED = Number.POSITIVE_INFINITY;

export const PLAIN: Profile = {
  tokenAuth: null,
  refreshTokens: 'kept',
  accessTokenLength: 43,
  idTokenAtRefresh: true,
  subject: 'customer',
  returnsIn: 'fragment',
  mostConsents: UNLIMITED,
  release: '4.0.0',
  linksToItself: true,
  namesPayer: true,
  duplicateKeyStatus: 400,
  rateLimit: null,
  longIds: null,
};

/** A bank without branches: certificates, refresh tokens of a single use, twenty consents. */
export const SINGLE_USE_TOKENS: Profile = {
  ...PLAIN,
  tokenAuth: 'tls_client_auth',
  refreshTokens: 'single_use',
  subject: 'consent',
  mostConsents: 20,
};

/** An old bank with a closed contract: long tokens and ids, and as few members as 4.0.1 allows. */
export const LONG_TOKENS: Profile = {
  ...PLAIN,
  tokenAuth: 'private_key_jwt',
  accessTokenLength: 4871,
  idTokenAtRefresh: false,
  release: '4.0.1',
  longIds: 'GREYROCK-S-',
};

/** A bank whose access token is all that it gives. */
export const NO_REFRESH_TOKEN: Profile = {
  ...PLAIN,
  tokenAuth: 'tls_client_auth',
  refreshTokens: 'none',
  subject: 'consent',
  returnsIn: 'query',
  namesPayer: false,
};

/** One brand of a group. */
export const OF_A_GROUP: Profile = {
  ...PLAIN,
  tokenAuth: 'tls_client_auth',
  idTokenAtRefresh: false,
  subject: 'consent',
  release: '4.0.1',
  linksToItself: false,
  duplicateKeyStatus: 422,
  rateLimit: { calls: 100, seconds: 10 },
};
