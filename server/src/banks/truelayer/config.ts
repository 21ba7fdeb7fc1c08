/** How far along a bank is at TrueLayer, from the most to the least proven. */
export const RELEASE_CHANNELS = ['general_availability', 'public_beta', 'private_beta'] as const;

/** The addresses of one environment of TrueLayer. */
export interface TrueLayerHosts {
  /** With the version of the API, without a slash at the end. */
  api: string;
  token: string;
  /** Where the public keys are with which its notices are signed. */
  noticeKeys: string;
}

export const TRUELAYER_HOSTS = {
  live: {
    api: 'https://api.truelayer.com/v3',
    token: 'https://auth.truelayer.com/connect/token',
    noticeKeys: 'https://webhooks.truelayer.com/.well-known/jwks',
  },
  sandbox: {
    api: 'https://api.truelayer-sandbox.com/v3',
    token: 'https://auth.truelayer-sandbox.com/connect/token',
    noticeKeys: 'https://webhooks.truelayer-sandbox.com/.well-known/jwks',
  },
} as const satisfies Record<string, TrueLayerHosts>;

/** One connection to TrueLayer, through which customers of many banks pay. No part of it may be logged. */
export interface TrueLayerConfig {
  /** Begins the id of every bank behind it: `truelayer` → `truelayer-ob-natwest`. */
  bankId: string;
  hosts: TrueLayerHosts;
  clientId: string;
  clientSecret: string;
  /** The scopes of our token, separated by spaces. */
  scope: string;
  /** Our private key for ES512, in PEM, and the id under which TrueLayer has its public half. */
  signingKey: string;
  signingKid: string;
  /** What commercial mandates are for, in TrueLayer's words. */
  useCase: string;
  /** Whether we may initiate payments ourselves: then mandates carry our reference, and no contact of the customer. */
  hasOwnLicence: boolean;
  /** The least proven banks that are offered. */
  releaseChannel: (typeof RELEASE_CHANNELS)[number];
  /** Whether funds are confirmed before the first order of an attempt. */
  confirmsFunds: boolean;
  /** For one call. Default 10 000. */
  timeoutMs?: number;
  /** Allows plain http on loopback for TrueLayer and for the customer's pages. */
  sandbox?: boolean;
}
